// Runs the loop table, the plan and the work sharing from many threads, without Python and XLA. In a build with a
// sanitizer everything here is instrumented, the thread pool included; under XLA's own pool ThreadSanitizer cannot see
// how work is handed over and reports races that are none.

#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "loop.h"
#include "parallel.h"
#include "plan.h"
#include "xla/ffi/api/ffi.h"

namespace jaxscipy_ext {
namespace {

namespace ffi = xla::ffi;

// What XLA's pool is to the handler. Without threads it only collects tasks, as in a forked child.
class Pool {
 public:
  explicit Pool(int num_threads) : claimed_threads_(num_threads == 0 ? 8 : num_threads) {
    for (int i = 0; i < num_threads; ++i) threads_.emplace_back([this] { Work(); });
  }

  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    // Tasks that nobody took run after the call that they belong to is over.
    for (const XLA_FFI_ThreadPool_Schedule_Args& task : tasks_) task.task(task.data);
  }

  static XLA_FFI_Error* Schedule(XLA_FFI_ThreadPool_Schedule_Args* args) {
    Pool* const pool = reinterpret_cast<Pool*>(args->ctx);
    {
      std::lock_guard lock(pool->mutex_);
      pool->tasks_.push_back(*args);
    }
    pool->ready_.notify_one();
    return nullptr;
  }

  static XLA_FFI_Error* NumThreads(XLA_FFI_ThreadPool_NumThreads_Args* args) {
    *args->num_threads = reinterpret_cast<Pool*>(args->ctx)->claimed_threads_;
    return nullptr;
  }

 private:
  void Work() {
    while (true) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const XLA_FFI_ThreadPool_Schedule_Args task = tasks_.front();
      tasks_.pop_front();
      lock.unlock();
      task.task(task.data);
    }
  }

  const int claimed_threads_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<XLA_FFI_ThreadPool_Schedule_Args> tasks_;
  std::vector<std::thread> threads_;
  bool closing_ = false;
};

// y = x + 1, slow enough to be worth sharing. Counts evaluations in y, which starts at zero: a second one would show.
void SlowIncrement(char** operands, const std::ptrdiff_t* sizes, const std::ptrdiff_t* strides, void*) {
  for (std::ptrdiff_t i = 0; i < sizes[0]; ++i) {
    const double x = *reinterpret_cast<const double*>(operands[0] + i * strides[0]);
    double& y = *reinterpret_cast<double*>(operands[1] + i * strides[1]);
    volatile double burn = x;
    for (int k = 0; k < 100; ++k) burn = burn * 1.0;
    y += x + 1;
  }
}

void Fail(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(1);
}

void CallOnce(Pool& pool, const Loop& loop, std::int64_t size) {
  XLA_FFI_Api api{};
  api.XLA_FFI_ThreadPool_Schedule = Pool::Schedule;
  api.XLA_FFI_ThreadPool_NumThreads = Pool::NumThreads;
  ffi::DiagnosticEngine diagnostic;
  auto context = reinterpret_cast<XLA_FFI_ExecutionContext*>(&pool);
  ffi::ThreadPool threads = *ffi::CtxDecoding<ffi::ThreadPool>::Decode(&api, context, diagnostic);

  std::vector<double> x(size);
  std::vector<double> y(size, 0.0);
  for (std::int64_t i = 0; i < size; ++i) x[i] = static_cast<double>(i);
  std::array<Operand, kMaxOperands> operands;
  operands[0] = {reinterpret_cast<char*>(x.data()), ffi::F64, {&size, 1}};
  operands[1] = {reinterpret_cast<char*>(y.data()), ffi::F64, {&size, 1}};
  Plan plan;
  if (const std::string fault = plan.Build(loop, operands); !fault.empty()) Fail(fault);
  ParallelFor(threads, plan);
  for (std::int64_t i = 0; i < size; ++i) {
    if (y[i] != x[i] + 1) Fail("element " + std::to_string(i) + " of " + std::to_string(size) + " is wrong");
  }
}

void CallFromManyThreads(Pool& pool) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&pool, caller] {
      for (int round = 0; round < 20; ++round) {
        Loop loop;
        loop.name = "stress." + std::to_string(round) + ":d->d";
        loop.function = SlowIncrement;
        loop.num_inputs = loop.num_outputs = 1;
        loop.types[0] = loop.types[1] = ffi::F64;
        const std::string name = loop.name;
        if (!RegisterLoop(loop)) Fail("the same loop is refused");
        CallOnce(pool, *FindLoop(name), 1 + (caller + 8 * round) * 97 % 20'000);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace jaxscipy_ext

int main() {
  for (const int num_threads : {0, 1, 4}) {
    jaxscipy_ext::Pool pool(num_threads);
    jaxscipy_ext::CallFromManyThreads(pool);
  }
  std::puts("ok");
}
