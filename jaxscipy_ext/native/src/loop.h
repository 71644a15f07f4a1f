// The table of ufunc inner loops. Programs name a loop ("scipy.special.jv:dd->d"), because an address would be
// wrong in the next process that loads the program from the compilation cache or from an export.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace jaxscipy_ext {

inline constexpr std::size_t kMaxOperands = 16;  // 8 inputs and 8 outputs

// PyUFuncGenericFunction of numpy/ufuncobject.h with npy_intp = ptrdiff_t.
using LoopFunction = void (*)(char** operands, const std::ptrdiff_t* sizes, const std::ptrdiff_t* strides, void* data);

// One inner loop. Entries are never removed or changed, so a pointer to one stays valid for the process's life.
struct Loop {
  std::string name;
  LoopFunction function = nullptr;
  void* data = nullptr;
  std::size_t num_inputs = 0;
  std::size_t num_outputs = 0;
  std::array<xla::ffi::DataType, kMaxOperands> types{};
  // The loop reports faults by a Python exception also in places where the dtype does not suggest it
  // (numpy.power of integers): it runs on one thread that owns a Python thread state.
  bool may_raise = false;

  std::size_t num_operands() const { return num_inputs + num_outputs; }
};

// False if the name is taken by another loop.
bool RegisterLoop(Loop loop);

// Null if the name is unknown, also to the resolver.
const Loop* FindLoop(std::string_view name);

// Asked for names that are not in the table; registers the loop and returns nonzero if it can.
using LoopResolver = int (*)(const char* name);
void SetLoopResolver(LoopResolver resolver);

}  // namespace jaxscipy_ext
