// clustersize.hpp: libclustersize for C++11 and later. Header-only; link with libclustersize.
//
// RULES THAT HOLD FOR EVERY CLASS
//
// Nothing is computed or decided here: each member is the C function of the same object and verb,
// whose rules, units and ranges stand in clustersize.h.
//
// Handles. csz::context, catalog, workload, cluster, plan, goal, estimate, ranking and calibration
// own their handle, can be moved and not copied; workload, cluster, plan and goal have copy().
// raw() is the C handle, for calls that are not here; it stays owned. A handle that was moved from
// holds NULL: the library refuses calls on it with CSZ_ERR_ARGUMENT.
//
// Views. csz::plan_view, estimate_view and all ranges point into a ranking, an estimate or a
// catalog: they live until its next change. Keep a plan of a ranking by csz::plan(view).
//
// Errors. A status other than CSZ_OK is thrown as csz::error, with status, field and message; out
// of memory as csz::error with CSZ_ERR_NO_MEMORY. A value of a wrong type does not compile. A
// failed call changes nothing, except as clustersize.h says of compute, select and size.
//
// Text in is a std::string or a literal. Everything here was added in 0.1.0.
#ifndef CLUSTERSIZE_HPP
#define CLUSTERSIZE_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <clustersize/clustersize.h>

namespace csz
{

// What a failed call says. what() is the library's message; where a const call fails, which has
// none, the name of the status and of the field or call.
class error : public std::runtime_error
{
  public:
    error(csz_status status, csz_field field, const std::string &message)
        : std::runtime_error(message), status_(status), field_(field)
    {
    }
    csz_status status() const noexcept
    {
        return status_;
    }
    // CSZ_FIELD_NONE when it is about none.
    csz_field field() const noexcept
    {
        return field_;
    }
    // "tensor_parallel"; "" when it is about none. Static text.
    const char *field_name() const noexcept
    {
        const char *name = csz_field_name(field_);
        return name != nullptr ? name : "";
    }
    const char *message() const noexcept
    {
        return what();
    }

  private:
    csz_status status_;
    csz_field field_;
};

// low, likely and high: an 80% band, three equal values where the figure is exact.
struct range {
    double low;
    double likely;
    double high;
};

namespace detail
{

[[noreturn]] inline void raise(csz_status status, csz_field field, const std::string &message)
{
    std::string text = message;

    if (status == CSZ_ERR_FIELD && csz_version_number() < CSZ_VERSION_NUMBER)
        text += std::string(": the library is ") + csz_version_string() +
                ", older than the header, " CSZ_VERSION_STRING;
    throw error(status, field, text);
}

// For a call that leaves no message: about says what it was.
[[noreturn]] inline void raise_plain(csz_status status, csz_field field, const char *about)
{
    raise(status, field, std::string(csz_status_name(status)) + ": " + about);
}

inline void check(csz_status status, const char *about)
{
    if (status != CSZ_OK)
        raise_plain(status, CSZ_FIELD_NONE, about);
}

inline void check(csz_status status, csz_field field)
{
    const char *name = csz_field_name(field);

    if (status != CSZ_OK)
        raise_plain(status, field, name != nullptr ? name : "no such field");
}

// For a call on a handle whose message getter is given.
template <typename Handle>
void check(csz_status status, const Handle *handle,
           const char *(*message)(const Handle *, csz_field *))
{
    csz_field field = CSZ_FIELD_NONE;

    if (status == CSZ_OK)
        return;
    const char *text = message(handle, &field);
    if (text[0] == '\0')
        raise_plain(status, field, "no handle: moved from");
    raise(status, field, text);
}

// Text out: write(text, capacity) returns the full length.
template <typename Write>
std::string read_text(Write write, std::size_t expected)
{
    std::string text(expected, '\0');
    std::size_t length = write(&text[0], text.size() + 1);

    if (length > text.size()) {
        text.resize(length);
        length = write(&text[0], text.size() + 1);
    }
    text.resize(length);
    return text;
}

// An integer beyond int64_t goes as a double, so that the library refuses it with its bounds.
template <typename T>
bool beyond_i64(T value)
{
    return std::is_unsigned<T>::value &&
           static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(INT64_MAX);
}

template <typename Handle, void (*Free)(Handle *)>
struct deleter {
    void operator()(Handle *handle) const noexcept
    {
        Free(handle);
    }
};

// The owner of one handle.
template <typename Handle, void (*Free)(Handle *)>
class owner
{
  public:
    // The C handle; still owned by this object.
    Handle *raw() noexcept
    {
        return handle_.get();
    }
    const Handle *raw() const noexcept
    {
        return handle_.get();
    }

