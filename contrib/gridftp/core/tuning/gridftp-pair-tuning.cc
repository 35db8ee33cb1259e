/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-pair-tuning.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

void
PairTuning::Add(std::unique_ptr<TuningPolicy> policy)
{
    m_parallelism.push_back(policy->GetInitialParallelism());
    m_policies.push_back(std::move(policy));
}

void
PairTuning::End()
{
    for (const auto& policy : m_policies)
    {
        policy->End();
    }
}

std::string
PairTuning::GetFailure() const
{
    const auto at = std::ranges::find_if_not(m_policies, [](const auto& policy) {
        return policy->GetFailure().empty();
    });
    return at == m_policies.end() ? "" : (*at)->GetFailure();
}

uint32_t
PairTuning::GetMost() const
{
    return m_parallelism.empty() ? 0 : *std::ranges::max_element(m_parallelism);
}

std::vector<PairRecord>
PairTuning::Decide(const ChunkSample& whole,
                   const std::vector<uint64_t>& bytes,
                   const std::vector<int64_t>& elapsedNs,
                   const std::vector<SentSegments>& segments)
{
    const int64_t lastNs = *std::ranges::max_element(elapsedNs);
    std::vector<PairRecord> records;
    for (size_t i = 0; i < m_policies.size(); ++i)
    {
        ChunkSample sample = whole;
        sample.bytes = bytes[i];
        sample.fullBytes = bytes[i] + (whole.fullBytes - whole.bytes);
        sample.durationS -= static_cast<double>(lastNs - elapsedNs[i]) / 1e9;
        sample.parallelism = m_parallelism[i];
        sample.pairs = 1;
        sample.segments = i < segments.size() ? segments[i] : SentSegments{};
        m_parallelism[i] = m_policies[i]->Decide(sample);
        records.push_back(
            {sample.parallelism, m_parallelism[i], sample.GetGoodputBps(), sample.segments});
    }
    return records;
}

} // namespace ns3::gridftp
