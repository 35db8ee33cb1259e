/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"

#include "gridftp-external-program.h"
#include "gridftp-file-sizes.h"
#include "gridftp-host-file.h"
#include "gridftp-host-settings.h"
#include "gridftp-json-reader.h"
#include "gridftp-option-reliability.h"
#include "gridftp-option-session.h"
#include "gridftp-option-suggestion.h"
#include "gridftp-option-table.h"
#include "gridftp-option-tcp.h"
#include "gridftp-option-tuning.h"
#include "gridftp-scenario-check.h"
#include "gridftp-scenario-json.h"
#include "gridftp-topology-file.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** A value as an error message repeats it. */
std::string
Show(const JsonValue& value)
{
    switch (value.kind)
    {
    case JsonKind::BOOLEAN:
        return value.flag ? "true" : "false";
    case JsonKind::NUMBER:
        return Printable(value.text);
    case JsonKind::TEXT:
        return "\"" + Printable(value.text) + "\"";
    case JsonKind::ARRAY:
        return "[...]";
    case JsonKind::OBJECT:
        return "{...}";
    case JsonKind::NOTHING:
        break;
    }
    return "null";
}

/** Nanoseconds of a number of seconds. */
Expected<OptionValue>
ReadSeconds(const JsonValue& number)
{
    constexpr double MOST = 9e9; // 2^63 ns is more
    const auto seconds = number.GetReal();
    if (!seconds || !(*seconds >= 0 && *seconds < MOST))
    {
        return Error{"is out of range"};
    }
    // Rounded, since 0.1 s times 1e9 need not be whole; and the other way as ScenarioToJson() does.
    const auto nanoseconds = static_cast<int64_t>(*seconds * 1e9 + 0.5);
    if (static_cast<double>(nanoseconds) / 1e9 != *seconds)
    {
        return Error{"is finer than the smallest unit"};
    }
    return OptionValue(nanoseconds);
}

/** A number in SI units. */
Expected<OptionValue>
ReadNumber(const Option& option, const JsonValue& number)
{
    Expected<OptionValue> value = Error{"is not a whole number"};
    if (option.kind == OptionKind::REAL)
    {
        const auto real = number.GetReal();
        // -0 becomes 0.
        value = real ? Expected<OptionValue>(OptionValue(*real + 0.0)) : Error{"is out of range"};
    }
    else if (option.dimension == Dimension::TIME)
    {
        value = ReadSeconds(number);
    }
    else if (const auto whole = number.GetWhole())
    {
        value = OptionValue(*whole);
    }
    if (value && !option.IsInRange(*value))
    {
        return Error{"is out of range"};
    }
    return value;
}

/** A text as on the command line. */
Expected<OptionValue>
ReadText(const Option& option, const std::string& text)
{
    const auto isControl = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
    if (std::any_of(text.begin(), text.end(), isControl))
    {
        return Error{"has a control character"};
    }
    return option.Parse(text);
}

/** A list of texts. */
Expected<OptionValue>
ReadList(const Option& option, const std::vector<JsonValue>& items)
{
    std::vector<std::string> texts;
    for (const auto& item : items)
    {
        auto value = item.kind == JsonKind::TEXT
                         ? ReadText(option, item.text)
                         : Expected<OptionValue>(Error{"contains a value that is not a text"});
        if (!value)
        {
            return value;
        }
        texts.push_back(item.text);
    }
    return OptionValue(std::move(texts));
}

/** What stands under the key of an option, or under its name; they may be the same. */
Expected<OptionValue>
ReadOption(const Option& option, std::string_view key, const JsonValue& value)
{
    const bool number = option.kind == OptionKind::WHOLE || option.kind == OptionKind::REAL;
    if (value.kind == JsonKind::NUMBER && number)
    {
        return key == option.key ? ReadNumber(option, value)
                                 : Error{"lacks a unit, which \"" + std::string(option.key) +
                                         "\" has in its name"};
    }
    if (value.kind == JsonKind::TEXT)
    {
        return key == option.name || !number
                   ? ReadText(option, value.text)
                   : Error{"is a text; the key of texts is \"" + std::string(option.name) + "\""};
    }
    if (value.kind == JsonKind::BOOLEAN && option.kind == OptionKind::SWITCH)
    {
        return OptionValue(value.flag);
    }
    if (value.kind == JsonKind::ARRAY && option.kind == OptionKind::LIST)
    {
        return ReadList(option, value.items);
    }
    return Error{"is of the wrong kind"};
}

/** The option whose key or name this is. */
const Option*
FindByKey(std::span<const Option> rows, std::string_view key)
{
    const auto it = std::find_if(rows.begin(), rows.end(), [key](const Option& option) {
        return option.scope != OptionScope::OUTPUT &&
               (option.key == key || (option.name == key && !option.findMembers));
    });
    return it == rows.end() ? nullptr : &*it;
}

