// Shares the elements of one call between the calling thread and XLA's thread pool.
#pragma once

#include "plan.h"
#include "xla/ffi/api/ffi.h"

namespace jaxscipy_ext {

// Evaluates all elements of the plan in the default floating-point environment, on several threads if that pays.
// Returns when all are done. The caller never waits for work that nobody has begun, so a busy pool, a pool of which
// the caller is a member, and a pool that is gone (in a forked child) cannot block it.
void ParallelFor(xla::ffi::ThreadPool& pool, const Plan& plan);

}  // namespace jaxscipy_ext
