/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session-data.h"

namespace ns3::gridftp
{

SegmentSessionData::SegmentSessionData(const ApplicationContext& context,
                                       const SegmentTcp& controlTcp,
                                       const SegmentTcp& dataTcp,
                                       SegmentDtpGroup::User& user)
    : m_context(&context),
      m_spec(&context.scenario->sessions[context.index]),
      m_controlTcp(&controlTcp),
      m_dataTcp(&dataTcp),
      m_plan(m_spec->stripes, m_spec->stripeLayout, static_cast<uint64_t>(m_spec->stripeBlock)),
      m_sender(Peer::SENDER, user),
      m_receiver(Peer::RECEIVER, user),
      m_source(context.source ? context.source
                              : MakeStorage(*context.scenario, context.index, false)),
      m_sink(MakeStorage(*context.scenario, context.index, true))
{
    AddDtps();
    AddPairs();
}

void
SegmentSessionData::AddDtps()
{
    const Direction direction = m_spec->direction;
    const BufferSettings& buffers = m_dataTcp->buffers;
    for (uint32_t i = 0; i < m_plan.GetSenders(); ++i)
    {
        auto& dtp = m_senders.emplace_back(i, direction == Direction::THIRD_PARTY);
        Join(m_sender, dtp, i, m_context->senders, 0);
        if (buffers.sendPool > 0)
        {
            m_pools.emplace_back(buffers.sendPool, buffers.segmentBytes);
        }
    }
    for (uint32_t i = 0; i < m_plan.GetReceivers(); ++i)
    {
        // A client has nobody to report to
        const bool reports = !m_context->receivers.empty() || IsToServer(direction);
        auto& dtp = m_receivers.emplace_back(i, reports);
        Join(m_receiver, dtp, i, m_context->receivers, m_context->receiverAddresses[i]);
    }
}

template <typename Dtp>
void
SegmentSessionData::Join(SegmentDtpGroup& group,
                         Dtp& dtp,
                         uint32_t stripe,
                         const std::vector<FlowPath>& paths,
                         uint32_t address)
{
    if (paths.empty())
    {
        dtp.SetUser(group.GetDtpUser());
        return group.Add(dtp, address);
    }
    auto& link = m_links.emplace_back(SegmentDtpLink::Settings{.flows = m_context->flows,
                                                               .tcp = m_controlTcp,
                                                               .path = paths[stripe],
                                                               .dtp = &dtp,
                                                               .stripe = stripe,
                                                               .user = &group.GetDtpUser()});
    dtp.SetUser(link.GetDtpUser());
    group.Add(link, address);
}

void
SegmentSessionData::AddPairs()
{
    const RunSpec& measure = m_context->scenario->measure;
    for (uint32_t i = 0; i < m_plan.GetPairs(); ++i)
    {
        const StripePair stripes = m_plan.GetPair(i);
        auto& pair = m_pairs.emplace_back(SegmentDataPair::Settings{
            .spec = m_spec,
            .tcp = m_dataTcp,
            .flows = m_context->flows,
            .session = m_context->index,
            .pair = i,
            .path = m_context->data[i],
            .jitter = {static_cast<uint64_t>(measure.seed),
                       static_cast<uint64_t>(measure.run),
                       m_context->index,
                       m_spec->startJitter},
            .pool = m_pools.empty() ? nullptr : &m_pools[stripes.sender],
            .source = {.storage = m_source.get(),
                       .node = stripes.sender,
                       .offset = 0,
                       .depth = static_cast<uint32_t>(m_spec->buffers.source.depth)},
            .sink = {.storage = m_sink.get(),
                     .node = stripes.receiver,
                     .offset = 0,
                     .depth = static_cast<uint32_t>(m_spec->buffers.sink.depth)}});
        auto& sender = m_senders[stripes.sender];
        auto& receiver = m_receivers[stripes.receiver];
        pair.SetEnds(sender.GetSender(), receiver.GetReceiver());
        sender.Add(pair);
        receiver.Add(pair);
    }
}

uint64_t
SegmentSessionData::GetRead(Nanoseconds now) const
{
    uint64_t bytes = 0;
    for (const auto& pair : m_pairs)
    {
        bytes += pair.GetRead(now);
    }
    return bytes;
}

ConnectionTotals
SegmentSessionData::GetTotals() const
{
    ConnectionTotals sum;
    for (const auto& pair : m_pairs)
    {
        sum.Add(pair.GetData().GetTotals());
    }
    return sum;
}

BufferTally
SegmentSessionData::GetBuffers() const
{
    BufferTally all;
    for (const auto& pair : m_pairs)
    {
        all.Add(pair.GetBuffers());
    }
    return all;
}

std::vector<StripeResult>
SegmentSessionData::GetStripes(const std::vector<ChunkRecord>& records) const
{
    std::vector<StripeResult> results;
    for (uint32_t i = 0; m_spec->stripes.IsStriped() && i < m_pairs.size(); ++i)
    {
        const StripePair stripes = m_plan.GetPair(i);
        StripeResult& result = results.emplace_back();
        result.sender = stripes.sender;
        result.receiver = stripes.receiver;
        for (const auto& record : records)
        {
            result.bytes += m_plan.GetRanges(i, record.offset, record.bytes).GetBytes();
        }
        result.totals = m_pairs[i].GetData().GetTotals();
    }
    return results;
}

} // namespace ns3::gridftp