Error
UnknownKey(std::span<const Option> rows, const std::string& where, std::string_view key)
{
    std::vector<std::string_view> known;
    for (const auto& option : rows)
    {
        if (option.scope != OptionScope::OUTPUT)
        {
            known.push_back(option.key);
            known.push_back(option.findMembers ? option.key : option.name);
        }
    }
    const auto asked = AskWhetherMeant(key, known, "\"", "\"");
    return Error{
        where + "\"" + Printable(key) + "\" is unknown; " +
        (asked.empty() ? "allowed: the keys of --resolve and the names of --help" : asked)};
}

/** Reads the members of an object, those with members of their own left out. */
Expected<std::vector<OptionAssignment>>
ReadMembers(std::span<const Option> rows, const std::string& where, const JsonValue& object)
{
    if (object.kind != JsonKind::OBJECT)
    {
        return Error{where + Show(object) +
                     " is not a scenario; allowed: an object, {\"key\": value}"};
    }
    std::vector<OptionAssignment> values;
    for (size_t i = 0; i < object.keys.size(); ++i)
    {
        const auto& key = object.keys[i];
        const Option* option = FindByKey(rows, key);
        if (!option)
        {
            return UnknownKey(rows, where, key);
        }
        if (option->findMembers)
        {
            continue;
        }
        const std::string shown = where + "\"" + key + "\": " + Show(object.items[i]);
        const auto isSame = [option](const auto& other) { return other.option == option; };
        if (std::any_of(values.begin(), values.end(), isSame))
        {
            return Error{shown + " comes twice; allowed: one of \"" + std::string(option->key) +
                         "\" and \"" + std::string(option->name) + "\""};
        }
        auto value = ReadOption(*option, key, object.items[i]);
        if (!value)
        {
            return Error{shown + " " + Printable(value.GetError().message) +
                         "; allowed: " + option->DescribeAllowed()};
        }
        const bool byHand = object.items[i].kind == JsonKind::TEXT;
        values.push_back({option, std::move(*value), shown, byHand});
    }
    return values;
}

/** One scenario that is being read. */
class ScenarioReader
{
  public:
    /** @param root the JSON of it @param read reads a file that is named */
    ScenarioReader(const JsonValue& root, const FileReader& read)
        : m_root(root),
          m_read(read)
    {
    }

    /** @return the scenario */
    Expected<Scenario> Read();

    /** @return what the user should know of its files */
    const Notes& GetNotes() const
    {
        return m_request.notes;
    }

  private:
    /** Reads what stands outside the lists. @return done */
    Done ReadFlat();

    /** Reads the files of hosts, if there are some. @param buffers of the first session @param
     * values of all options; files are none afterwards @return done */
    Done ReadHosts(BufferSpec& buffers, std::vector<OptionAssignment>& values);

    /** Reads the list of sessions, if there is one. @return done */
    Done ReadSessions();

    /**
     * Adds the items of a list, if there is one.
     * @param key of the list
     * @param rows what an item holds
     * @param add adds one to the scenario
     * @return done
     */
    Done ReadItems(std::string_view key,
                   std::span<const Option> rows,
                   Done (*add)(Scenario&, size_t, std::span<const OptionAssignment>));

    /** Reads the lists of arrivals, of background connections and of faults. @return done */
    Done ReadFurther();

    /** @param key of a list @return its items, none if it is not given; or that it is no list */
    Expected<const std::vector<JsonValue>*> FindList(std::string_view key) const;

    const JsonValue& m_root;                             //!< the JSON
    const FileReader& m_read;                            //!< reads a file
    HostFileReport m_hostFiles;                          //!< what files of hosts say
    TransferRequest m_request{MakeDefaultRequest()};     //!< what is read into
    Scenario& m_scenario{m_request.scenario};            //!< its scenario
    static const inline std::vector<JsonValue> s_none{}; //!< no items
};

Done
ScenarioReader::ReadHosts(BufferSpec& buffers, std::vector<OptionAssignment>& values)
{
    for (const bool isSender : {true, false})
    {
        const auto given = std::ranges::find(values,
                                             GetHostFileOption(isSender),
                                             [](const auto& each) { return each.option->name; });
        if (given != values.end())
        {
            auto& name = *std::get_if<std::string>(&given->value);
            HostSpec& host = isSender ? buffers.sender : buffers.receiver;
            if (auto done =
                    ReadHostFile(host, isSender, name, m_read, GetReportedKeys(), m_hostFiles);
                !done)
            {
                return done;
            }
            name = NO_HOST_FILE;
        }
    }
    return std::monostate{};
}

