/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"

#include <array>

namespace ns3::gridftp
{

namespace
{

constexpr std::array PARAMETERS{&PARALLELISM};

constexpr std::array DASHES{1.2, 1.4};

/** The same N throughout: what GridFTP does without a tuner. */
class FixedPolicy : public TuningPolicy
{
  public:
    /** @param parallelism N */
    explicit FixedPolicy(uint32_t parallelism)
        : m_parallelism(parallelism)
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_parallelism;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& /* sample */) override
    {
        return m_parallelism;
    }

  private:
    uint32_t m_parallelism; //!< N
};

} // namespace

TuningMode
DeclareFixed()
{
    return {
        .name = "fixed",
        .label = "fixed",
        .help = "the same number of connections throughout",
        .look = {.color = "#000000", .marker = "D", .markerSize = 3.0, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            return std::make_unique<FixedPolicy>(PARALLELISM.CountOf(values));
        },
    };
}

} // namespace ns3::gridftp
