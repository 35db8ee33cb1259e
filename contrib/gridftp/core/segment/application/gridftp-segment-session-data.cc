/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session-data.h"

namespace ns3::gridftp
{

namespace
{

/** @param parts of a session @param count of one, bytes @return the sum of all of them */
uint64_t
SumOf(const auto& parts, const auto& count)
{
    uint64_t bytes = 0;
    for (const auto& part : parts)
    {
        bytes += count(part);
    }
    return bytes;
}

} // namespace

SegmentSessionData::SegmentSessionData(const ApplicationContext& context,
                                       const SessionHosts& hosts,
                                       const SegmentTcp& controlTcp,
                                       const SegmentTcp& dataTcp,
                                       SegmentDtpGroup::User& user,
                                       uint32_t chunk,
                                       const SegmentSessionData* before)
    : m_context(&context),
      m_spec(&context.scenario->sessions[context.index]),
      m_hosts(&hosts),
      m_controlTcp(&controlTcp),
      m_dataTcp(&dataTcp),
      m_plan(m_spec->stripes, m_spec->stripeLayout, static_cast<uint64_t>(m_spec->stripeBlock)),
      m_sender(Peer::SENDER, IsFromServer(m_spec->direction), user),
      m_receiver(Peer::RECEIVER, IsToServer(m_spec->direction), user),
      m_source(before           ? before->m_source
               : context.source ? context.source
                                : MakeStorage(*context.scenario, context.index, false)),
      m_sink(before ? before->m_sink : MakeStorage(*context.scenario, context.index, true)),
      m_pools(before ? before->m_pools : std::make_shared<std::deque<SendPool>>())
{
    AddDtps(chunk, before);
    AddPairs();
}

void
SegmentSessionData::AddDtps(uint32_t chunk, const SegmentSessionData* before)
{
    const Direction direction = m_spec->direction;
    const BufferSettings& buffers = m_dataTcp->buffers;
    // Else the sender closes when the receiver does, which is as good where nobody sees it
    const bool closesAtEnd = direction == Direction::THIRD_PARTY ||
                             (IsFromServer(direction) && HasTwoDirections(*m_context->scenario));
    for (uint32_t i = 0; i < m_plan.GetSenders(); ++i)
    {
        auto& dtp = m_senders.emplace_back(i, closesAtEnd);
        const Outages& outages = m_refusals.emplace_back(
            ListOutages(*m_context->scenario, FaultKind::DTP_DIES, {m_context->index, false, i}));
        dtp.Begin(outages, chunk);
        Join(m_sender, dtp, i, m_context->senders, 0, outages);
        if (buffers.sendPool > 0 && !before)
        {
            m_pools->emplace_back(buffers.sendPool, buffers.segmentBytes);
        }
    }
    for (uint32_t i = 0; i < m_plan.GetReceivers(); ++i)
    {
        // A client has nobody to report to
        const bool reports = !m_context->receivers.empty() || IsToServer(direction);
        auto& dtp = m_receivers.emplace_back(i, reports);
        const Outages& outages = m_refusals.emplace_back(
            ListOutages(*m_context->scenario, FaultKind::DTP_DIES, {m_context->index, true, i}));
        const bool isLimited = HasLimits(*m_context->scenario, *m_spec) && m_spec->stallTimeout > 0;
        // The control connection of each try has a port of the client's host
        const uint32_t taken = reports ? 0 : 1;
        dtp.Begin({.outages = outages,
                   .ports = (before ? before->m_receivers[i].GetPorts() : 0) + taken,
                   .limitNs = isLimited ? m_spec->stallTimeout : NEVER,
                   .tellsRanges = m_spec->retries > 0,
                   .sink = m_sink.get()});
        Join(m_receiver, dtp, i, m_context->receivers, m_context->receiverAddresses[i], outages);
    }
}

template <typename Dtp>
void
SegmentSessionData::Join(SegmentDtpGroup& group,
                         Dtp& dtp,
                         uint32_t stripe,
                         const std::vector<FlowPath>& paths,
                         uint32_t address,
                         const Outages& outages)
{
    const bool isWatched = HasLimits(*m_context->scenario, *m_spec);
    if (paths.empty())
    {
        dtp.SetUser(group.GetDtpUser());
        return group.Add(dtp, address);
    }
    auto& link =
        m_links.emplace_back(SegmentDtpLink::Settings{.flows = m_context->flows,
                                                      .tcp = m_controlTcp,
                                                      .path = paths[stripe],
                                                      .dtp = &dtp,
                                                      .stripe = stripe,
                                                      .user = &group.GetDtpUser(),
                                                      .refusals = isWatched ? &outages : nullptr});
    dtp.SetUser(link.GetDtpUser());
    group.Add(link, address);
}

BlockStages
SegmentSessionData::MakeStages(bool receives, uint32_t stripe) const
{
    const BufferSpec& buffers = m_spec->buffers;
    const int64_t depth = (receives ? buffers.sink : buffers.source).depth;
    return {.storage = {.storage = (receives ? m_sink : m_source).get(),
                        .node = stripe,
                        .offset = 0,
                        .depth = static_cast<uint32_t>(depth)},
            .cpu = m_hosts->GetEnd(receives).GetStripe(stripe).get(),
            .cost = MakeBlockCost(buffers, receives),
            .map = MakeFileMap(buffers.processing, receives)};
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
            .pool = m_pools->empty() ? nullptr : &(*m_pools)[stripes.sender],
            .source = MakeStages(false, stripes.sender),
            .sink = MakeStages(true, stripes.receiver),
            .refusals = &m_refusals[m_plan.GetSenders() + stripes.receiver],
            .isVaried = m_context->scenario->path.variation.IsSet(),
            .closesApart = HasTwoDirections(*m_context->scenario) ||
                           HasActiveQueue(m_context->scenario->path)});
        auto& sender = m_senders[stripes.sender];
        auto& receiver = m_receivers[stripes.receiver];
        pair.SetEnds(sender.GetSender(), receiver.GetReceiver());
        sender.Add(pair);
        receiver.Add(pair);
    }
}

