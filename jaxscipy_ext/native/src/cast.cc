#include "cast.h"

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace jaxscipy_ext {
namespace {

using xla::ffi::DataType;

template <typename T>
struct IsComplex : std::false_type {};
template <typename T>
struct IsComplex<std::complex<T>> : std::true_type {};

// bool < integer < real < complex: NumPy's "same_kind" never goes down this ladder.
template <typename T>
constexpr int kRank = std::is_same_v<T, bool> ? 0
                      : std::is_integral_v<T> ? 1
                      : IsComplex<T>::value   ? 3
                                              : 2;

template <typename From, typename To>
void CastRun(const char* from, std::ptrdiff_t from_stride, char* to, std::ptrdiff_t to_stride, std::ptrdiff_t count) {
  for (; count > 0; --count, from += from_stride, to += to_stride) {
    From value;
    std::memcpy(&value, from, sizeof value);
    To cast;
    if constexpr (IsComplex<From>::value) {
      cast = To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
    } else if constexpr (IsComplex<To>::value) {
      cast = To(static_cast<typename To::value_type>(value));
    } else {
      cast = static_cast<To>(value);
    }
    std::memcpy(to, &cast, sizeof cast);
  }
}

template <typename From, typename To>
constexpr CastFunction Cast() {
  if constexpr (kRank<From> <= kRank<To>) {
    return CastRun<From, To>;
  } else {
    return nullptr;
  }
}

// Calls `use` with a value of the C++ type of `type`.
template <typename Use>
CastFunction WithNativeType(DataType type, Use use) {
  switch (type) {
    case DataType::PRED: return use(bool{});
    case DataType::S8: return use(std::int8_t{});
    case DataType::S16: return use(std::int16_t{});
    case DataType::S32: return use(std::int32_t{});
    case DataType::S64: return use(std::int64_t{});
    case DataType::U8: return use(std::uint8_t{});
    case DataType::U16: return use(std::uint16_t{});
    case DataType::U32: return use(std::uint32_t{});
    case DataType::U64: return use(std::uint64_t{});
    case DataType::F32: return use(float{});
    case DataType::F64: return use(double{});
    case DataType::C64: return use(std::complex<float>{});
    case DataType::C128: return use(std::complex<double>{});
    default: return nullptr;
  }
}

}  // namespace

CastFunction FindCast(DataType from, DataType to) {
  return WithNativeType(from, [to](auto from_value) {
    return WithNativeType(to, [](auto to_value) { return Cast<decltype(from_value), decltype(to_value)>(); });
  });
}

}  // namespace jaxscipy_ext
