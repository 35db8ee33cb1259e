/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-network.h"

namespace ns3::gridftp
{

namespace
{

/** A link header and an IP packet of a full segment. */
int64_t
DataBytes(const Scenario& scenario)
{
    return scenario.path.packetSize + LINK_HEADER_BYTES;
}

/** A link header and an ACK. */
constexpr int64_t ACK_BYTES = HEADER_BYTES + LINK_HEADER_BYTES;

} // namespace

SegmentNetwork::SegmentNetwork(const Scenario& scenario)
    : m_merges(scenario.sessions.size() + scenario.background.size() > 1),
      m_forward(TransmissionTime(scenario.path.bandwidth, DataBytes(scenario)),
                scenario.path.delay,
                scenario.path.queue),
      m_reverse(TransmissionTime(scenario.path.bandwidth, ACK_BYTES),
                scenario.path.delay,
                scenario.path.queue)
{
    const bool upload = scenario.sessions.front().direction == Direction::UPLOAD;
    const TransmissionTime data(scenario.path.accessBandwidth, DataBytes(scenario));
    const TransmissionTime ack(scenario.path.accessBandwidth, ACK_BYTES);
    const auto add = [&](int64_t delay) {
        // What a session's delay is more than the bottleneck's is on its client's access link
        const int64_t server = scenario.path.accessDelay;
        const int64_t client = server + std::max<int64_t>(0, delay - scenario.path.delay);
        const int64_t sender = upload ? client : server;
        const int64_t receiver = upload ? server : client;
        m_pairs.push_back({AccessLink(data, sender),
                           AccessLink(ack, sender),
                           AccessLink(ack, receiver),
                           AccessLink(data, receiver)});
    };
    for (const auto& session : scenario.sessions)
    {
        add(session.delay);
    }
    for (const auto& background : scenario.background)
    {
        add(background.delay);
    }
    m_single = &m_pairs.front();
    m_usualLeadNs = m_single->senderOut.GetLead(DataBytes(scenario));
    m_ackLeadNs = m_single->receiverOut.GetLead(ACK_BYTES);
    if (scenario.path.randomLoss > 0)
    {
        constexpr uint64_t LOSS = 0x6c6f7373; // apart from the draws of the start jitter
        m_forward.SetLoss(scenario.path.randomLoss,
                          KeyedRandom({static_cast<uint64_t>(scenario.measure.seed),
                                       static_cast<uint64_t>(scenario.measure.run),
                                       LOSS}));
    }
}

void
SegmentNetwork::ShowBottleneck(const BottleneckLink& link,
                               int64_t now,
                               int64_t across,
                               int64_t bytes,
                               SegmentPacket packet)
{
    const bool forward = &link == &m_forward;
    if (across == BottleneckLink::DROPPED)
    {
        const auto place = forward ? PacketPlace::FORWARD_REFUSED : PacketPlace::REVERSE_REFUSED;
        return m_watcher->HandleStay({place, now, now, packet});
    }
    const int64_t begun = link.GetFreeNs() - link.GetTransmissionNs(bytes);
    if (begun > now)
    {
        const auto place = forward ? PacketPlace::FORWARD_QUEUE : PacketPlace::REVERSE_QUEUE;
        m_watcher->HandleStay({place, now, begun, packet});
    }
    if (across == BottleneckLink::LOST)
    {
        const int64_t left = link.GetFreeNs();
        return m_watcher->HandleStay({PacketPlace::FORWARD_LOST, left, left, packet});
    }
    const auto place = forward ? PacketPlace::FORWARD : PacketPlace::REVERSE;
    m_watcher->HandleStay({place, begun, across, packet});
}

} // namespace ns3::gridftp