void
SegmentSessionData::ContinueWith(uint32_t chunk, uint32_t ports)
{
    for (auto& dtp : m_senders)
    {
        dtp.SetChunk(chunk);
    }
    for (auto& dtp : m_receivers)
    {
        dtp.SkipPorts(ports);
    }
}

uint32_t
SegmentSessionData::TakeOpened()
{
    uint32_t opened = 0;
    for (auto& pair : m_pairs)
    {
        opened += pair.TakeOpened();
    }
    return opened;
}

void
SegmentSessionData::CloseReceiver(Nanoseconds now)
{
    m_receiver.End(now);
    for (auto& pair : m_pairs)
    {
        pair.StopListening();
    }
}

void
SegmentSessionData::KillDtp(Peer peer, uint32_t stripe, Nanoseconds now)
{
    const bool isSender = peer == Peer::SENDER;
    const bool isApart = GetEnd(peer).IsApart();
    if (isSender)
    {
        m_senders[stripe].Die(now, !isApart);
    }
    else
    {
        m_receivers[stripe].Die(now, !isApart);
    }
    if (isApart)
    {
        const uint32_t first = isSender || !m_sender.IsApart() ? 0 : m_plan.GetSenders();
        m_links[first + stripe].Die(now);
    }
}

void
SegmentSessionData::ResetConnection(Peer peer, uint32_t connection, Nanoseconds now)
{
    const auto end = peer == Peer::SENDER ? TcpConnection::ACTIVE : TcpConnection::PASSIVE;
    for (auto& pair : m_pairs)
    {
        pair.ResetOne(end, connection, now);
    }
}

MarkerRanges
SegmentSessionData::GetRanges(Nanoseconds now) const
{
    MarkerRanges ranges;
    for (const auto& dtp : m_receivers)
    {
        const MarkerRanges own = dtp.GetRanges(now);
        ranges.insert(ranges.end(), own.begin(), own.end());
    }
    return ranges;
}

uint64_t
SegmentSessionData::GetTaken(Nanoseconds now) const
{
    return SumOf(m_receivers, [now](const auto& dtp) { return dtp.GetTaken(now); });
}

uint64_t
SegmentSessionData::GetReceived(Nanoseconds now) const
{
    return SumOf(m_receivers, [now](const auto& dtp) { return dtp.GetReceived(now); });
}

uint64_t
SegmentSessionData::GetRead(Nanoseconds now) const
{
    return SumOf(m_pairs, [now](const auto& pair) { return pair.GetRead(now); });
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

void
SegmentSessionData::AddPairTotals(std::vector<ConnectionTotals>& totals) const
{
    totals.resize(m_pairs.size());
    for (size_t i = 0; i < m_pairs.size(); ++i)
    {
        totals[i].Add(m_pairs[i].GetData().GetTotals());
    }
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
    }
    AddTotals(results);
    return results;
}

void
SegmentSessionData::AddTotals(std::vector<StripeResult>& stripes) const
{
    for (size_t i = 0; i < stripes.size(); ++i)
    {
        stripes[i].totals.Add(m_pairs[i].GetData().GetTotals());
    }
}

} // namespace ns3::gridftp
