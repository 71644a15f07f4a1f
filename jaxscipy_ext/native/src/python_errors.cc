#include "python_errors.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

namespace jaxscipy_ext {
namespace {

PythonApi python{};
bool has_python = false;
std::atomic<int (*)(int)> scipy_action{nullptr};

// Index of the word in a Python thread state that is non-null while an exception is pending (`curexc_type` of 3.11,
// `current_exception` since 3.12). The struct is opaque, so the place is found by setting an exception and looking;
// kUnknown means that the GIL must be taken to ask.
constexpr std::size_t kSearchedWords = 40;
constexpr std::size_t kUnknown = kSearchedWords;
std::size_t exception_word = kUnknown;

using Words = std::array<void*, kSearchedWords>;

Words ReadThreadState(const void* thread_state) {
  Words words;
  std::memcpy(words.data(), thread_state, sizeof words);
  return words;
}

std::size_t FindExceptionWord(void* exception_class) {
  const void* const thread_state = python.thread_state_of_this_thread();
  if (thread_state == nullptr || python.occurred() != nullptr) return kUnknown;
  const Words before = ReadThreadState(thread_state);
  python.set_none(exception_class);
  const Words during = ReadThreadState(thread_state);
  python.clear();
  const Words after = ReadThreadState(thread_state);
  for (std::size_t i = 0; i < kSearchedWords; ++i) {
    if (before[i] == nullptr && during[i] != nullptr && after[i] == nullptr) return i;
  }
  return kUnknown;
}

bool MayBePending(const void* thread_state) {
  if (exception_word == kUnknown) return true;
  void* word;
  std::memcpy(&word, static_cast<const char*>(thread_state) + exception_word * sizeof word, sizeof word);
  return word != nullptr;
}

}  // namespace

void SetPythonApi(const PythonApi& api, void* exception_class) {
  python = api;
  exception_word = FindExceptionWord(exception_class);
  has_python = true;
}

void SetSciPyErrorActions(int (*action)(int code)) { scipy_action.store(action); }

bool SciPyReportsErrors() {
  const auto action = scipy_action.load();
  if (action == nullptr) return false;
  // sf_error_t: 1 (singular) to 9 (other). 10 is "no memory", which raises by default and is not a value's fault.
  for (int code = 1; code <= 9; ++code) {
    if (action(code) != 0) return true;
  }
  return false;
}

PythonThread::PythonThread(bool hold) : holds_(hold && has_python) {
  if (holds_) state_ = python.ensure();
}

PythonThread::~PythonThread() {
  if (holds_) python.release(state_);
}

std::string TakePendingException() {
  if (!has_python) return {};
  const void* const thread_state = python.thread_state_of_this_thread();
  if (thread_state == nullptr || !MayBePending(thread_state)) return {};
  const PythonThread hold(true);
  if (python.occurred() == nullptr) return {};
  void* type;
  void* value;
  void* traceback;
  python.fetch(&type, &value, &traceback);
  std::string message;
  if (void* const text = python.to_string(value != nullptr ? value : type)) {
    if (const char* const utf8 = python.utf8(text)) message = utf8;
    python.decrease_reference(text);
  }
  python.clear();  // in case that `to_string` or `utf8` failed
  for (void* const object : {type, value, traceback}) {
    if (object != nullptr) python.decrease_reference(object);
  }
  if (message.find("(memory allocation failed)") != std::string::npos) return {};
  return message.empty() ? "a Python exception without a text" : message;
}

}  // namespace jaxscipy_ext