  protected:
    explicit owner(Handle *handle) : handle_(handle)
    {
        if (handle == nullptr)
            raise(CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    }
    owner(owner &&) = default;
    owner &operator=(owner &&) = default;
    ~owner() = default;

  private:
    std::unique_ptr<Handle, deleter<Handle, Free>> handle_;
};

// Whatever has size() and operator[] by value, for range-for. The sequence is a small view, which
// the iterator copies.
template <typename Sequence, typename Value>
class iterator
{
  public:
    typedef std::input_iterator_tag iterator_category;
    typedef Value value_type;
    typedef std::ptrdiff_t difference_type;
    typedef void pointer;
    typedef Value reference;

    iterator(const Sequence &sequence, std::size_t index) : sequence_(sequence), index_(index)
    {
    }
    Value operator*() const
    {
        return sequence_[index_];
    }
    iterator &operator++()
    {
        ++index_;
        return *this;
    }
    iterator operator++(int)
    {
        iterator before = *this;
        ++index_;
        return before;
    }
    bool operator==(const iterator &other) const
    {
        return index_ == other.index_;
    }
    bool operator!=(const iterator &other) const
    {
        return index_ != other.index_;
    }

  private:
    Sequence sequence_;
    std::size_t index_;
};

template <typename Self, typename Value>
class sequence
{
  public:
    typedef detail::iterator<Self, Value> iterator;

    iterator begin() const
    {
        return iterator(self(), 0);
    }
    iterator end() const
    {
        return iterator(self(), self().size());
    }
    bool empty() const
    {
        return self().size() == 0;
    }

  private:
    const Self &self() const
    {
        return static_cast<const Self &>(*this);
    }
};

// get<T> of anything that has read(field, int64_t *), read(field, double *) and text(field): T is
// std::int64_t, double, bool, std::string or an enumeration of the choice (get<csz_fit>).
template <typename Self>
class getters
{
  public:
    template <typename T>
    T get(csz_field field) const
    {
        static_assert(std::is_same<T, std::int64_t>::value || std::is_same<T, double>::value ||
                          std::is_same<T, bool>::value || std::is_same<T, std::string>::value ||
                          std::is_enum<T>::value,
                      "int64_t, double, bool, std::string or an enumeration");
        return get(field, static_cast<T *>(nullptr));
    }

  private:
    const Self &self() const
    {
        return static_cast<const Self &>(*this);
    }
    double get(csz_field field, double *) const
    {
        double value = 0;
        check(self().read(field, &value), field);
        return value;
    }
    std::string get(csz_field field, std::string *) const
    {
        return self().text(field);
    }
    bool get(csz_field field, bool *) const
    {
        return get<std::int64_t>(field) != 0;
    }
    template <typename T>
    T get(csz_field field, T *) const
    {
        std::int64_t value = 0;
        check(self().read(field, &value), field);
        return static_cast<T>(value);
    }
};

} // namespace detail

// ---- Names, units, one-line questions ----

// The version of the library in use, which may be newer than the header.
inline std::string version()
{
    return csz_version_string();
}

// The answer to csz_question_answer, one JSON object; errors are in it and not thrown.
inline std::string answer(const std::string &question)
{
    return detail::read_text(
        [&](char *text, std::size_t capacity) {
            return csz_question_answer(question.c_str(), text, capacity);
        },
        65535);
}

// CSZ_FIELD_NONE when there is none of that name, alias or list form.
inline csz_field field(const std::string &name)
{
    return csz_field_by_name(name.c_str());
}

// The row of the field table as a JSON object.
inline std::string field_to_json(csz_field field)
{
    return detail::read_text(
        [&](char *text, std::size_t capacity) { return csz_field_to_json(field, text, capacity); },
        1023);
}

// Every field of every object: for (csz_field field : csz::fields()).
class fields : public detail::sequence<fields, csz_field>
{
  public:
    std::size_t size() const
    {
        return csz_field_count();
    }
    csz_field operator[](std::size_t index) const
    {
        return csz_field_at(index);
    }
};

// "14d" to seconds and the like.
inline double parse(csz_unit unit, const std::string &text)
{
    double value = 0;

    detail::check(csz_unit_parse(unit, text.c_str(), &value), "csz_unit_parse");
    return value;
}

inline std::string format(csz_unit unit, double value)
{
    return detail::read_text(
        [&](char *text, std::size_t capacity) {
            return csz_unit_format(unit, value, text, capacity);
        },
        63);
}

// ---- Context and catalog ----

// An allocator for the handles made with it; fn and user must outlive them.
class context : public detail::owner<csz_context, csz_context_free>
{
  public:
    context(csz_realloc_fn fn, void *user) : owner(csz_context_new(fn, user))
    {
    }
};

class catalog : public detail::owner<csz_catalog, csz_catalog_free>
{
  public:
    catalog() : owner(csz_catalog_new(nullptr))
    {
    }
    explicit catalog(const context &from) : owner(csz_catalog_new(from.raw()))
    {
    }
    void load(const std::string &json)
    {
        detail::check(csz_catalog_load(raw(), json.data(), json.size()), raw(), csz_catalog_error);
    }
    std::size_t count(csz_kind kind) const
    {
        return csz_catalog_count(raw(), kind);
    }
    // "" beyond the end.
    std::string id_at(csz_kind kind, std::size_t index) const
    {
        const char *id = csz_catalog_id_at(raw(), kind, index);
        return id != nullptr ? id : "";
    }
    std::size_t find(csz_kind kind, const std::string &name) const
    {
        std::size_t index = 0;

        detail::check(csz_catalog_find(raw(), kind, name.c_str(), &index), "csz_catalog_find");
        return index;
    }
    // Indices of the entries that meet the conditions, in ascending order of a figure.
    std::vector<std::size_t> query(csz_kind kind, const std::string &conditions,
                                   csz_field by = CSZ_FIELD_NONE) const
    {
        std::vector<std::size_t> indices(count(kind));
        std::size_t found = 0;

        detail::check(csz_catalog_query(raw(), kind, conditions.c_str(), by, indices.data(),
                                        indices.size(), &found),
                      "csz_catalog_query");
        indices.resize(found);
        return indices;
    }
    double get_f64(std::size_t index, csz_field field) const
    {
        double value = 0;
        detail::check(csz_catalog_get_f64(raw(), index, field, &value), field);
        return value;
    }
    std::string get_text(std::size_t index, csz_field field) const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_catalog_get_text(raw(), index, field, text, capacity);
            },
            127);
    }
    std::string source(csz_kind kind, std::size_t index) const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_catalog_source(raw(), kind, index, text, capacity);
            },
            255);
    }
    std::string to_json() const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_catalog_to_json(raw(), text, capacity);
            },
            65535);
    }
};

