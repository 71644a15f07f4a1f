// Python exceptions that a loop left behind, seen without linking to libpython: the loader hands over the addresses
// of the few functions that are needed, so that one library serves every version of Python.
#pragma once

#include <string>

namespace jaxscipy_ext {

// Addresses of functions of Python's C API, in the order of kPythonFunctions in jaxscipy_ext/runtime/native_library.py.
struct PythonApi {
  void* (*thread_state_of_this_thread)();  // PyGILState_GetThisThreadState, may be called without the GIL
  int (*ensure)();                         // PyGILState_Ensure
  void (*release)(int);                    // PyGILState_Release
  void* (*occurred)();                     // PyErr_Occurred
  void (*fetch)(void** type, void** value, void** traceback);  // PyErr_Fetch
  void (*clear)();                                             // PyErr_Clear
  void (*set_none)(void* type);                                // PyErr_SetNone
  void* (*to_string)(void* object);                            // PyObject_Str
  const char* (*utf8)(void* string);                           // PyUnicode_AsUTF8
  void (*decrease_reference)(void* object);                    // Py_DecRef
};

// Learns how to see a pending exception without the GIL. Call it with the GIL held and an exception class.
void SetPythonApi(const PythonApi& api, void* exception_class);

// SciPy < 1.17 keeps its error actions for the whole process and tells them: int action(int code).
void SetSciPyErrorActions(int (*action)(int code));

// True where SciPy, on any thread, would warn or raise instead of ignoring an error.
bool SciPyReportsErrors();

// Holds the GIL while it lives, if `hold`, so that an exception that a loop sets stays where it can be found.
class PythonThread {
 public:
  explicit PythonThread(bool hold);
  ~PythonThread();
  PythonThread(const PythonThread&) = delete;
  PythonThread& operator=(const PythonThread&) = delete;

 private:
  bool holds_;
  int state_ = 0;
};

// Takes away the exception that is pending on this thread and returns its text; empty if there is none, or if it is
// the one that SciPy raises without being asked to: "memory allocation failed", after which the result is NaN (as for
// pbdv(inf, 1)). An exception left behind would turn into a SystemError somewhere else.
std::string TakePendingException();

}  // namespace jaxscipy_ext
