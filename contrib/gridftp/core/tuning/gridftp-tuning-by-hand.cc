/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-by-hand.h"

#include "gridftp-quantity.h"
#include "gridftp-text.h"
#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr std::array PARAMETERS{&MAX_PARALLELISM};

constexpr std::array DASHES{4.0, 1.0, 1.0, 1.0};

/** What somebody has decided beforehand: no measurement changes it. */
class ByHandPolicy final : public TuningPolicy
{
  public:
    /** @param list N of each chunk, the last one of all that follow; at least one */
    explicit ByHandPolicy(std::vector<uint32_t> list)
        : m_list(std::move(list))
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_list.front();
    }

  protected:
    uint32_t DoDecide(const ChunkSample& /* sample */) override
    {
        m_next = std::min(m_next + 1, m_list.size() - 1);
        return m_list[m_next];
    }

    uint32_t DoSkip(const ChunkSample& sample) override
    {
        return DoDecide(sample); // it was a chunk, whatever was measured of it
    }

  private:
    std::vector<uint32_t> m_list; //!< N of each chunk
    size_t m_next{0};             //!< place of the last decision
};

} // namespace

Expected<std::vector<uint32_t>>
ReadChunkParallelism(std::string_view text, uint32_t most)
{
    std::vector<uint32_t> list;
    for (size_t at = 0; at <= text.size();)
    {
        const size_t end = std::min(text.find(':', at), text.size());
        const auto part = text.substr(at, end - at);
        const auto n = ParseWhole(part, Dimension::COUNT);
        if (!n || *n < 1 || *n > most)
        {
            return Error{"has '" + Printable(part) + "' for chunk " + std::to_string(list.size()) +
                         "; allowed: N:N:..., whole numbers from 1 to " + std::to_string(most)};
        }
        list.push_back(static_cast<uint32_t>(*n));
        at = end + 1;
    }
    return list;
}

TuningMode
DeclareByHand()
{
    return {
        .name = "by-hand",
        .label = "by hand",
        .help = "given numbers of connections, one for each chunk",
        .look = {.color = "#8A6D00", .marker = "d", .markerSize = 3.4, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = nullptr,
        .makeWith = [](const NamedValues& values,
                       const TuningContext& context) -> Expected<std::unique_ptr<TuningPolicy>> {
            const std::string text =
                context.chunkParallelism.empty() ? "1" : context.chunkParallelism;
            const auto list = ReadChunkParallelism(text, MAX_PARALLELISM.CountOf(values));
            if (!list)
            {
                return Error{"chunk parallelism '" + Printable(text) + "' " +
                             list.GetError().message};
            }
            return std::unique_ptr<TuningPolicy>(std::make_unique<ByHandPolicy>(*list));
        },
        .need = TuningNeed::LIST,
    };
}

} // namespace ns3::gridftp
