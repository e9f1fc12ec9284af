// SPDX-License-Identifier: MIT
// The SAX side of nlohmann::json, with places, limits and non-finite tokens.
#include "point/json_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "point/json_faults.hpp"
#include "point/nonfinite.hpp"

namespace msgring::point {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxElementValues = 100'000;

// Walks a text and tells, through a pointer, how far the parser has read: its events have no place.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* consumed_;
};

// Builds one top-level member, or one element of a top-level array, at a time.
class Handler {
 public:
  Handler(const Source& source, const MaskedText& masked, const JsonEvents& events)
      : source_(source), masked_(masked), events_(events) {}

  std::size_t* consumed() { return &consumed_; }

  bool null() { return leaf({}, 4); }
  bool boolean(bool value) {
    JsonValue leaf_value;
    leaf_value.kind = JsonKind::kBoolean;
    leaf_value.text = value ? "true" : "false";
    return leaf(std::move(leaf_value), value ? 4 : 5);
  }
  bool number_integer(std::int64_t value) {
    return number(static_cast<double>(value), std::to_string(value));
  }
  bool number_unsigned(std::uint64_t value) {
    return number(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(double value, const std::string& spelling) { return number(value, spelling); }
  bool string(std::string& value) {
    JsonValue leaf_value;
    const bool masked = std::binary_search(masked_.ends.begin(), masked_.ends.end(), consumed_);
    leaf_value.kind = masked ? JsonKind::kNonFinite : JsonKind::kString;
    const std::size_t length = value.size() + 2;
    leaf_value.text =
        masked ? std::string(source_.text.substr(consumed_ - length, length)) : std::move(value);
    return leaf(std::move(leaf_value), length);
  }
  // nlohmann's parser never calls this: JSON text has no binary values.
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

  bool start_object(std::size_t /*size*/) { return open(JsonKind::kObject); }
  bool start_array(std::size_t /*size*/) { return open(JsonKind::kArray); }
  bool key(std::string& name) {
    if (std::binary_search(masked_.ends.begin(), masked_.ends.end(), consumed_)) {
      fail_at(source_, consumed_ - name.size() - 2, "a number where a key must stand");
    }
    if (at_top()) {
      top_key(name);
    } else {
      open_.back().members.push_back({std::move(name), {}});
    }
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) {
    fail_syntax(source_, position, error.what());
  }

 private:
  // Depth 1 is the file's object; a top-level array streams its elements from depth 2.
  bool at_top() const { return open_.empty() && started_ && !streaming_; }

  void top_key(const std::string& name) {
    if (std::find(top_keys_.begin(), top_keys_.end(), name) != top_keys_.end()) {
      fail_at(source_, consumed_ - name.size() - 2,
              fmt::format("the key \"{}\" stands twice", excerpt(name)),
              "keep one of them: which one counts is anybody's guess");
    }
    if (top_keys_.size() > kMaxTopKeys) {
      fail_at(source_, consumed_, "too many members for a Google Benchmark file");
    }
    top_keys_.push_back(name);
  }

  bool number(double value, std::string spelling) {
    JsonValue leaf_value;
    leaf_value.kind = JsonKind::kNumber;
    leaf_value.number = value;
    const std::size_t length = spelling.size() + 1;  // the parser has read one byte behind it
    leaf_value.text = std::move(spelling);
    return leaf(std::move(leaf_value), length);
  }

  bool leaf(JsonValue value, std::size_t length) {
    value.begin = consumed_ - std::min(length, consumed_);
    value.end = consumed_;
    count_value();
    return place(std::move(value));
  }

  void count_value() {
    if (++values_ > kMaxElementValues) {
      fail_at(source_, consumed_,
              fmt::format("one element with more than {} values", kMaxElementValues));
    }
  }

  bool open(JsonKind kind) {
    if (!started_) {
      if (kind == JsonKind::kArray) {
        fail_at(source_, consumed_ - 1, "the JSON is a list, not an object");
      }
      started_ = true;
      return true;
    }
    if (open_.size() + 2 > kMaxDepth) {
      fail_at(source_, consumed_ - 1, fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    if (kind == JsonKind::kArray && at_top()) {
      streaming_ = true;
      events_.array(top_keys_.back(), consumed_ - 1);
      return true;
    }
    count_value();
    JsonValue value;
    value.kind = kind;
    value.begin = consumed_ - 1;
    open_.push_back(std::move(value));
    return true;
  }

  bool close() {
    if (open_.empty()) {
      streaming_ = false;  // the top-level array, or the file's object itself
      return true;
    }
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    value.end = consumed_;
    fail_on_duplicate_key(source_, value);
    return place(std::move(value));
  }

  bool place(JsonValue value) {
    if (!open_.empty()) {
      JsonValue& parent = open_.back();
      if (parent.kind == JsonKind::kObject) {
        parent.members.back().value = std::move(value);
      } else {
        parent.items.push_back(std::move(value));
      }
      return true;
    }
    if (!started_) {
      fail_at(source_, value.begin,
              fmt::format("the JSON is {}, not an object", kind_text(value.kind)));
    }
    values_ = 0;
    const auto& event = streaming_ ? events_.element : events_.member;
    event(top_keys_.back(), value);
    return true;
  }

  static constexpr std::size_t kMaxTopKeys = 100;

  const Source& source_;
  const MaskedText& masked_;
  const JsonEvents& events_;
  std::size_t consumed_ = 0;
  std::size_t values_ = 0;
  bool started_ = false;
  bool streaming_ = false;
  std::vector<std::string> top_keys_;
  std::vector<JsonValue> open_;
};

}  // namespace

std::string_view kind_text(JsonKind kind) noexcept {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBoolean:
      return "a boolean";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kNonFinite:
      return "a number that is not finite";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "a list";
    case JsonKind::kObject:
      return "an object";
  }
  return "nothing";
}

const JsonValue* JsonValue::find(std::string_view key) const noexcept {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const auto& member) { return member.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

void read_json(const Source& source, const JsonEvents& events) {
  fail_unless_json_begins(source);
  const MaskedText masked = mask_nonfinite(source.text);
  Handler handler(source, masked, events);
  const char* begin = masked.text.data();
  const CountingIterator first(begin, handler.consumed());
  const CountingIterator last(begin + masked.text.size(), handler.consumed());
  nlohmann::json::sax_parse(first, last, &handler);
}

}  // namespace msgring::point
