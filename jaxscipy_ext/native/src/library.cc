// The XLA FFI handler and the C functions that jaxscipy_ext/runtime/native_library.py calls through ctypes.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "float_environment.h"
#include "loop.h"
#include "parallel.h"
#include "plan.h"
#include "python_errors.h"
#include "xla/ffi/api/ffi.h"

#if defined(_WIN32)
#define JAXSCIPY_EXT_EXPORT extern "C" __declspec(dllexport)
#else
#define JAXSCIPY_EXT_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace jaxscipy_ext {
namespace {

namespace ffi = xla::ffi;

// Arrives as a JaxRuntimeError, or as a ValueError where a compiled program is called by JAX's fast path.
ffi::Error Fault(ffi::ErrorCode code, std::string_view loop_name, const std::string& text) {
  return ffi::Error(code, std::string(loop_name) + ": " + text);
}

ffi::Error RunUfunc(ffi::ThreadPool pool, ffi::RemainingArgs args, ffi::RemainingRets rets, std::string_view name) {
  const Loop* const loop = FindLoop(name);
  if (loop == nullptr) {
    return Fault(ffi::ErrorCode::kNotFound, name,
                 "no such ufunc loop in this process; import the module that defines the ufunc first");
  }
  if (args.size() != loop->num_inputs || rets.size() != loop->num_outputs) {
    return Fault(ffi::ErrorCode::kFailedPrecondition, name, "wrong number of arguments or results");
  }
  std::array<Operand, kMaxOperands> operands;
  for (std::size_t i = 0; i < loop->num_operands(); ++i) {
    if (i < loop->num_inputs) {
      const auto argument = args.get<ffi::AnyBuffer>(i);
      if (!argument) return argument.error();
      operands[i] = {static_cast<char*>(argument->untyped_data()), argument->element_type(), argument->dimensions()};
    } else {
      auto result = rets.get<ffi::AnyBuffer>(i - loop->num_inputs);
      if (!result) return result.error();
      operands[i] = {static_cast<char*>((*result)->untyped_data()), (*result)->element_type(), (*result)->dimensions()};
    }
  }
  Plan plan;
  if (const std::string fault = plan.Build(*loop, operands); !fault.empty()) {
    return Fault(ffi::ErrorCode::kFailedPrecondition, name, fault);
  }
  if (plan.size() == 0) return ffi::Error::Success();

  // An exception survives only on a thread that has a Python thread state, hence one thread that holds the GIL.
  const bool report = loop->may_raise || SciPyReportsErrors();
  const PythonThread python_thread(report);
  if (report) {
    const DefaultFloatEnvironment environment;
    plan.Run(0, plan.size());
  } else {
    ParallelFor(pool, plan);
  }
  if (const std::string fault = TakePendingException(); !fault.empty()) {
    return Fault(ffi::ErrorCode::kOutOfRange, name, fault);
  }
  return ffi::Error::Success();
}

// XLA is built without exceptions: none may leave the handler.
ffi::Error RunUfuncNoThrow(ffi::ThreadPool pool, ffi::RemainingArgs args, ffi::RemainingRets rets,
                           std::string_view name) noexcept {
  try {
    return RunUfunc(pool, args, rets, name);
  } catch (const std::exception& fault) {
    return ffi::Error::Internal(fault.what());
  }
}

}  // namespace
}  // namespace jaxscipy_ext

JAXSCIPY_EXT_EXPORT XLA_FFI_Error* jaxscipy_ext_ufunc(XLA_FFI_CallFrame* call_frame);

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    jaxscipy_ext_ufunc, jaxscipy_ext::RunUfuncNoThrow,
    xla::ffi::Ffi::Bind().Ctx<xla::ffi::ThreadPool>().RemainingArgs().RemainingRets().Attr<std::string_view>("loop"));

// Counts up with every change of the functions below.
JAXSCIPY_EXT_EXPORT int jaxscipy_ext_interface_version() { return 2; }

// Version of XLA's FFI that the library was built for, as 1000 * major + minor.
JAXSCIPY_EXT_EXPORT int jaxscipy_ext_ffi_version() { return 1000 * XLA_FFI_API_MAJOR + XLA_FFI_API_MINOR; }

JAXSCIPY_EXT_EXPORT void jaxscipy_ext_set_python_api(const jaxscipy_ext::PythonApi* api, void* exception_class) {
  jaxscipy_ext::SetPythonApi(*api, exception_class);
}

JAXSCIPY_EXT_EXPORT void jaxscipy_ext_set_scipy_error_actions(int (*action)(int)) {
  jaxscipy_ext::SetSciPyErrorActions(action);
}

JAXSCIPY_EXT_EXPORT void jaxscipy_ext_set_resolver(jaxscipy_ext::LoopResolver resolver) {
  jaxscipy_ext::SetLoopResolver(resolver);
}

// `types` holds XLA_FFI_DataType numbers, inputs first; `core_ranks` and `core_entries` are those of Loop.
// Returns 0, or 1 if the name belongs to another loop.
JAXSCIPY_EXT_EXPORT int jaxscipy_ext_register_loop(const char* name, jaxscipy_ext::LoopFunction function, void* data,
                                                   int num_inputs, int num_outputs, const int* types,
                                                   const int* core_ranks, const int* core_entries, int may_raise) {
  jaxscipy_ext::Loop loop;
  loop.name = name;
  loop.function = function;
  loop.data = data;
  loop.num_inputs = static_cast<std::size_t>(num_inputs);
  loop.num_outputs = static_cast<std::size_t>(num_outputs);
  for (std::size_t i = 0; i < loop.num_operands(); ++i) loop.types[i] = static_cast<xla::ffi::DataType>(types[i]);
  std::size_t num_entries = 0;
  for (std::size_t i = 0; i < loop.num_operands(); ++i) {
    loop.core_ranks[i] = static_cast<std::size_t>(core_ranks[i]);
    num_entries += loop.core_ranks[i];
  }
  for (std::size_t k = 0; k < num_entries; ++k) {
    loop.core_entries[k] = static_cast<std::size_t>(core_entries[k]);
    loop.num_core_dimensions = std::max(loop.num_core_dimensions, loop.core_entries[k] + 1);
  }
  loop.may_raise = may_raise != 0;
  return jaxscipy_ext::RegisterLoop(std::move(loop)) ? 0 : 1;
}

// Runs a loop on contiguous vectors of the loop's own types: the self-check uses it, because it must not start XLA.
JAXSCIPY_EXT_EXPORT int jaxscipy_ext_run_loop(const char* name, std::int64_t count, char** buffers) {
  const jaxscipy_ext::Loop* const loop = jaxscipy_ext::FindLoop(name);
  if (loop == nullptr) return 1;
  std::array<jaxscipy_ext::Operand, jaxscipy_ext::kMaxOperands> operands;
  for (std::size_t i = 0; i < loop->num_operands(); ++i) {
    operands[i] = {buffers[i], loop->types[i], {&count, 1}};
  }
  jaxscipy_ext::Plan plan;
  if (!plan.Build(*loop, operands).empty()) return 2;
  const jaxscipy_ext::DefaultFloatEnvironment environment;
  plan.Run(0, plan.size());
  return 0;
}
