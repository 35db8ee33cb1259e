/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DTP_LINK_H
#define GRIDFTP_SEGMENT_DTP_LINK_H

#include "gridftp-dtp-text.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-control-channel.h"
#include "gridftp-segment-dtp.h"

#include <cstdint>
#include <deque>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A DTP on another host than its PI, and the connection between them, over which both talk as
 * gridftp-dtp-text.h says. It is opened when there is something to say, and kept until the PI ends
 * or aborts what the DTP does. Both then close it, packet by packet.
 */
class SegmentDtpLink final : public SegmentDtp,
                             private SegmentDtp::User,
                             private SegmentControlChannel::User
{
  public:
    /** What it is given; all that is pointed to outlives it. */
    struct Settings
    {
        FlowTable* flows{nullptr};        //!< the table of its connection
        const SegmentTcp* tcp{nullptr};   //!< TCP of its connection
        FlowPath path;                    //!< from the PI, end 0, to the DTP
        SegmentDtp* dtp{nullptr};         //!< what it leads to
        uint32_t stripe{0};               //!< which DTP that is
        SegmentDtp::User* user{nullptr};  //!< hears of it at the PI's host
        const Outages* refusals{nullptr}; //!< see SegmentControlChannel
    };

    /** @param settings what it is given */
    explicit SegmentDtpLink(const Settings& settings);

    SegmentDtpLink(const SegmentDtpLink&) = delete;
    SegmentDtpLink& operator=(const SegmentDtpLink&) = delete;

    /** @return who hears of the DTP at its own host */
    SegmentDtp::User& GetDtpUser()
    {
        return *this;
    }

    // SegmentDtp
    void Order(Nanoseconds now, const DtpCommand& command) override;
    void Drop(Nanoseconds now) override;

    /** The DTP is killed. @param now of the simulation */
    void Die(Nanoseconds now);

  private:
    // SegmentDtp::User
    void HandleNotice(uint32_t stripe, Nanoseconds now, const DtpNotice& notice) override;

    // SegmentControlChannel::User
    void HandleControlConnected(Nanoseconds now) override;
    void HandleControlAccepted(Nanoseconds now) override;
    void HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t message) override;
    void HandleControlFailed(Nanoseconds now, const char* reason) override;
    void HandleControlLost(Nanoseconds now) override;

    /** The PI is told that there is no connection. @param now of the simulation */
    void TellFailure(Nanoseconds now);

    /** The PI says what it has to say. @param now of the simulation @param command what */
    void Say(Nanoseconds now, const DtpCommand& command);

    Settings m_settings;             //!< what it is given
    SegmentControlChannel m_channel; //!< the connection
    std::deque<DtpCommand> m_orders; //!< to be said, or on their way
    std::deque<DtpNotice> m_notices; //!< on their way
    bool m_isOpening{false};         //!< it is opened, or was
    bool m_isConnected{false};       //!< it is open
    bool m_hasLeft{false};           //!< the PI has closed it
    std::string m_failure;           //!< why it is no more, as the PI has heard; empty: it has not
    bool m_isAlone{false};           //!< the DTP has lost it, or has closed it
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DTP_LINK_H
