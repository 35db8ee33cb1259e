/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-external-program.h"
#include "gridftp-json-reader.h"
#include "gridftp-json-writer.h"
#include "gridftp-text.h"
#include "gridftp-tuning-mode.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr std::array PARAMETERS{&MAX_PARALLELISM};

constexpr std::array DASHES{2.0, 1.0, 0.6, 1.0, 0.6, 1.0};

/** Of what is said, below: it rises when a program that understood it would not do so any more. */
constexpr int64_t PROTOCOL = 1;

/** @return the first line */
std::string
MakeHello(const ExternalTerms& terms, uint32_t most)
{
    JsonWriter json;
    json.BeginObject().Key("event").String("hello").Key("protocol").Integer(PROTOCOL);
    json.Key("session").Integer(terms.session).Key("pair").Integer(terms.pair);
    json.Key("pairs").Integer(terms.pairs).Key("max_parallelism").Integer(most);
    json.Key("file_size_bytes").Integer(terms.fileBytes);
    json.Key("chunk_size_bytes").Integer(terms.chunkBytes);
    json.Key("window_bytes").Integer(terms.windowBytes);
    json.Key("segment_bytes").Integer(terms.segmentBytes);
    json.Key("seed").Integer(terms.seed).Key("run").Integer(terms.run).EndObject();
    return json.GetText();
}

/** @return the line after a chunk */
std::string
MakeReport(int64_t index, const ChunkSample& sample)
{
    JsonWriter json;
    const auto count = [](uint64_t value) { return static_cast<int64_t>(value); };
    json.BeginObject().Key("event").String("chunk").Key("index").Integer(index);
    json.Key("bytes").Integer(count(sample.bytes));
    json.Key("remaining_bytes").Integer(count(sample.remainingBytes));
    json.Key("duration_s").Number(sample.durationS);
    json.Key("goodput_bps").Number(sample.GetGoodputBps());
    json.Key("rtt_s").Number(sample.rttS).Key("window_bytes").Number(sample.windowBytes);
    json.Key("parallelism").Integer(sample.parallelism);
    json.Key("segments").Integer(count(sample.segments.sent));
    json.Key("retransmitted").Integer(count(sample.segments.retransmitted));
    json.Key("loss_share").Number(sample.segments.GetLossShare());
    json.Key("valid").Bool(sample.IsValid()).EndObject();
    return json.GetText();
}

/**
 * A program outside decides. It gets a JSON object a line and answers each with one, as
 * {"parallelism": 4}: first "hello", which the first chunk's N answers, then "chunk" with what was
 * measured, after each chunk. Other members of an answer are the program's own matter.
 *
 * It is asked about chunks that are no basis for a decision, too, which say "valid": false: it may
 * count bytes and time, and nobody else would tell it.
 */
class ExternalPolicy final : public TuningPolicy
{
  public:
    /** @param tuning whom to ask @param most the largest N @param program it */
    ExternalPolicy(const TuningContext& tuning,
                   uint32_t most,
                   std::unique_ptr<ExternalProgram> program)
        : m_name("tuner '" + Printable(tuning.command) + "'"),
          m_most(most),
          m_program(std::move(program))
    {
        m_initial = Ask(MakeHello(tuning.terms, most), "asked for the first chunk").value_or(1);
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_initial;
    }

    void End() override
    {
        m_program.reset();
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        const std::string when = "asked after chunk " + std::to_string(m_index);
        return Ask(MakeReport(m_index++, sample), when).value_or(sample.parallelism);
    }

    uint32_t DoSkip(const ChunkSample& sample) override
    {
        return DoDecide(sample);
    }

  private:
    /** @param line to the program @param when for a person @return N; nothing: it has failed */
    std::optional<uint32_t> Ask(const std::string& line, const std::string& when)
    {
        const auto answer = m_program->Ask(line);
        if (!answer)
        {
            Fail(m_name + ", " + when + ", " + answer.GetError().message);
            return std::nullopt;
        }
        const auto json = ParseJson(*answer);
        const JsonValue* value = json ? FindParallelism(*json) : nullptr;
        const auto n = value ? value->GetWhole() : std::nullopt;
        if (n && *n >= 1 && *n <= m_most)
        {
            return static_cast<uint32_t>(*n);
        }
        Fail(m_name + ", " + when + ", answered '" + Printable(*answer) +
             "'; allowed: {\"parallelism\": N} on a line, N a whole number from 1 to " +
             std::to_string(m_most));
        return std::nullopt;
    }

    /** @return the member of an answer that counts, a number; null: there is none */
    static const JsonValue* FindParallelism(const JsonValue& answer)
    {
        for (size_t i = 0; i < answer.keys.size(); ++i)
        {
            if (answer.keys[i] == "parallelism")
            {
                return answer.items[i].kind == JsonKind::NUMBER ? &answer.items[i] : nullptr;
            }
        }
        return nullptr;
    }

    std::string m_name;                         //!< for a person
    uint32_t m_most;                            //!< the largest N
    std::unique_ptr<ExternalProgram> m_program; //!< decides
    uint32_t m_initial{1};                      //!< its first decision
    int64_t m_index{0};                         //!< of the next chunk
};

Expected<std::unique_ptr<TuningPolicy>>
MakeExternalPolicy(const NamedValues& values, const TuningContext& tuning)
{
    if (!tuning.start)
    {
        return Error{"mode external starts a program, which is not possible here; allowed: another "
                     "mode, or ./gridftp run"};
    }
    auto program = tuning.start(tuning.command, tuning.timeoutNs);
    if (!program)
    {
        return Error{"tuner '" + Printable(tuning.command) + "' " + program.GetError().message};
    }
    std::unique_ptr<TuningPolicy> policy =
        std::make_unique<ExternalPolicy>(tuning,
                                         MAX_PARALLELISM.CountOf(values),
                                         std::move(*program));
    if (!policy->GetFailure().empty())
    {
        return Error{policy->GetFailure()};
    }
    return policy;
}

} // namespace

TuningMode
DeclareExternal()
{
    return {
        .name = "external",
        .label = "external",
        .help = "your program decides: it gets a line of JSON after each chunk",
        .look = {.color = "#8C8C8C", .marker = "*", .markerSize = 3.2, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = nullptr,
        .makeWith = &MakeExternalPolicy,
        .need = TuningNeed::PROGRAM,
    };
}

} // namespace ns3::gridftp