// ---- Inputs ----

namespace detail
{

// The C functions of an input, so that the four classes are written once.
template <typename Handle>
struct calls;

#define CSZ_DETAIL_CALLS(object)                                                                   \
    template <>                                                                                    \
    struct calls<csz_##object> {                                                                   \
        static csz_##object *make(const csz_context *from)                                         \
        {                                                                                          \
            return csz_##object##_new(from);                                                       \
        }                                                                                          \
        static void free(csz_##object *handle)                                                     \
        {                                                                                          \
            csz_##object##_free(handle);                                                           \
        }                                                                                          \
        static csz_status copy(csz_##object *to, const csz_##object *from)                         \
        {                                                                                          \
            return csz_##object##_copy(to, from);                                                  \
        }                                                                                          \
        static csz_status set(csz_##object *to, csz_field field, std::int64_t value)               \
        {                                                                                          \
            return csz_##object##_set_i64(to, field, value);                                       \
        }                                                                                          \
        static csz_status set(csz_##object *to, csz_field field, double value)                     \
        {                                                                                          \
            return csz_##object##_set_f64(to, field, value);                                       \
        }                                                                                          \
        static csz_status unset(csz_##object *from, csz_field field)                               \
        {                                                                                          \
            return csz_##object##_unset(from, field);                                              \
        }                                                                                          \
        static csz_status read(const csz_##object *from, csz_field field, std::int64_t *value)     \
        {                                                                                          \
            return csz_##object##_get_i64(from, field, value);                                     \
        }                                                                                          \
        static csz_status read(const csz_##object *from, csz_field field, double *value)           \
        {                                                                                          \
            return csz_##object##_get_f64(from, field, value);                                     \
        }                                                                                          \
        static std::size_t text(const csz_##object *from, csz_field field, char *text,             \
                                std::size_t capacity)                                              \
        {                                                                                          \
            return csz_##object##_get_text(from, field, text, capacity);                           \
        }                                                                                          \
        static bool is_set(const csz_##object *from, csz_field field)                              \
        {                                                                                          \
            return csz_##object##_is_set(from, field) != 0;                                        \
        }                                                                                          \
        static std::size_t to_json(const csz_##object *from, char *text, std::size_t capacity)     \
        {                                                                                          \
            return csz_##object##_to_json(from, text, capacity);                                   \
        }                                                                                          \
        static const char *message(const csz_##object *from, csz_field *field)                     \
        {                                                                                          \
            return csz_##object##_error(from, field);                                              \
        }                                                                                          \
    };
CSZ_DETAIL_CALLS(workload)
CSZ_DETAIL_CALLS(cluster)
CSZ_DETAIL_CALLS(plan)
CSZ_DETAIL_CALLS(goal)
#undef CSZ_DETAIL_CALLS

// What can be read of an input. get<T>(field) comes from getters.
template <typename Self, typename Handle>
class readable : public getters<Self>
{
  public:
    bool is_set(csz_field field) const
    {
        return calls<Handle>::is_set(handle(), field);
    }
    // The fields that are set.
    std::string to_json() const
    {
        return read_text(
            [&](char *text, std::size_t capacity) {
                return calls<Handle>::to_json(handle(), text, capacity);
            },
            1023);
    }

  private:
    friend class getters<Self>;
    const Handle *handle() const
    {
        return static_cast<const Self &>(*this).raw();
    }
    template <typename T>
    csz_status read(csz_field field, T *value) const
    {
        return calls<Handle>::read(handle(), field, value);
    }
    std::string text(csz_field field) const
    {
        return read_text(
            [&](char *text, std::size_t capacity) {
                return calls<Handle>::text(handle(), field, text, capacity);
            },
            127);
    }
};

// An input that is owned: what can be changed of it.
template <typename Self, typename Handle>
class input : public owner<Handle, calls<Handle>::free>, public readable<Self, Handle>
{
  public:
    // An integer, a number, yes or no, or an enumerator of the choice.
    template <typename T>
    typename std::enable_if<std::is_arithmetic<T>::value || std::is_enum<T>::value, Self &>::type
    set(csz_field field, T value)
    {
        return done(assign(field, value, std::is_integral<T>(), std::is_enum<T>()));
    }
    Self &unset(csz_field field)
    {
        return done(calls<Handle>::unset(this->raw(), field));
    }
    Self copy() const
    {
        Self other;
        check(calls<Handle>::copy(other.raw(), this->raw()), other.raw(), calls<Handle>::message);
        return other;
    }

  protected:
    explicit input(const csz_context *from)
        : owner<Handle, calls<Handle>::free>(calls<Handle>::make(from))
    {
    }
    Self &done(csz_status status)
    {
        check(status, static_cast<const Handle *>(this->raw()), calls<Handle>::message);
        return static_cast<Self &>(*this);
    }

  private:
    template <typename T>
    csz_status assign(csz_field field, T value, std::true_type, std::false_type)
    {
        return beyond_i64(value)
                   ? calls<Handle>::set(this->raw(), field, static_cast<double>(value))
                   : calls<Handle>::set(this->raw(), field, static_cast<std::int64_t>(value));
    }
    template <typename T>
    csz_status assign(csz_field field, T value, std::false_type, std::true_type)
    {
        return calls<Handle>::set(this->raw(), field, static_cast<std::int64_t>(value));
    }
    template <typename T>
    csz_status assign(csz_field field, T value, std::false_type, std::false_type)
    {
        return calls<Handle>::set(this->raw(), field, static_cast<double>(value));
    }
};

} // namespace detail

// The model and the job.
class workload : public detail::input<workload, csz_workload>
{
  public:
    workload() : input(nullptr)
    {
    }
    explicit workload(const context &from) : input(from.raw())
    {
    }
    explicit workload(const std::string &text) : input(nullptr)
    {
        set(text);
    }
    using input::set;
    // "name=value name=value ...", ids looked up in the built-in facts or in a catalog.
    workload &set(const std::string &text)
    {
        return done(csz_workload_set(raw(), nullptr, text.c_str()));
    }
    workload &set(const std::string &text, const catalog &ids)
    {
        return done(csz_workload_set(raw(), ids.raw(), text.c_str()));
    }
    workload &load(csz_source source, const std::string &text)
    {
        return done(csz_workload_load(raw(), nullptr, source, text.data(), text.size()));
    }
    workload &load(csz_source source, const std::string &text, const catalog &ids)
    {
        return done(csz_workload_load(raw(), ids.raw(), source, text.data(), text.size()));
    }
    // An element of a list field.
    workload &set_at(csz_field field, std::size_t index, double value)
    {
        return done(csz_workload_set_f64_at(raw(), field, index, value));
    }
    double get_at(csz_field field, std::size_t index) const
    {
        double value = 0;
        detail::check(csz_workload_get_f64_at(raw(), field, index, &value), field);
        return value;
    }
    std::size_t count(csz_field field) const
    {
        return csz_workload_count(raw(), field);
    }
};

class calibration;

// The machines.
class cluster : public detail::input<cluster, csz_cluster>
{
  public:
    cluster() : input(nullptr)
    {
    }
    explicit cluster(const context &from) : input(from.raw())
    {
    }
    explicit cluster(const std::string &text) : input(nullptr)
    {
        set(text);
    }
    using input::set;
    cluster &set(const std::string &text)
    {
        return done(csz_cluster_set(raw(), nullptr, text.c_str()));
    }
    cluster &set(const std::string &text, const catalog &ids)
    {
        return done(csz_cluster_set(raw(), ids.raw(), text.c_str()));
    }
    cluster &load(csz_source source, const std::string &text)
    {
        return done(csz_cluster_load(raw(), nullptr, source, text.data(), text.size()));
    }
    cluster &load(csz_source source, const std::string &text, const catalog &ids)
    {
        return done(csz_cluster_load(raw(), ids.raw(), source, text.data(), text.size()));
    }
    cluster &calibrate(calibration &measured);
};

// A plan inside a ranking.
class plan_view : public detail::readable<plan_view, csz_plan>
{
  public:
    explicit plan_view(const csz_plan *plan) : plan_(plan)
    {
    }
    const csz_plan *raw() const noexcept
    {
        return plan_;
    }

  private:
    const csz_plan *plan_;
};

// Degrees, sharding, micro-batch, recomputation, schedule, stack.
class plan : public detail::input<plan, csz_plan>
{
  public:
    plan() : input(nullptr)
    {
    }
    explicit plan(const context &from) : input(from.raw())
    {
    }
    explicit plan(const std::string &text) : input(nullptr)
    {
        set(text);
    }
    // A plan of a ranking, to keep.
    explicit plan(const plan_view &view) : input(nullptr)
    {
        done(csz_plan_copy(raw(), view.raw()));
    }
    using input::set;
    plan &set(const std::string &text)
    {
        return done(csz_plan_set(raw(), text.c_str()));
    }
    plan &load(csz_source source, const std::string &text)
    {
        return done(csz_plan_load(raw(), source, text.data(), text.size()));
    }
};

// Objective, deadline, budget, limits on plans.
class goal : public detail::input<goal, csz_goal>
{
  public:
    goal() : input(nullptr)
    {
    }
    explicit goal(const context &from) : input(from.raw())
    {
    }
    explicit goal(const std::string &text) : input(nullptr)
    {
        set(text);
    }
    using input::set;
    goal &set(const std::string &text)
    {
        return done(csz_goal_set(raw(), text.c_str()));
    }
    goal &load(csz_source source, const std::string &text)
    {
        return done(csz_goal_load(raw(), source, text.data(), text.size()));
    }
    goal &limit(csz_field plan_field, double lowest, double highest)
    {
        return done(csz_goal_limit(raw(), plan_field, lowest, highest));
    }
    goal &stack(const std::string &id)
    {
        return done(csz_goal_stack(raw(), id.c_str()));
    }
    goal &any_stack()
    {
        return done(csz_goal_stack(raw(), nullptr));
    }
};

// ---- Estimate ----

// One pipeline stage of an estimate (or one of its operations).
class stage
{
  public:
    stage(const csz_estimate *estimate, std::size_t index) : estimate_(estimate), index_(index)
    {
    }
    std::size_t index() const noexcept
    {
        return index_;
    }
    double operator[](csz_field field) const
    {
        double value = 0;
        detail::check(csz_estimate_get_f64_at(estimate_, field, index_, &value), field);
        return value;
    }

  private:
    const csz_estimate *estimate_;
    std::size_t index_;
};

// The elements of the list that a field belongs to.
class stages : public detail::sequence<stages, stage>
{
  public:
    stages(const csz_estimate *estimate, csz_field field) : estimate_(estimate), field_(field)
    {
    }
    std::size_t size() const
    {
        return csz_estimate_count(estimate_, field_);
    }
    stage operator[](std::size_t index) const
    {
        return stage(estimate_, index);
    }

  private:
    const csz_estimate *estimate_;
    csz_field field_;
};

// What was assumed or widens the band.
struct note {
    csz_note code;
    const char *text() const
    {
        return csz_note_text(code);
    }
};

class notes : public detail::sequence<notes, note>
{
  public:
    explicit notes(const csz_estimate *estimate) : estimate_(estimate), size_(0)
    {
        while (csz_estimate_note_at(estimate, size_) != CSZ_NOTE_NONE)
            ++size_;
    }
    std::size_t size() const
    {
        return size_;
    }
    note operator[](std::size_t index) const
    {
        note at = {csz_estimate_note_at(estimate_, index)};
        return at;
    }

  private:
    const csz_estimate *estimate_;
    std::size_t size_;
};

namespace detail
{

template <typename Self>
class figures : public getters<Self>
{
  public:
    csz::range range(csz_field field) const
    {
        csz::range value = {0, 0, 0};
        check(csz_estimate_get_range(handle(), field, &value.low, &value.likely, &value.high),
              field);
        return value;
    }
    // values[i] of fields[i]; values must have room for count of them.
    void get_many(const csz_field *fields, std::size_t count, double *values) const
    {
        check(csz_estimate_get_many(handle(), fields, count, values), "csz_estimate_get_many");
    }
    std::vector<double> get_many(const std::vector<csz_field> &fields) const
    {
        std::vector<double> values(fields.size());
        get_many(fields.data(), fields.size(), values.data());
        return values;
    }
    std::size_t count(csz_field field) const
    {
        return csz_estimate_count(handle(), field);
    }
    csz::stages stages() const
    {
        return csz::stages(handle(), CSZ_ESTIMATE_STAGE_TOTAL);
    }
    // The main operations: fields CSZ_ESTIMATE_KERNEL_....
    csz::stages kernels() const
    {
        return csz::stages(handle(), CSZ_ESTIMATE_KERNEL_TIME);
    }
    csz::notes notes() const
    {
        return csz::notes(handle());
    }
    csz_reason reason() const
    {
        return csz_estimate_reason(handle());
    }
    std::string to_json() const
    {
        return read_text(
            [&](char *text, std::size_t capacity) {
                return csz_estimate_to_json(handle(), text, capacity);
            },
            16383);
    }

  private:
    friend class getters<Self>;
    const csz_estimate *handle() const
    {
        return static_cast<const Self &>(*this).raw();
    }
    csz_status read(csz_field field, double *value) const
    {
        return csz_estimate_get_f64(handle(), field, value);
    }
    csz_status read(csz_field field, std::int64_t *value) const
    {
        return csz_estimate_get_i64(handle(), field, value);
    }
    std::string text(csz_field field) const
    {
        return read_text(
            [&](char *text, std::size_t capacity) {
                return csz_estimate_get_text(handle(), field, text, capacity);
            },
            127);
    }
};

} // namespace detail

// An estimate inside a ranking.
class estimate_view : public detail::figures<estimate_view>
{
  public:
    explicit estimate_view(const csz_estimate *estimate) : estimate_(estimate)
    {
    }
    const csz_estimate *raw() const noexcept
    {
        return estimate_;
    }

  private:
    const csz_estimate *estimate_;
};

// What follows from workload, cluster and plan.
class estimate : public detail::owner<csz_estimate, csz_estimate_free>,
                 public detail::figures<estimate>
{
  public:
    estimate() : owner(csz_estimate_new(nullptr))
    {
    }
    explicit estimate(const context &from) : owner(csz_estimate_new(from.raw()))
    {
    }
    estimate(const workload &job, const cluster &machines, const plan &how,
             csz_depth depth = CSZ_DEPTH_RUN)
        : owner(csz_estimate_new(nullptr))
    {
        compute(job, machines, how, depth);
    }
    // Room for that many pipeline stages, so that compute does not allocate.
    estimate &reserve(std::size_t count)
    {
        return done(csz_estimate_reserve(raw(), count));
    }
    estimate &compute(const workload &job, const cluster &machines, const plan &how,
                      csz_depth depth = CSZ_DEPTH_RUN)
    {
        return done(csz_estimate_compute(raw(), job.raw(), machines.raw(), how.raw(), depth));
    }
    // The largest of a field that fits, with the built-in catalog; see csz_estimate_largest.
    double largest(const workload &job, const cluster &machines, const plan &how, csz_field varied,
                   double confidence = 0.9)
    {
        double value = 0;
        done(csz_estimate_largest(raw(), nullptr, job.raw(), machines.raw(), how.raw(), varied,
                                  confidence, &value));
        return value;
    }
    // Parameters and FLOPs alone.
    estimate &compute(const workload &job)
    {
        return done(csz_estimate_compute(raw(), job.raw(), nullptr, nullptr, CSZ_DEPTH_MODEL));
    }

  private:
    estimate &done(csz_status status)
    {
        detail::check(status, static_cast<const csz_estimate *>(raw()), csz_estimate_error);
        return *this;
    }
};

// ---- Calibration ----

// What was measured on a cluster, and what followed from it.
class calibration : public detail::owner<csz_calibration, csz_calibration_free>
{
  public:
    calibration() : owner(csz_calibration_new(nullptr))
    {
    }
    explicit calibration(const context &from) : owner(csz_calibration_new(from.raw()))
    {
    }
    calibration &add_run(const workload &job, const plan &how, std::int64_t accelerators,
                         double step_seconds, double uncertainty = 0)
    {
        return done(csz_calibration_add_run(raw(), job.raw(), how.raw(), accelerators, step_seconds,
                                            uncertainty));
    }
    calibration &add_nccl(const std::string &text,
                          csz_collective collective = CSZ_COLLECTIVE_UNKNOWN,
                          std::int64_t ranks = 0)
    {
        return done(csz_calibration_add_nccl(raw(), collective, ranks, text.data(), text.size()));
    }
    calibration &set_gemm(csz_format format, double flops_per_second, double uncertainty = 0)
    {
        return done(csz_calibration_set_gemm(raw(), format, flops_per_second, uncertainty));
    }
    calibration &set_copy(double bytes_per_second, double uncertainty = 0)
    {
        return done(csz_calibration_set_copy(raw(), bytes_per_second, uncertainty));
    }
    double get_f64(csz_field field) const
    {
        double value = 0;
        detail::check(csz_calibration_get_f64(raw(), field, &value), field);
        return value;
    }
    double get_at(csz_field field, std::size_t index) const
    {
        double value = 0;
        detail::check(csz_calibration_get_f64_at(raw(), field, index, &value), field);
        return value;
    }
    std::string text_at(csz_field field, std::size_t index) const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_calibration_get_text_at(raw(), field, index, text, capacity);
            },
            127);
    }
    std::size_t count(csz_field field) const
    {
        return csz_calibration_count(raw(), field);
    }
    std::string to_json() const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_calibration_to_json(raw(), text, capacity);
            },
            4095);
    }

  private:
    calibration &done(csz_status status)
    {
        detail::check(status, static_cast<const csz_calibration *>(raw()), csz_calibration_error);
        return *this;
    }
};

inline cluster &cluster::calibrate(calibration &measured)
{
    return done(csz_cluster_calibrate(raw(), measured.raw()));
}

// ---- Ranking ----

// One line of a ranking.
struct entry {
    std::size_t index;
    plan_view plan;
    estimate_view estimate;
};

// Why plans were left out, and how many.
struct rejection {
    csz_reason reason;
    double plans;
    const char *text() const
    {
        return csz_reason_text(reason);
    }
};

class rejections : public detail::sequence<rejections, rejection>
{
  public:
    explicit rejections(const csz_ranking *ranking) : ranking_(ranking)
    {
    }
    std::size_t size() const
    {
        return csz_ranking_reject_count(ranking_);
    }
    rejection operator[](std::size_t index) const
    {
        rejection at = {CSZ_REASON_NONE, 0};
        detail::check(csz_ranking_reject_at(ranking_, index, &at.reason, &at.plans),
                      "csz_ranking_reject_at");
        return at;
    }

  private:
    const csz_ranking *ranking_;
};

class entries : public detail::sequence<entries, entry>
{
  public:
    explicit entries(const csz_ranking *ranking) : ranking_(ranking)
    {
    }
    std::size_t size() const
    {
        return csz_ranking_count(ranking_);
    }
    entry operator[](std::size_t index) const
    {
        if (index >= size())
            detail::raise_plain(CSZ_ERR_RANGE, CSZ_FIELD_NONE, "beyond the last entry");
        entry at = {index, plan_view(csz_ranking_plan_at(ranking_, index)),
                    estimate_view(csz_ranking_estimate_at(ranking_, index))};
        return at;
    }

  private:
    const csz_ranking *ranking_;
};

// Plans or counts with their estimates, best first, and the rejections:
//
//     csz::ranking ranking;
//     for (const csz::entry &entry : ranking.select(job, machines)) ...
class ranking : public detail::owner<csz_ranking, csz_ranking_free>
{
  public:
    ranking() : owner(csz_ranking_new(nullptr))
    {
    }
    explicit ranking(const context &from) : owner(csz_ranking_new(from.raw()))
    {
    }
    // Called with the share done; false cancels (CSZ_ERR_CANCELLED). What it throws leaves select,
    // size, curve or advise. An empty function takes it away.
    void set_progress(std::function<bool(double)> call)
    {
        std::unique_ptr<progress> next;

        if (call)
            next.reset(new progress{std::move(call), nullptr});
        csz_ranking_set_progress(raw(), next ? &ranking::report : nullptr, next.get());
        progress_ = std::move(next);
    }
    csz::entries select(const workload &job, const cluster &machines)
    {
        return done(csz_ranking_select(raw(), job.raw(), machines.raw(), nullptr));
    }
    csz::entries select(const workload &job, const cluster &machines, const goal &wanted)
    {
        return done(csz_ranking_select(raw(), job.raw(), machines.raw(), wanted.raw()));
    }
    csz::entries size(const workload &job, const cluster &machines, const goal &wanted)
    {
        return done(csz_ranking_size(raw(), job.raw(), machines.raw(), wanted.raw()));
    }
    csz::entries curve(const workload &job, const cluster &machines, const goal &wanted)
    {
        return done(csz_ranking_curve(raw(), job.raw(), machines.raw(), wanted.raw()));
    }
    csz::entries advise(const workload &job, const cluster &machines, const csz::plan &how)
    {
        return done(csz_ranking_advise(raw(), job.raw(), machines.raw(), how.raw()));
    }
    csz::entries entries() const
    {
        return csz::entries(raw());
    }
    csz::entries::iterator begin() const
    {
        return entries().begin();
    }
    csz::entries::iterator end() const
    {
        return entries().end();
    }
    std::size_t count() const
    {
        return csz_ranking_count(raw());
    }
    entry operator[](std::size_t index) const
    {
        return entries()[index];
    }
    csz::rejections rejections() const
    {
        return csz::rejections(raw());
    }
    double get_f64(csz_field field) const
    {
        double value = 0;
        detail::check(csz_ranking_get_f64(raw(), field, &value), field);
        return value;
    }
    std::string to_json() const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_ranking_to_json(raw(), text, capacity);
            },
            65535);
    }

