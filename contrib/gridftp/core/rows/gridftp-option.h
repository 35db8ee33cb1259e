/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_H
#define GRIDFTP_OPTION_H

#include "gridftp-expected.h"
#include "gridftp-quantity.h"
#include "gridftp-text.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ns3::gridftp
{

class JsonWriter;

/** @ingroup gridftp @brief What the value of an option looks like. */
enum class OptionKind
{
    WHOLE,  //!< a whole quantity of some dimension
    REAL,   //!< a real number
    SWITCH, //!< on or off
    CHOICE, //!< one of a list of words
    NAME,   //!< a word that is checked elsewhere
    LIST,   //!< a word; the option may be repeated
    FLAG    //!< no value: given or not
};

/** @ingroup gridftp @brief What an option describes. */
enum class OptionScope
{
    PATH,    //!< the dumbbell
    TCP,     //!< every TCP connection
    SESSION, //!< one session; given flat, the only one
    TRAFFIC, //!< further sessions and background connections
    MEASURE, //!< engine and seeds
    OUTPUT   //!< what is printed and written; not part of the scenario
};

/** @ingroup gridftp @brief The value of an option; a CHOICE is held as its index. */
using OptionValue = std::variant<int64_t, double, bool, std::string, std::vector<std::string>>;

/**
 * @ingroup gridftp
 * How an option's value gets into a struct and out of it again.
 */
struct OptionBinding
{
    std::function<void(void* spec, const OptionValue& value)> set; //!< writes what is bound
    std::function<OptionValue(const void* spec)> get;              //!< reads it
};

/**
 * @ingroup gridftp
 * Binds a data member.
 *
 * @tparam MEMBER pointer to a member of type int64_t, double, bool, std::string, an enumeration
 *         (whose values are the indices of the choices) or std::vector<std::string>
 * @return the binding
 */
template <auto MEMBER>
OptionBinding
BindMember()
{
    constexpr auto read = []<typename S, typename T>(T S::*) { return std::pair<S, T>{}; };
    using Spec = typename decltype(read(MEMBER))::first_type;
    using Type = typename decltype(read(MEMBER))::second_type;
    OptionBinding binding;
    if constexpr (std::is_enum_v<Type>)
    {
        binding.set = [](void* spec, const OptionValue& value) {
            static_cast<Spec*>(spec)->*MEMBER = static_cast<Type>(*std::get_if<int64_t>(&value));
        };
        binding.get = [](const void* spec) {
            return OptionValue(static_cast<int64_t>(static_cast<const Spec*>(spec)->*MEMBER));
        };
    }
    else if constexpr (std::is_same_v<Type, std::vector<std::string>>)
    {
        binding.set = [](void* spec, const OptionValue& value) {
            auto& list = static_cast<Spec*>(spec)->*MEMBER;
            const auto& items = *std::get_if<Type>(&value);
            list.insert(list.end(), items.begin(), items.end());
        };
        binding.get = [](const void* spec) {
            return OptionValue(static_cast<const Spec*>(spec)->*MEMBER);
        };
    }
    else
    {
        binding.set = [](void* spec, const OptionValue& value) {
            static_cast<Spec*>(spec)->*MEMBER = *std::get_if<Type>(&value);
        };
        binding.get = [](const void* spec) {
            return OptionValue(static_cast<const Spec*>(spec)->*MEMBER);
        };
    }
    return binding;
}

/**
 * @ingroup gridftp
 * Binds what a struct inside another one has.
 *
 * @tparam OUTER pointer to the member that is the inner struct
 * @param inner binding of the inner struct
 * @return binding of the outer struct
 */
template <auto OUTER>
OptionBinding
NestBinding(const OptionBinding& inner)
{
    constexpr auto read = []<typename S, typename T>(T S::*) { return std::pair<S, T>{}; };
    using Spec = typename decltype(read(OUTER))::first_type;
    OptionBinding binding;
    binding.set = [inner](void* spec, const OptionValue& value) {
        inner.set(&(static_cast<Spec*>(spec)->*OUTER), value);
    };
    binding.get = [inner](const void* spec) {
        return inner.get(&(static_cast<const Spec*>(spec)->*OUTER));
    };
    return binding;
}

/**
 * @ingroup gridftp
 * Binds a member of a data member.
 *
 * @tparam OUTER pointer to the data member
 * @tparam INNER pointer to its member, see BindMember<INNER>()
 * @tparam REST pointers to a member of that, and so on
 * @return the binding
 */
template <auto OUTER, auto INNER, auto... REST>
OptionBinding
BindMember()
{
    return NestBinding<OUTER>(BindMember<INNER, REST...>());
}

/** @ingroup gridftp @brief Which other options give an option an effect. */
struct OptionNeed
{
    std::vector<std::string_view> options; //!< one of these has one of the values; none: no need
    std::vector<std::string_view> values;  //!< of them; none: any but the default
    std::string_view allowed;              //!< for notes, as on a command line
};

/** @ingroup gridftp @brief How an option differs if another one has a certain value. */
struct OptionVariant
{
    std::string_view option;               //!< the other one
    std::string_view value;                //!< that it has
    std::string_view defaultText;          //!< in place of Option::defaultText
    std::vector<std::string_view> choices; //!< words of a NAME on engine segment; none: as usual
};

/**
 * @ingroup gridftp
 * One row of an option table.
 */
struct Option
{
    std::string_view name;        //!< as in --name=VALUE
    std::string_view key;         //!< as in JSON, with the SI unit
    OptionKind kind{};            //!< what its value looks like
    Dimension dimension{};        //!< of WHOLE and REAL
    OptionScope scope{};          //!< what it describes
    std::string_view defaultText; //!< as a person would write it; a rule in words where the
                                  //!< default depends on other options
    OptionValue minimum{};        //!< least value of WHOLE and REAL
    OptionValue maximum{};        //!< largest value of WHOLE and REAL
    bool openMinimum{false};      //!< the least value itself is excluded
    bool openMaximum{false};      //!< the largest value itself is excluded
    std::vector<std::string_view> choices;        //!< words of a CHOICE or of a closed NAME
    std::vector<std::string_view> segmentChoices; //!< of an open NAME: the words that engine
                                                  //!< segment knows
    std::string_view openChoice{};                //!< of a closed NAME: behind this word and a
                                                  //!< colon may stand any text
    bool mayBeFile{false};                        //!< a NAME that may be that of a file, whose
                                                  //!< content takes its place when it is resolved
    std::string placeholder;                      //!< what --help writes for the value
    std::string_view engines;                     //!< engines that know it, comma separated
    std::vector<std::string_view> modes;          //!< tuning modes that use it; none: no matter
    OptionNeed need{};                            //!< what gives it an effect
    std::vector<OptionVariant> variants;          //!< at most one for each value of another option
    std::string help;                             //!< one line
    OptionBinding binding{};                      //!< where the value goes
    std::span<const Option> (*findMembers)(){};   //!< set by the option table; see GetMembers()

    /**
     * Reads a value.
     * @param text what stands behind the equals sign
     * @return the value, or what is wrong with it and what is allowed
     */
    Expected<OptionValue> Parse(std::string_view text) const;

    /** @param text of a NAME @return what stands behind the open choice and its colon; nothing, if
     * it is another word */
    std::string_view FindOpenText(std::string_view text) const;

    /** @param word of a NAME @return nothing, or the words that engine segment knows of it */
    Done CheckSegmentChoice(std::string_view word) const;

    /** @param value of WHOLE or REAL @return whether it is within the range */
    bool IsInRange(const OptionValue& value) const;

    /** @param mode a tuning mode @return whether it has an effect there */
    bool IsForMode(std::string_view mode) const;

    /** @return what is allowed, for error messages and --help */
    std::string DescribeAllowed() const;

    /**
     * Finds the keys of a LIST of "KEY=V,...", whose table is made at the first call.
     * @return the keys, for the life of the process; none for any other option
     */
    std::span<const Option> GetMembers() const;

    /** @param value of this option @return as a person would write it */
    std::string Format(const OptionValue& value) const;
};

/**
 * @ingroup gridftp
 * Finds an option.
 * @param table the options
 * @param name without the dashes
 * @return the row, or null
 */
const Option* FindOption(std::span<const Option> table, std::string_view name);

/**
 * @ingroup gridftp
 * @param text of an option that has words and may be a file
 * @return whether it names a file, which no word does
 */
bool IsFileName(std::string_view text);

/** @ingroup gridftp @brief Tells where the values of a scope go: a struct bound by the rows. */
using OptionTarget = void* (*)(void* request, OptionScope scope);

/**
 * @ingroup gridftp
 * Fills a request from the defaults of a table.
 *
 * @param table the options
 * @param request what is filled
 * @param target gives the struct of a scope within the request
 */
void ApplyDefaults(std::span<const Option> table, void* request, OptionTarget target);

/**
 * @ingroup gridftp
 * Reads arguments of the form --name=VALUE or --flag into a request; the last one given counts.
 * A LIST may have its value in the next argument: --session KEY=V,..., --set TYPE::NAME=VALUE.
 *
 * @param table the options
 * @param arguments without the program's name
 * @param request what is filled
 * @param target gives the struct of a scope within the request
 * @return nothing, or one line naming the argument, its value and what is allowed
 */
Done ParseArguments(std::span<const Option> table,
                    std::span<const std::string_view> arguments,
                    void* request,
                    OptionTarget target);

/**
 * @ingroup gridftp
 * Writes a table as a member "options" of the object that is open: an array, an object per option.
 *
 * @param json where to
 * @param table the options
 */
void WriteOptions(JsonWriter& json, std::span<const Option> table);

/**
 * @ingroup gridftp
 * @param table the options
 * @return the lines of --help, grouped by scope
 */
std::string OptionsHelp(std::span<const Option> table);

/**
 * @ingroup gridftp
 * Writes the values of one scope as members of the object that is open.
 *
 * @param json where to
 * @param table the options
 * @param scope which of them
 * @param spec the struct that the rows of this scope are bound to
 */
void WriteOptionValues(JsonWriter& json,
                       std::span<const Option> table,
                       OptionScope scope,
                       const void* spec);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_H
