/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-processing.h"

#include "gridftp-file-set.h"
#include "gridftp-option-row.h"
#include "gridftp-processing-kind.h"

#include <deque>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr WholeRange RATES{0, 1'000'000'000'000'000};

/** The row of a rate at which a CPU does something with bytes. */
template <int64_t ProcessingSpec::* RATE>
Option
RateRow(std::string_view name, std::string_view key, std::string_view help)
{
    return WholeRow(name,
                    key,
                    OptionScope::SESSION,
                    Dimension::RATE,
                    "0Mbps",
                    RATES,
                    BindMember<&SessionSpec::buffers, &BufferSpec::processing, RATE>(),
                    help);
}

/** Texts that rows keep views of. @param text one of them @return it, for good */
std::string_view
Keep(std::string text)
{
    static std::deque<std::string> kept;
    return kept.emplace_back(std::move(text));
}

/** The names of the modules. */
std::vector<std::string_view>
ListKinds()
{
    std::vector<std::string_view> names;
    for (const auto& kind : GetProcessingKinds())
    {
        names.push_back(kind.name);
    }
    return names;
}

/** A number, as the session's table of a module's numbers has it. */
OptionBinding
Bind(const ProcessingParameter& parameter)
{
    OptionBinding binding;
    binding.set = [&parameter](void* spec, const OptionValue& value) {
        const auto* whole = std::get_if<int64_t>(&value);
        static_cast<SessionSpec*>(spec)->buffers.processing.values.Set(
            parameter.name,
            whole ? static_cast<double>(*whole) : *std::get_if<double>(&value));
    };
    binding.get = [&parameter](const void* spec) {
        const auto& values = static_cast<const SessionSpec*>(spec)->buffers.processing.values;
        return parameter.isReal ? OptionValue(parameter.Of(values))
                                : OptionValue(parameter.CountOf(values));
    };
    return binding;
}

/** The row of a parameter that a module declares. */
Option
ParameterRow(const ProcessingParameter& parameter)
{
    std::string kinds;
    for (const auto& kind : GetProcessingKinds())
    {
        kinds += kind.Takes(parameter) ? (kinds.empty() ? "" : ", ") + std::string(kind.name) : "";
    }
    const auto name = Keep("processing-" + std::string(parameter.name));
    const auto key = Keep("processing_" + std::string(parameter.key));
    const auto help = Keep("processing: " + std::string(parameter.help) + " (" + kinds + ")");
    const auto scope = OptionScope::SESSION;
    const auto& p = parameter;
    if (p.isReal)
    {
        const RealRange range{p.minimum, p.maximum, false, false};
        return RealRow(name, key, scope, p.defaultText, range, Bind(p), help);
    }
    const WholeRange range{static_cast<int64_t>(p.minimum), static_cast<int64_t>(p.maximum)};
    return WholeRow(name, key, scope, p.dimension, p.defaultText, range, Bind(p), help);
}

void
AddModuleRows(std::vector<Option>& rows)
{
    rows.push_back(WordRow(
        OptionKind::NAME,
        "processing",
        "processing",
        OptionScope::SESSION,
        IDENTITY_MODULE,
        "MODULE",
        ListKinds(),
        BindMember<&SessionSpec::buffers, &BufferSpec::processing, &ProcessingSpec::module>(),
        "module of the server that processes the file, as ERET or ESTO names it"));
    for (const auto* parameter : GetProcessingParameters())
    {
        rows.push_back(ParameterRow(*parameter));
    }
}

/** @param shown the option that needs a session with one file @return the error */
Error
MakeOneFileError(const std::string& shown)
{
    return {shown + " needs a session with one file; allowed with it: files=1, "
                    "file-sizes=fixed, repeat-for=0s, no files-of another session"};
}

/** The checksum is of one file, which both hosts have. */
Done
CheckChecksum(const SessionSpec& session,
              const std::function<std::string(const std::string&)>& quote)
{
    const ProcessingSpec& spec = session.buffers.processing;
    if (spec.checksum == FileChecksumKind::NONE)
    {
        return std::monostate{};
    }
    const std::string shown = quote("checksum=adler32");
    const ProcessingKind* kind = FindProcessingKind(spec.module);
    if (kind && kind->map)
    {
        return Error{
            shown + " compares two files, and processing=" + spec.module +
            " makes them differ; allowed with it: processing=" + std::string(IDENTITY_MODULE)};
    }
    if (IsDataSet(session))
    {
        return MakeOneFileError(shown);
    }
    return std::monostate{};
}

