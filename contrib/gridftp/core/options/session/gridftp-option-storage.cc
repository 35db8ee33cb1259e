/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-storage.h"

#include "gridftp-option-row.h"
#include "gridftp-storage-kind.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** An end of a session. */
struct StorageEnd
{
    std::string_view name;            //!< as in --NAME=KIND, and before its parameters
    std::string_view help;            //!< of its kind
    std::string_view depthHelp;       //!< of its depth
    StorageSpec BufferSpec::* member; //!< where it is
};

/** Both of them. */
constexpr std::array ENDS{
    StorageEnd{"source",
               "storage from which the sender reads the file",
               "source: blocks of each data connection being read or waiting to be sent",
               &BufferSpec::source},
    StorageEnd{"sink",
               "storage to which the receiver writes the file",
               "sink: most blocks of each data connection being written; then reading pauses",
               &BufferSpec::sink},
};

/** The least and default number of blocks of a connection, and the most. */
constexpr WholeRange DEPTHS{1, 1000};

/** Texts that rows keep views of. @param text one of them @return it, for good */
std::string_view
Keep(std::string text)
{
    static std::deque<std::string> kept;
    return kept.emplace_back(std::move(text));
}

/** Binds something of the storage at an end. */
OptionBinding
Bind(StorageSpec BufferSpec::* member,
     const std::function<void(StorageSpec&, const OptionValue&)>& set,
     const std::function<OptionValue(const StorageSpec&)>& get)
{
    return {.set =
                [=](void* spec, const OptionValue& value) {
                    set(static_cast<SessionSpec*>(spec)->buffers.*member, value);
                },
            .get =
                [=](const void* spec) {
                    return get(static_cast<const SessionSpec*>(spec)->buffers.*member);
                }};
}

Option
KindRow(const StorageEnd& end)
{
    std::vector<std::string_view> names;
    for (const auto& kind : GetStorageKinds())
    {
        names.push_back(kind.name);
    }
    const auto binding = Bind(
        end.member,
        [](StorageSpec& spec, const OptionValue& value) {
            spec.kind = *std::get_if<std::string>(&value);
        },
        [](const StorageSpec& spec) { return OptionValue(spec.kind); });
    return WordRow(OptionKind::NAME,
                   end.name,
                   end.name,
                   OptionScope::SESSION,
                   names.front(),
                   "STORAGE",
                   names,
                   binding,
                   end.help);
}

Option
ParameterRow(const StorageEnd& end, const StorageParameter& parameter)
{
    std::string kinds;
    for (const auto& kind : GetStorageKinds())
    {
        kinds += kind.Takes(parameter) ? (kinds.empty() ? "" : ", ") + std::string(kind.name) : "";
    }
    const auto binding = Bind(
        end.member,
        [&parameter](StorageSpec& spec, const OptionValue& value) {
            spec.values.Set(parameter.name, static_cast<double>(*std::get_if<int64_t>(&value)));
        },
        [&parameter](const StorageSpec& spec) { return OptionValue(parameter.Of(spec.values)); });
    const std::string name(end.name);
    return WholeRow(Keep(name + "-" + std::string(parameter.name)),
                    Keep(name + "_" + std::string(parameter.key)),
                    OptionScope::SESSION,
                    parameter.dimension,
                    parameter.defaultText,
                    {0, parameter.maximum},
                    binding,
                    name + ": " + std::string(parameter.help) + " (" + kinds + ")");
}

Option
DepthRow(const StorageEnd& end)
{
    const auto binding = Bind(
        end.member,
        [](StorageSpec& spec, const OptionValue& value) {
            spec.depth = *std::get_if<int64_t>(&value);
        },
        [](const StorageSpec& spec) { return OptionValue(spec.depth); });
    const std::string name(end.name);
    // As the server of the Grid Community Toolkit, which has two buffers for each data connection
    // (globus_gridftp_server_get_optimal_concurrency())
    return WholeRow(Keep(name + "-depth"),
                    Keep(name + "_depth"),
                    OptionScope::SESSION,
                    Dimension::COUNT,
                    "2",
                    DEPTHS,
                    binding,
                    end.depthHelp);
}

} // namespace

void
AddStorageRows(std::vector<Option>& rows)
{
    for (const auto& end : ENDS)
    {
        rows.push_back(KindRow(end));
        for (const auto* parameter : GetStorageParameters())
        {
            rows.push_back(ParameterRow(end, *parameter));
        }
        rows.push_back(DepthRow(end));
    }
}

Done
CheckStorages(const BufferSpec& buffers,
              const std::function<std::string(const std::string&)>& quote)
{
    for (const auto& end : ENDS)
    {
        const StorageSpec& spec = buffers.*end.member;
        const StorageKind* kind = FindStorageKind(spec.kind);
        for (const auto* parameter :
             kind ? kind->parameters : std::vector<const StorageParameter*>())
        {
            if (parameter->isRequired && parameter->Of(spec.values) == 0)
            {
                const std::string name = std::string(end.name) + "-" + std::string(parameter->name);
                return Error{quote(std::string(end.name) + "=" + spec.kind) + " needs " + name +
                             "; allowed with it: above " + FormatWhole(0, parameter->dimension)};
            }
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