  private:
    struct progress {
        std::function<bool(double)> call;
        std::exception_ptr thrown;
    };

    // No exception may pass through the library, which is C.
    static int report(void *user, double done)
    {
        progress *state = static_cast<progress *>(user);
        try {
            return state->call(done) ? 0 : 1;
        } catch (...) {
            state->thrown = std::current_exception();
            return 1;
        }
    }
    csz::entries done(csz_status status)
    {
        if (progress_ && progress_->thrown) {
            std::exception_ptr thrown = std::move(progress_->thrown);
            progress_->thrown = nullptr;
            std::rethrow_exception(thrown);
        }
        detail::check(status, static_cast<const csz_ranking *>(raw()), csz_ranking_error);
        return entries();
    }

    std::unique_ptr<progress> progress_;
};

// ---- Projection ----

// From a plan to a decision. Lists are read by get_at and text_at, below count(field).
class projection : public detail::owner<csz_projection, csz_projection_free>
{
  public:
    projection() : owner(csz_projection_new(nullptr))
    {
    }
    explicit projection(const context &from) : owner(csz_projection_new(from.raw()))
    {
    }
    projection &compute(const workload &job, const cluster &machines, const plan &how)
    {
        return done(csz_projection_compute(raw(), nullptr, job.raw(), machines.raw(), how.raw()));
    }
    projection &network(const workload &job, const cluster &machines, const plan &how)
    {
        return done(csz_projection_network(raw(), nullptr, job.raw(), machines.raw(), how.raw()));
    }
    projection &curve(const ranking &counts, const cluster &machines)
    {
        return done(csz_projection_curve(raw(), counts.raw(), machines.raw(), nullptr));
    }
    projection &curve(const ranking &counts, const cluster &machines, const goal &wanted)
    {
        return done(csz_projection_curve(raw(), counts.raw(), machines.raw(), wanted.raw()));
    }
    csz_reason reason() const
    {
        return csz_projection_reason(raw());
    }
    double get_f64(csz_field field) const
    {
        double value = 0;
        detail::check(csz_projection_get_f64(raw(), field, &value), field);
        return value;
    }
    csz::range range(csz_field field) const
    {
        csz::range value = {0, 0, 0};
        detail::check(
            csz_projection_get_range(raw(), field, &value.low, &value.likely, &value.high), field);
        return value;
    }
    double get_at(csz_field field, std::size_t index) const
    {
        double value = 0;
        detail::check(csz_projection_get_f64_at(raw(), field, index, &value), field);
        return value;
    }
    std::string text_at(csz_field field, std::size_t index) const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_projection_get_text_at(raw(), field, index, text, capacity);
            },
            127);
    }
    std::size_t count(csz_field field) const
    {
        return csz_projection_count(raw(), field);
    }
    std::string to_json() const
    {
        return detail::read_text(
            [&](char *text, std::size_t capacity) {
                return csz_projection_to_json(raw(), text, capacity);
            },
            16383);
    }

  private:
    projection &done(csz_status status)
    {
        detail::check(status, static_cast<const csz_projection *>(raw()), csz_projection_error);
        return *this;
    }
};