/** A module is of one file, and that is large enough. */
Done
CheckModule(const SessionSpec& session, const std::function<std::string(const std::string&)>& quote)
{
    const ProcessingSpec& spec = session.buffers.processing;
    const ProcessingKind* kind = FindProcessingKind(spec.module);
    if (!kind || (!kind->map && !kind->region))
    {
        return std::monostate{};
    }
    const std::string shown = quote("processing=" + spec.module);
    for (const auto* parameter : kind->parameters)
    {
        if (parameter->isRequired && parameter->CountOf(spec.values) == 0)
        {
            return Error{shown + " needs processing-" + std::string(parameter->name) +
                         "; allowed with it: above " + FormatWhole(0, parameter->dimension)};
        }
    }
    if (IsDataSet(session))
    {
        return MakeOneFileError(shown);
    }
    if (kind->map && (session.retries > 0 || !session.restart.empty()))
    {
        return Error{shown + " changes the file, and restart markers do not cover that; allowed "
                             "with it: retries=0, restart=none"};
    }
    const auto fileBytes = static_cast<uint64_t>(session.fileSize);
    const MarkerRange part = FindRegion(spec, fileBytes);
    if (kind->region && part.end > fileBytes)
    {
        return Error{
            shown + " ends at " + std::to_string(part.end) +
            "; allowed: up to file-size=" + FormatWhole(session.fileSize, Dimension::BYTES)};
    }
    if (!session.restart.empty() &&
        (session.restart.front().begin < part.begin || session.restart.back().end > part.end))
    {
        return Error{quote("restart=" + session.restartText) +
                     " is not within the part; allowed with processing=" + spec.module + ": " +
                     FormatRanges({part})};
    }
    return std::monostate{};
}

} // namespace

void
AddProcessingRows(std::vector<Option>& rows)
{
    AddModuleRows(rows);
    rows.push_back(RateRow<&ProcessingSpec::cpuRate>(
        "cpu-rate",
        "cpu_rate_bps",
        "rate at which the CPU of each host moves bytes of the file; 0Mbps: no limit"));
    rows.push_back(WordRow(
        OptionKind::CHOICE,
        "protection",
        "protection",
        OptionScope::SESSION,
        "clear",
        "clear|integrity|confidentiality",
        {"clear", "integrity", "confidentiality"},
        BindMember<&SessionSpec::buffers, &BufferSpec::processing, &ProcessingSpec::protection>(),
        "protection of data channels, on the CPUs of both hosts"));
    rows.push_back(RateRow<&ProcessingSpec::integrityRate>(
        "integrity-rate",
        "integrity_rate_bps",
        "protection integrity: rate at which a CPU computes or checks checksums"));
    rows.push_back(RateRow<&ProcessingSpec::confidentialityRate>(
        "confidentiality-rate",
        "confidentiality_rate_bps",
        "protection confidentiality: rate at which a CPU encrypts or decrypts"));
    rows.push_back(WordRow(
        OptionKind::CHOICE,
        "checksum",
        "checksum",
        OptionScope::SESSION,
        "none",
        "none|adler32",
        {"none", "adler32"},
        BindMember<&SessionSpec::buffers, &BufferSpec::processing, &ProcessingSpec::checksum>(),
        "checksum of the file that the client compares at the end (CKSM)"));
    rows.push_back(RateRow<&ProcessingSpec::checksumRate>(
        "checksum-rate",
        "checksum_rate_bps",
        "rate at which a CPU computes the checksum of the file; 0Mbps: no limit"));
    rows.push_back(WholeRow("request-cpu",
                            "request_cpu_s",
                            OptionScope::SESSION,
                            Dimension::TIME,
                            "0ms",
                            {0, 1'000'000'000'000},
                            BindMember<&SessionSpec::requestCpu>(),
                            "CPU time of a server for each ESTO or ERET before it begins"));
}

Done
CheckProcessing(const SessionSpec& session,
                const std::function<std::string(const std::string&)>& quote)
{
    const ProcessingSpec& spec = session.buffers.processing;
    if (spec.protection != Protection::CLEAR && spec.GetProtectionRate() == 0)
    {
        const std::string word =
            spec.protection == Protection::INTEGRITY ? "integrity" : "confidentiality";
        return Error{quote("protection=" + word) + " needs " + word +
                     "-rate; allowed with it: above " + FormatWhole(0, Dimension::RATE)};
    }
    if (auto done = CheckChecksum(session, quote); !done)
    {
        return done;
    }
    return CheckModule(session, quote);
}

} // namespace ns3::gridftp
