// How one call walks over its operands: which strides, which casts, which dimension the inner loop runs along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cast.h"
#include "loop.h"
#include "xla/ffi/api/ffi.h"

namespace jaxscipy_ext {

inline constexpr std::size_t kMaxRank = 64;  // NumPy's own limit

struct Operand {
  char* data;
  xla::ffi::DataType type;
  xla::ffi::Span<const std::int64_t> dimensions;
};

// Operands of equal rank (not counting core dimensions) whose dimensions are 1 or the result's, walked without
// materialising the broadcast: a dimension of size 1 has stride 0. Neighbouring dimensions that every operand walks
// evenly are merged. An element is what one step of the loop takes: a number, or a block of core dimensions.
class Plan {
 public:
  // Operands in the order inputs, outputs. Returns a sentence that says what is wrong, or an empty string.
  std::string Build(const Loop& loop, const std::array<Operand, kMaxOperands>& operands);

  // Number of elements of the result.
  std::int64_t size() const { return size_; }

  // Numbers in the largest operand of one element.
  std::int64_t element_size() const { return element_size_; }

  // Evaluates the elements [begin, end) in the order of the plan. Safe to call from several threads for disjoint
  // ranges.
  void Run(std::int64_t begin, std::int64_t end) const;

 private:
  using Pointers = std::array<char*, kMaxOperands>;

  std::string SetCoreDimensions(const std::array<Operand, kMaxOperands>& operands);
  void CollectDimensions(const std::array<Operand, kMaxOperands>& operands);
  void ChooseInnerDimension();
  void RunInner(const Pointers& start, std::int64_t count, char* scratch) const;
  void RunInnerWithCasts(const Pointers& start, std::int64_t count, char* scratch) const;
  void CastElements(std::size_t operand, const char* from, std::ptrdiff_t from_stride, char* to,
                    std::ptrdiff_t to_stride, std::int64_t count) const;
  void CallLoop(Pointers operands, std::int64_t count, const std::array<std::ptrdiff_t, kMaxOperands>& strides) const;

  const Loop* loop_ = nullptr;
  std::size_t num_operands_ = 0;
  std::size_t rank_ = 0;  // after merging; dimension 0 is the one that the inner loop runs along
  std::int64_t size_ = 0;
  std::int64_t element_size_ = 1;
  std::int64_t cast_block_ = 0;  // elements that are cast at a time; 0 without casts
  std::array<char*, kMaxOperands> data_;
  std::array<xla::ffi::DataType, kMaxOperands> buffer_types_;
  std::array<CastFunction, kMaxOperands> casts_;
  std::array<std::int64_t, kMaxRank> sizes_;
  std::array<std::array<std::ptrdiff_t, kMaxOperands>, kMaxRank> strides_;
  std::array<std::int64_t, kMaxOperands> operand_sizes_;  // numbers in one element of each operand
  std::array<std::ptrdiff_t, kMaxCoreDimensions> core_sizes_;
  std::array<std::ptrdiff_t, kMaxCoreEntries> core_strides_;
  std::size_t num_core_entries_ = 0;
};

}  // namespace jaxscipy_ext
