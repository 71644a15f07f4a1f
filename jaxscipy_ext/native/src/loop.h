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

inline constexpr std::size_t kMaxOperands = 16;       // 8 inputs and 8 outputs
inline constexpr std::size_t kMaxCoreDimensions = 8;  // different ones
inline constexpr std::size_t kMaxCoreEntries = 32;    // of all operands together

// PyUFuncGenericFunction of numpy/ufuncobject.h with npy_intp = ptrdiff_t. Of a generalised ufunc, `sizes` are the
// number of elements and the core dimensions; `strides` those of the operands, then those of all core entries.
using LoopFunction = void (*)(char** operands, const std::ptrdiff_t* sizes, const std::ptrdiff_t* strides, void* data);

// One inner loop. Entries are never removed or changed, so a pointer to one stays valid for the process's life.
struct Loop {
  std::string name;
  LoopFunction function = nullptr;
  void* data = nullptr;
  std::size_t num_inputs = 0;
  std::size_t num_outputs = 0;
  std::array<xla::ffi::DataType, kMaxOperands> types{};
  // The last dimensions of an operand, which a generalised ufunc walks by itself: their number per operand, and for
  // each of them in turn which core dimension it is ("(m,n),(n)->(m)": 2, 1, 1 and 0 1, 1, 0).
  std::array<std::size_t, kMaxOperands> core_ranks{};
  std::array<std::size_t, kMaxCoreEntries> core_entries{};
  std::size_t num_core_dimensions = 0;
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
