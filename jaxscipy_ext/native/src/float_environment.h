#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace jaxscipy_ext {

// XLA runs host code with subnormals flushed to zero, and SciPy is then wrong far from the subnormal range
// (beta(97.06, 74.32) = 0 instead of 4.5e-52). While an object of this class lives, its thread computes in the
// C library's default environment; afterwards in the old one, status flags included.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

#if defined(__x86_64__) || defined(_M_X64)
  // XLA changes MXCSR only. fegetenv and two fesetenv would save the x87 unit as well and take 170 ns, half of what
  // a small call costs; this takes 6 ns.
  DefaultFloatEnvironment() : saved_(_mm_getcsr()) {
    _mm_setcsr(kDefaultMxcsr);
    ClearUpperHalves();
  }
  ~DefaultFloatEnvironment() { _mm_setcsr(saved_); }

 private:
  // XLA's AVX code leaves the registers' upper halves in use, and SciPy's SSE code is a tenth slower until they are
  // cleared. jaxlib itself needs AVX on x86-64, so the instruction is there.
  static void ClearUpperHalves() {
#if defined(_MSC_VER) && !defined(__clang__)
    _mm256_zeroupper();
#else
    __asm__ volatile("vzeroupper");
#endif
  }

  static constexpr unsigned kDefaultMxcsr = 0x1F80;  // all exceptions masked, round to nearest, keep subnormals
  const unsigned saved_;
#else
  DefaultFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
};

}  // namespace jaxscipy_ext