// ---- Launches ----

// A plan as the file of the training software; see csz_plan_to_launch. The plan keeps the message.
inline std::string to_launch(plan &how, const workload &job, const cluster &machines,
                             csz_source source, csz_launch_part part = CSZ_LAUNCH_PART_FILE,
                             const estimate *run = nullptr)
{
    std::string text(8191, '\0');
    std::size_t length = 0;
    const csz_estimate *figures = run != nullptr ? run->raw() : nullptr;

    for (int once = 0; once < 2; ++once) {
        detail::check(csz_plan_to_launch(how.raw(), job.raw(), machines.raw(), figures, source,
                                         part, &text[0], text.size() + 1, &length),
                      static_cast<const csz_plan *>(how.raw()), csz_plan_error);
        if (length <= text.size())
            break;
        text.resize(length);
    }
    text.resize(length);
    return text;
}

// Sets plan and workload from such a file; see csz_plan_load_launch. A cluster brings the count.
inline void from_launch(plan &how, workload &job, const cluster *machines, csz_source source,
                        const std::string &text)
{
    detail::check(csz_plan_load_launch(how.raw(), job.raw(),
                                       machines != nullptr ? machines->raw() : nullptr, source,
                                       text.data(), text.size()),
                  static_cast<const csz_plan *>(how.raw()), csz_plan_error);
}
inline void from_launch(plan &how, workload &job, const cluster &machines, csz_source source,
                        const std::string &text)
{
    from_launch(how, job, &machines, source, text);
}

// The options that have no part in an answer, one a line.
inline std::string launch_notes(csz_source source, const std::string &file)
{
    return detail::read_text(
        [&](char *text, std::size_t capacity) {
            return csz_launch_notes(source, file.data(), file.size(), text, capacity);
        },
        1023);
}

} // namespace csz

#endif
