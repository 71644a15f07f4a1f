#include "loop.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace jaxscipy_ext {
namespace {

struct Table {
  std::shared_mutex mutex;
  std::deque<Loop> loops;                                 // a deque never moves its elements
  std::unordered_map<std::string_view, const Loop*> ids;  // keys point into `loops`
};

// Leaked on purpose: a pool thread may still look up a loop while static objects are being destroyed at exit.
Table& GetTable() {
  static Table* const table = new Table;
  return *table;
}

std::atomic<LoopResolver> loop_resolver{nullptr};

const Loop* Lookup(std::string_view name) {
  Table& table = GetTable();
  std::shared_lock lock(table.mutex);
  const auto found = table.ids.find(name);
  return found == table.ids.end() ? nullptr : found->second;
}

}  // namespace

bool RegisterLoop(Loop loop) {
  Table& table = GetTable();
  std::unique_lock lock(table.mutex);
  if (const auto found = table.ids.find(loop.name); found != table.ids.end()) {
    return found->second->function == loop.function && found->second->data == loop.data;
  }
  const Loop& stored = table.loops.emplace_back(std::move(loop));
  table.ids.emplace(stored.name, &stored);
  return true;
}

const Loop* FindLoop(std::string_view name) {
  if (const Loop* loop = Lookup(name)) return loop;
  // No lock is held here: the resolver takes the GIL and calls RegisterLoop.
  const LoopResolver resolve = loop_resolver.load();
  if (resolve == nullptr || resolve(std::string(name).c_str()) == 0) return nullptr;
  return Lookup(name);
}

void SetLoopResolver(LoopResolver resolver) { loop_resolver.store(resolver); }

}  // namespace jaxscipy_ext
