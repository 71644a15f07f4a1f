#include "plan.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

namespace jaxscipy_ext {
namespace {

using xla::ffi::ByteWidth;

// Elements that are cast at a time: a block of every operand stays in the first-level cache.
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
  const auto result_dimensions = operands[loop.num_inputs].dimensions;
  if (result_dimensions.size() > kMaxRank) return "more than 64 dimensions";
  size_ = 1;
  for (const std::int64_t dimension : result_dimensions) size_ *= dimension;

  for (std::size_t i = 0; i < num_operands_; ++i) {
    const Operand& operand = operands[i];
    const bool is_input = i < loop.num_inputs;
    const auto fail = [&](const char* fault) {
      std::ostringstream message;
      message << (is_input ? "argument " : "result ") << (is_input ? i : i - loop.num_inputs) << " " << fault;
      return message.str();
    };
    if (operand.dimensions.size() != result_dimensions.size()) return fail("has a rank of its own");
    for (std::size_t d = 0; d < result_dimensions.size(); ++d) {
      const bool fits = operand.dimensions[d] == result_dimensions[d] || (is_input && operand.dimensions[d] == 1);
      if (!fits) return fail("does not broadcast to the shape of the first result");
    }
    data_[i] = operand.data;
    buffer_types_[i] = operand.type;
    casts_[i] = nullptr;
    if (operand.type != loop.types[i]) {
      casts_[i] = is_input ? FindCast(operand.type, loop.types[i]) : FindCast(loop.types[i], operand.type);
      if (casts_[i] == nullptr) return fail("has a dtype that cannot be cast to or from that of the loop");
      has_casts_ = true;
    }
  }
  CollectDimensions(operands);
  ChooseInnerDimension();
  return {};
}

void Plan::CollectDimensions(const std::array<Operand, kMaxOperands>& operands) {
  const auto result_dimensions = operands[loop_->num_inputs].dimensions;
  std::array<std::ptrdiff_t, kMaxOperands> step;  // bytes from one element of dimension d to the next, if not broadcast
  for (std::size_t i = 0; i < num_operands_; ++i) step[i] = static_cast<std::ptrdiff_t>(ByteWidth(buffer_types_[i]));

  rank_ = 0;
  for (std::size_t d = result_dimensions.size(); d-- > 0;) {
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
  if (has_casts_) scratch = std::make_unique<char[]>(num_operands_ * kCastBlock * kMaxItemSize);

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
  if (has_casts_) return RunInnerWithCasts(start, count, scratch);
  Pointers operands = start;  // a loop may advance the pointers it is given
  const std::ptrdiff_t length = count;
  loop_->function(operands.data(), &length, strides_[0].data(), loop_->data);
}

void Plan::RunInnerWithCasts(const Pointers& start, std::int64_t count, char* scratch) const {
  const auto& buffer_strides = strides_[0];
  for (std::int64_t done = 0; done < count; done += kCastBlock) {
    const std::ptrdiff_t length = std::min(kCastBlock, count - done);
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
      operands[i] = scratch + i * kCastBlock * kMaxItemSize;
      const bool is_scalar = buffer_strides[i] == 0;
      strides[i] = is_scalar ? 0 : static_cast<std::ptrdiff_t>(ByteWidth(loop_->types[i]));
      if (i < loop_->num_inputs)
        casts_[i](buffers[i], buffer_strides[i], operands[i], strides[i], is_scalar ? 1 : length);
    }
    Pointers arguments = operands;
    loop_->function(arguments.data(), &length, strides.data(), loop_->data);
    for (std::size_t i = loop_->num_inputs; i < num_operands_; ++i) {
      if (casts_[i] != nullptr) casts_[i](operands[i], strides[i], buffers[i], buffer_strides[i], length);
    }
  }
}

}  // namespace jaxscipy_ext
