/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session whose files go both ways over one control connection.
 *
 * The client of the Grid Community Toolkit 6.2 sends no more between an upload and a download than
 * PORT, and no more than PASV the other way round (observed); it opens new data connections, as the
 * sender opens them in MODE E (GFD.20). The end that sent and the end that received close the old
 * ones when they agree on the new address.
 */

namespace ns3::gridftp
{

std::unique_ptr<SegmentSession::Opposite>
SegmentSession::MakeOpposite() const
{
    if (!HasBothDirections(*m_spec))
    {
        return nullptr;
    }
    auto made = std::make_unique<Opposite>(Opposite{*m_context.scenario, m_context, m_hosts});
    made->scenario.sessions[m_index].direction =
        m_spec->direction == Direction::UPLOAD ? Direction::DOWNLOAD : Direction::UPLOAD;
    made->context.scenario = &made->scenario;
    made->context.data = {m_context.oppositeData};
    made->context.receiverAddresses = {m_context.oppositeAddress};
    std::swap(made->hosts.receiver, made->hosts.sender);
    return made;
}

void
SegmentSession::ChangeDirection(Nanoseconds now)
{
    Try& one = GetTry();
    const auto chunk = static_cast<uint32_t>(m_records.size());
    std::swap(one.data, one.idle);
    if (!one.data)
    {
        SegmentDtpGroup::User& user = *this;
        one.data = std::make_unique<SegmentSessionData>(m_opposite->context,
                                                        m_opposite->hosts,
                                                        m_controlTcp,
                                                        m_dataTcp,
                                                        user,
                                                        chunk,
                                                        nullptr);
    }
    one.data->ContinueWith(chunk, one.idle->TakeOpened());
    m_direction = IsUpload() ? Direction::DOWNLOAD : Direction::UPLOAD;
    m_pipeline.SetDirection(m_direction);
    const Peer peer = IsUpload() ? Peer::RECEIVER : Peer::SENDER;
    GetServer(peer).SetPeer(peer);
    m_hasAddress = false;
    if (IsDownload())
    {
        CloseIdle(one, Peer::SENDER, now); // what it received it closes when the server listens
    }
}

void
SegmentSession::CloseIdle(const Try& one, Peer peer, Nanoseconds now)
{
    if (one.idle)
    {
        peer == Peer::SENDER ? one.idle->CloseSender(now) : one.idle->CloseReceiver(now);
    }
}

void
SegmentSession::ResetIdle(const Try& one, bool isServer, Nanoseconds now)
{
    for (const Peer peer : {Peer::RECEIVER, Peer::SENDER})
    {
        if (one.idle && one.idle->GetEnd(peer).IsOfServer() == isServer)
        {
            one.idle->GetEnd(peer).Abort(now);
        }
    }
}

} // namespace ns3::gridftp