Done
ScenarioReader::ReadFlat()
{
    auto values = ReadMembers(GetOptionTable(), "", m_root);
    if (!values)
    {
        return values.GetError();
    }
    const auto given =
        std::ranges::find(*values, "topology", [](const auto& each) { return each.option->name; });
    PathSpec& path = m_scenario.path;
    if (given != values->end())
    {
        auto& name = *std::get_if<std::string>(&given->value);
        if (auto done = ReadTopology(path, name, m_read); !done)
        {
            return done;
        }
        name = IsFileName(name) ? path.topology : name;
    }
    auto& first = m_scenario.sessions.front();
    if (auto done = ReadHosts(first.buffers, *values); !done)
    {
        return done;
    }
    std::set<std::string_view> names;
    std::vector<OptionAssignment> session;
    for (auto& assignment : *values)
    {
        names.insert(assignment.option->name);
        if (assignment.option->scope == OptionScope::SESSION)
        {
            session.push_back(std::move(assignment));
            continue;
        }
        assignment.option->binding.set(TransferTarget(&m_request, assignment.option->scope),
                                       assignment.value);
    }
    if (auto done = ResolvePathSchedule(m_scenario, m_read, m_request.notes); !done)
    {
        return done;
    }
    first.delay = m_scenario.path.delay;
    auto done = AssignSession(first, m_scenario.path, session);
    ApplyStack(m_request, [&names](std::string_view option) { return names.contains(option); });
    ApplyHostSettings(m_request, m_hostFiles, [&names](std::string_view option) {
        return names.contains(option);
    });
    first.hostTcp = m_scenario.tcp;
    return done;
}

Expected<const std::vector<JsonValue>*>
ScenarioReader::FindList(std::string_view key) const
{
    const auto it = std::find(m_root.keys.begin(), m_root.keys.end(), key);
    if (it == m_root.keys.end())
    {
        return &s_none;
    }
    const JsonValue& value = m_root.items[static_cast<size_t>(it - m_root.keys.begin())];
    if (value.kind != JsonKind::ARRAY || (value.items.empty() && key == "sessions"))
    {
        return Error{"\"" + std::string(key) + "\": " + Show(value) +
                     " is not a list of objects; allowed: [{\"key\": value}, ...]"};
    }
    return &value.items;
}

Done
ScenarioReader::ReadSessions()
{
    const auto items = FindList("sessions");
    if (!items || (*items)->empty())
    {
        return items ? Done(std::monostate{}) : items.GetError();
    }
    const SessionSpec flat = m_scenario.sessions.front();
    m_scenario.sessions.assign((*items)->size(), flat);
    for (size_t i = 0; i < (*items)->size(); ++i)
    {
        const std::string where = "\"sessions\"[" + std::to_string(i) + "] ";
        const auto values = ReadMembers(GetSessionRows(), where, (**items)[i]);
        if (!values)
        {
            return values.GetError();
        }
        if (auto done = AssignSession(m_scenario.sessions[i], m_scenario.path, *values); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

Done
ScenarioReader::ReadItems(std::string_view key,
                          std::span<const Option> rows,
                          Done (*add)(Scenario&, size_t, std::span<const OptionAssignment>))
{
    const auto items = FindList(key);
    if (!items)
    {
        return items.GetError();
    }
    for (size_t i = 0; i < (*items)->size(); ++i)
    {
        const std::string where = "\"" + std::string(key) + "\"[" + std::to_string(i) + "] ";
        const auto values = ReadMembers(rows, where, (**items)[i]);
        if (!values)
        {
            return values.GetError();
        }
        if (auto done = add(m_scenario, i, *values); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

Done
ScenarioReader::ReadFurther()
{
    if (auto done = ReadItems("arrivals", GetArrivalRows(), &AddArrivals); !done)
    {
        return done;
    }
    if (auto done = ReadItems("background", GetBackgroundRows(), &AddBackground); !done)
    {
        return done;
    }
    const auto it = std::find(m_root.keys.begin(), m_root.keys.end(), "faults");
    if (it == m_root.keys.end())
    {
        return std::monostate{};
    }
    const JsonValue& faults = m_root.items[static_cast<size_t>(it - m_root.keys.begin())];
    return faults.kind == JsonKind::TEXT ? AddFaultsOfFile(m_scenario, faults.text, m_read)
                                         : ReadItems("faults", GetFaultRows(), &AddFault);
}

Expected<Scenario>
ScenarioReader::Read()
{
    for (const auto read :
         {&ScenarioReader::ReadFlat, &ScenarioReader::ReadSessions, &ScenarioReader::ReadFurther})
    {
        if (auto done = (this->*read)(); !done)
        {
            return done.GetError();
        }
    }
    if (auto done = ResolveFileSizes(m_scenario, m_read); !done)
    {
        return done.GetError();
    }
    auto resolved = ResolveScenario(std::move(m_scenario));
    const bool usesSelf = resolved && std::ranges::any_of(resolved->sessions, &UsesExternalSelf);
    if (usesSelf)
    {
        return Error{"\"external-command\": \"" + std::string(EXTERNAL_SELF) +
                     "\" is our own standard input, and that of a batch has its lines; allowed: a "
                     "program"};
    }
    return resolved;
}

} // namespace

Expected<Scenario>
ParseScenarioJson(std::string_view line, const FileReader& read, Notes* notes)
{
    const auto root = ParseJson(line);
    if (!root)
    {
        return root.GetError();
    }
    ScenarioReader reader(*root, read);
    auto scenario = reader.Read();
    if (notes)
    {
        notes->insert(notes->end(), reader.GetNotes().begin(), reader.GetNotes().end());
    }
    return scenario;
}

} // namespace ns3::gridftp
