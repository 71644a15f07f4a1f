// Casts of a run of elements between XLA's element types, as NumPy's `astype` does them.
#pragma once

#include <cstddef>

#include "xla/ffi/api/ffi.h"

namespace jaxscipy_ext {

using CastFunction = void (*)(const char* from, std::ptrdiff_t from_stride, char* to, std::ptrdiff_t to_stride,
                              std::ptrdiff_t count);

// Null where there is no such cast: only casts that NumPy calls "same_kind" or safe exist.
CastFunction FindCast(xla::ffi::DataType from, xla::ffi::DataType to);

}  // namespace jaxscipy_ext
