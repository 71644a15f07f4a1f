#include "parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

#include "float_environment.h"

namespace jaxscipy_ext {
namespace {

using Clock = std::chrono::steady_clock;

// One element costs from 1 ns (xlogy) to 1 ms (spheroidal functions), so there is no fixed number of elements from
// which threads pay: the caller begins alone, doubling its blocks, and by the time kProbe has gone by it knows the
// cost. Waking a pool thread takes 5 to 50 us. On a busy machine the last share can be late by some milliseconds, a
// slice of the scheduler: no risk for a short call to take.
constexpr double kProbe = 20e-6;          // seconds
constexpr double kWorthSharing = 200e-6;  // seconds of remaining work per thread that is woken
constexpr double kShare = 100e-6;         // seconds per range that a thread takes at a time
constexpr std::int64_t kFirstBlock = 16;  // numbers

class SharedWork {
 public:
  SharedWork(std::int64_t begin, std::int64_t end, std::int64_t grain, const Plan& plan)
      : next_(begin), unfinished_(end - begin), end_(end), grain_(grain), plan_(&plan) {}

  // Takes ranges until none is left. After the last one is done `plan_` is never touched, so a task that the pool
  // starts late is harmless. An exception (out of memory) must leave neither a thread of XLA's nor the caller while
  // others are at work.
  void Work() noexcept {
    const DefaultFloatEnvironment environment;
    while (true) {
      const std::int64_t begin = next_.fetch_add(grain_);
      if (begin >= end_) return;
      const std::int64_t end = std::min(begin + grain_, end_);
      try {
        plan_->Run(begin, end);
      } catch (...) {
        failed_.store(true);
      }
      if (unfinished_.fetch_sub(end - begin) == end - begin) {
        std::lock_guard lock(mutex_);
        finished_.notify_all();
      }
    }
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return unfinished_.load() == 0; });
    if (failed_.load()) throw std::bad_alloc();
  }

 private:
  std::atomic<std::int64_t> next_;
  std::atomic<std::int64_t> unfinished_;
  std::atomic<bool> failed_{false};
  const std::int64_t end_;
  const std::int64_t grain_;
  const Plan* const plan_;
  std::mutex mutex_;
  std::condition_variable finished_;
};

}  // namespace

void ParallelFor(xla::ffi::ThreadPool& pool, const Plan& plan) {
  const DefaultFloatEnvironment environment;
  const std::int64_t size = plan.size();
  const std::int64_t first_block = std::max<std::int64_t>(1, kFirstBlock / plan.element_size());
  if (size <= first_block) return plan.Run(0, size);

  const auto start = Clock::now();
  double elapsed = 0;
  std::int64_t done = 0;
  for (std::int64_t block = first_block; done < size && elapsed < kProbe; block *= 2) {
    const std::int64_t end = std::min(done + block, size);
    plan.Run(done, end);
    done = end;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  if (done == size) return;

  const double cost = elapsed / static_cast<double>(done);
  const double remaining = cost * static_cast<double>(size - done);
  const std::int64_t helpers =
      std::min<std::int64_t>(pool.num_threads() - 1, static_cast<std::int64_t>(remaining / kWorthSharing));
  if (helpers < 1) return plan.Run(done, size);

  const auto grain =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(kShare / cost), 1, (size - done) / (helpers + 1) + 1);
  const auto work = std::make_shared<SharedWork>(done, size, grain, plan);
  for (std::int64_t i = 0; i < helpers; ++i) pool.Schedule([work] { work->Work(); });
  work->Work();
  work->Wait();
}

}  // namespace jaxscipy_ext
