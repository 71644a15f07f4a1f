#include "plan.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

namespace jaxscipy_ext {
namespace {

using xla::ffi::ByteWidth;

// Numbers that are cast at a time: a block of every operand stays in the first-level cache.
constexpr std::int64_t kCastBlock = 256;
constexpr std::size_t kMaxItemSize = 16;

// Below this length of the last dimension the call of the loop itself (about 10 ns, 40 ns for SciPy's, which
// end in a check of the floating-point status) would cost as much as its work; a longer dimension is better even
// though it walks through memory in larger steps.
constexpr std::int64_t kShortInner = 32;

}  // namespace

std::string Plan::Build(const Loop& loop, const std::array<Operand, kMaxOperands>& operands) {
  loop_ = &loop;
  num_operands_ = loop.num_operands();
  if (const std::string fault = SetCoreDimensions(operands); !fault.empty()) return fault;
  const auto result_dimensions = operands[loop.num_inputs].dimensions;
  const std::size_t outer_rank = result_dimensions.size() - loop.core_ranks[loop.num_inputs];
  if (outer_rank > kMaxRank) return "more than 64 dimensions";
  size_ = 1;
  for (std::size_t d = 0; d < outer_rank; ++d) size_ *= result_dimensions[d];

  for (std::size_t i = 0; i < num_operands_; ++i) {
    const Operand& operand = operands[i];
    const bool is_input = i < loop.num_inputs;
    const auto fail = [&](const char* fault) {
      std::ostringstream message;
      message << (is_input ? "argument " : "result ") << (is_input ? i : i - loop.num_inputs) << " " << fault;
      return message.str();
    };
    if (operand.dimensions.size() != outer_rank + loop.core_ranks[i]) return fail("has a rank of its own");
    for (std::size_t d = 0; d < outer_rank; ++d) {
      const bool fits = operand.dimensions[d] == result_dimensions[d] || (is_input && operand.dimensions[d] == 1);
      if (!fits) return fail("does not broadcast to the shape of the first result");
    }
    data_[i] = operand.data;
    buffer_types_[i] = operand.type;
    casts_[i] = nullptr;
    if (operand.type != loop.types[i]) {
      casts_[i] = is_input ? FindCast(operand.type, loop.types[i]) : FindCast(loop.types[i], operand.type);
      if (casts_[i] == nullptr) return fail("has a dtype that cannot be cast to or from that of the loop");
      cast_block_ = std::max<std::int64_t>(1, kCastBlock / element_size_);
    }
  }
  CollectDimensions(operands);
  ChooseInnerDimension();
  return {};
}

// Reads the sizes of the core dimensions and the loop's steps along them. They are the same in a buffer and in a cast
// copy of it, since both are dense.
std::string Plan::SetCoreDimensions(const std::array<Operand, kMaxOperands>& operands) {
  operand_sizes_.fill(1);
  if (loop_->num_core_dimensions == 0) return {};
  core_sizes_.fill(-1);
  for (std::size_t i = 0; i < num_operands_; ++i) {
    const auto dimensions = operands[i].dimensions;
    const std::size_t core_rank = loop_->core_ranks[i];
    if (dimensions.size() < core_rank) return "an operand has too few dimensions";
    for (std::size_t k = core_rank; k-- > 0;) {
      const std::int64_t size = dimensions[dimensions.size() - core_rank + k];
      std::ptrdiff_t& known = core_sizes_[loop_->core_entries[num_core_entries_ + k]];
      if (known != -1 && known != size) return "core dimensions of one name have two sizes";
      known = size;
      core_strides_[num_core_entries_ + k] =
          operand_sizes_[i] * static_cast<std::ptrdiff_t>(ByteWidth(loop_->types[i]));
      operand_sizes_[i] *= size;
    }
    num_core_entries_ += core_rank;
    element_size_ = std::max(element_size_, operand_sizes_[i]);
  }
  return {};
}

void Plan::CollectDimensions(const std::array<Operand, kMaxOperands>& operands) {
  const auto result_dimensions = operands[loop_->num_inputs].dimensions;
  std::array<std::ptrdiff_t, kMaxOperands> step;  // bytes from one element of dimension d to the next, if not broadcast
  for (std::size_t i = 0; i < num_operands_; ++i) {
    step[i] = operand_sizes_[i] * static_cast<std::ptrdiff_t>(ByteWidth(buffer_types_[i]));
  }

  rank_ = 0;
  for (std::size_t d = result_dimensions.size() - loop_->core_ranks[loop_->num_inputs]; d-- > 0;) {
    const std::int64_t size = result_dimensions[d];
    std::array<std::ptrdiff_t, kMaxOperands> stride;
    for (std::size_t i = 0; i < num_operands_; ++i) {
      stride[i] = operands[i].dimensions[d] == size ? step[i] : 0;
      step[i] *= operands[i].dimensions[d];
    }
    if (size == 1) continue;
    bool merges = rank_ > 0;
    for (std::size_t i = 0; merges && i < num_operands_; ++i) {
      merges = stride[i] == strides_[rank_ - 1][i] * sizes_[rank_ - 1];
    }
    if (merges) {
      sizes_[rank_ - 1] *= size;
    } else {
      sizes_[rank_] = size;
      strides_[rank_] = stride;
      ++rank_;
    }
  }
  if (rank_ == 0) {  // one element
    sizes_[0] = 1;
    strides_[0].fill(0);
    rank_ = 1;
  }
}

void Plan::ChooseInnerDimension() {
  if (sizes_[0] >= kShortInner) return;
  const auto longest = std::max_element(sizes_.begin(), sizes_.begin() + rank_) - sizes_.begin();
  std::swap(sizes_[0], sizes_[longest]);
  std::swap(strides_[0], strides_[longest]);
}

void Plan::Run(std::int64_t begin, std::int64_t end) const {
  std::unique_ptr<char[]> scratch;
  if (cast_block_ > 0) scratch.reset(new char[num_operands_ * cast_block_ * element_size_ * kMaxItemSize]);

  std::array<std::int64_t, kMaxRank> index;
  Pointers pointers = data_;
  std::int64_t rest = begin;
  for (std::size_t d = 0; d < rank_; ++d) {
    index[d] = rest % sizes_[d];
    rest /= sizes_[d];
    for (std::size_t i = 0; i < num_operands_; ++i) pointers[i] += index[d] * strides_[d][i];
  }

  while (begin < end) {
    const std::int64_t count = std::min(sizes_[0] - index[0], end - begin);
    RunInner(pointers, count, scratch.get());
    begin += count;
    if (begin == end) return;
    // The run ended at the end of dimension 0: carry into the outer ones.
    for (std::size_t i = 0; i < num_operands_; ++i) pointers[i] -= index[0] * strides_[0][i];
    index[0] = 0;
    for (std::size_t d = 1; d < rank_; ++d) {
      if (++index[d] < sizes_[d]) {
        for (std::size_t i = 0; i < num_operands_; ++i) pointers[i] += strides_[d][i];
        break;
      }
      index[d] = 0;
      for (std::size_t i = 0; i < num_operands_; ++i) pointers[i] -= (sizes_[d] - 1) * strides_[d][i];
    }
  }
}

void Plan::RunInner(const Pointers& start, std::int64_t count, char* scratch) const {
  if (cast_block_ > 0) return RunInnerWithCasts(start, count, scratch);
  CallLoop(start, count, strides_[0]);
}

// `operands` is a copy: a loop may advance the pointers it is given.
void Plan::CallLoop(Pointers operands, std::int64_t count,
                    const std::array<std::ptrdiff_t, kMaxOperands>& strides) const {
  if (loop_->num_core_dimensions == 0) {
    const std::ptrdiff_t length = count;
    return loop_->function(operands.data(), &length, strides.data(), loop_->data);
  }
  std::array<std::ptrdiff_t, 1 + kMaxCoreDimensions> sizes;
  sizes[0] = count;
  std::copy_n(core_sizes_.begin(), loop_->num_core_dimensions, sizes.begin() + 1);
  std::array<std::ptrdiff_t, kMaxOperands + kMaxCoreEntries> all_strides;
  const auto rest = std::copy_n(strides.begin(), num_operands_, all_strides.begin());
  std::copy_n(core_strides_.begin(), num_core_entries_, rest);
  loop_->function(operands.data(), sizes.data(), all_strides.data(), loop_->data);
}

void Plan::RunInnerWithCasts(const Pointers& start, std::int64_t count, char* scratch) const {
  const auto& buffer_strides = strides_[0];
  for (std::int64_t done = 0; done < count; done += cast_block_) {
    const std::int64_t length = std::min(cast_block_, count - done);
    Pointers buffers;
    Pointers operands;
    std::array<std::ptrdiff_t, kMaxOperands> strides;
    for (std::size_t i = 0; i < num_operands_; ++i) {
      buffers[i] = start[i] + done * buffer_strides[i];
      if (casts_[i] == nullptr) {
        operands[i] = buffers[i];
        strides[i] = buffer_strides[i];
        continue;
      }
      operands[i] = scratch + i * cast_block_ * element_size_ * kMaxItemSize;
      const bool is_scalar = buffer_strides[i] == 0;
      const auto width = static_cast<std::ptrdiff_t>(ByteWidth(loop_->types[i]));
      strides[i] = is_scalar ? 0 : operand_sizes_[i] * width;
      if (i < loop_->num_inputs) {
        CastElements(i, buffers[i], buffer_strides[i], operands[i], strides[i], is_scalar ? 1 : length);
      }
    }
    CallLoop(operands, length, strides);
    for (std::size_t i = loop_->num_inputs; i < num_operands_; ++i) {
      if (casts_[i] != nullptr) CastElements(i, operands[i], strides[i], buffers[i], buffer_strides[i], length);
    }
  }
}

void Plan::CastElements(std::size_t operand, const char* from, std::ptrdiff_t from_stride, char* to,
                        std::ptrdiff_t to_stride, std::int64_t count) const {
  if (loop_->core_ranks[operand] == 0) return casts_[operand](from, from_stride, to, to_stride, count);
  const bool is_input = operand < loop_->num_inputs;
  const auto buffer_width = static_cast<std::ptrdiff_t>(ByteWidth(buffer_types_[operand]));
  const auto loop_width = static_cast<std::ptrdiff_t>(ByteWidth(loop_->types[operand]));
  for (; count > 0; --count, from += from_stride, to += to_stride) {
    casts_[operand](from, is_input ? buffer_width : loop_width, to, is_input ? loop_width : buffer_width,
                    operand_sizes_[operand]);
  }
}

}  // namespace jaxscipy_ext
