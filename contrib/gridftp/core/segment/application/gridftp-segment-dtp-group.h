/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DTP_GROUP_H
#define GRIDFTP_SEGMENT_DTP_GROUP_H

#include "gridftp-control-script.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-dtp.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The DTPs of one end of a session, as their PI has them: it tells them what to do, one after the
 * other, and hears when all have done it.
 */
class SegmentDtpGroup final : private SegmentDtp::User
{
  public:
    /** The PI. */
    class User
    {
      public:
        virtual ~User() = default;

        /** All listen. @param group which @param now of the simulation */
        virtual void HandleListening(SegmentDtpGroup& group, Nanoseconds now) = 0;

        /** All have begun to send or to receive. @param group which @param now of the simulation */
        virtual void HandleReady(SegmentDtpGroup& group, Nanoseconds now) = 0;

        /** One has received something. @param group which @param now of the simulation @param
         * stripe which one @param bytes so far */
        virtual void HandleBytes(SegmentDtpGroup& group,
                                 Nanoseconds now,
                                 uint32_t stripe,
                                 uint64_t bytes) = 0;

        /** All have sent or received their part. @param group which @param now of the simulation */
        virtual void HandleDone(SegmentDtpGroup& group, Nanoseconds now) = 0;

        /** One cannot go on, and all have let go of everything. @param group which @param now of
         * the simulation @param code of a reply @param reason for a person */
        virtual void HandleDtpFailed(SegmentDtpGroup& group,
                                     Nanoseconds now,
                                     int code,
                                     const std::string& reason) = 0;
    };

    /** @param peer what its DTPs do @param isOfServer whether its PI is a server, else the client
     * @param user the PI; outlives it */
    SegmentDtpGroup(Peer peer, bool isOfServer, User& user)
        : m_peer(peer),
          m_isOfServer(isOfServer),
          m_user(&user)
    {
    }

    SegmentDtpGroup(const SegmentDtpGroup&) = delete;
    SegmentDtpGroup& operator=(const SegmentDtpGroup&) = delete;

    /** @param dtp the next one; outlives it @param address where others reach its host */
    void Add(SegmentDtp& dtp, uint32_t address)
    {
        m_dtps.push_back(&dtp);
        m_addresses.push_back({address, 0});
        m_bytes.push_back(0);
        m_elapsedNs.emplace_back();
    }

    /** @return who hears of the DTPs */
    SegmentDtp::User& GetDtpUser()
    {
        return *this;
    }

    /** @return what its DTPs do */
    Peer GetPeer() const
    {
        return m_peer;
    }

    /** @return whether its PI is a server, else the client */
    bool IsOfServer() const
    {
        return m_isOfServer;
    }

    /** @return whether its DTPs are on other hosts than the PI */
    bool IsApart() const
    {
        return m_dtps.size() > 1;
    }

    /** @return where its DTPs listen, by stripe */
    const std::vector<HostPort>& GetAddresses() const
    {
        return m_addresses;
    }

    /** @return file bytes of the chunk that is done, by stripe */
    const std::vector<uint64_t>& GetBytes() const
    {
        return m_bytes;
    }

    /** @return of the chunk that is done, where pairs of stripes have numbers of connections of
     * their own: from SEND to the last acknowledgement of each, ns */
    std::vector<int64_t> GetElapsedNs() const;

    /** @return whether all are done with the last chunk */
    bool IsDone() const
    {
        return m_done == m_dtps.size();
    }

    /** All are to listen. @param now of the simulation @param window W, bytes */
    void Listen(Nanoseconds now, uint32_t window);

    /** All are to receive. @param now of the simulation @param chunk of the file @param held ranges
     * of it that are there already */
    void Receive(Nanoseconds now, const Block& chunk, const MarkerRanges& held);

    /** All are to send. @param now of the simulation @param order what; its stripe is filled in */
    void Send(Nanoseconds now, const DtpOrder& order);

    /** The chunk is over. @param now of the simulation @param closes the connections are closed */
    void Finish(Nanoseconds now, bool closes);

    /** All let go of everything. @param now of the simulation */
    void Abort(Nanoseconds now);

    /** All are let go of without a word. @param now of the simulation */
    void Drop(Nanoseconds now);

    /** @return ranges of the file that they have told of, of the chunk under way; with those that
     * were there before */
    const MarkerRanges& GetRanges() const
    {
        return m_ranges;
    }

    /** Goodbye. @param now of the simulation */
    void End(Nanoseconds now);

  private:
    // SegmentDtp::User
    void HandleNotice(uint32_t stripe, Nanoseconds now, const DtpNotice& notice) override;

    /** One more has answered. @return whether all have */
    bool IsLastAnswer()
    {
        return ++m_answers == m_dtps.size();
    }

    /** Says the same to all. @param now of the simulation @param command what */
    void OrderAll(Nanoseconds now, const DtpCommand& command);

    Peer m_peer;                                   //!< see GetPeer()
    bool m_isOfServer;                             //!< see IsOfServer()
    User* m_user;                                  //!< the PI
    std::vector<SegmentDtp*> m_dtps;               //!< by stripe
    std::vector<HostPort> m_addresses;             //!< see GetAddresses()
    std::vector<uint64_t> m_bytes;                 //!< see GetBytes()
    std::vector<std::vector<int64_t>> m_elapsedNs; //!< see GetElapsedNs(), by stripe
    uint32_t m_answers{0};                         //!< how many have answered to the last order
    uint32_t m_done{0};                            //!< how many are done
    MarkerRanges m_ranges;                         //!< see GetRanges()
    bool m_isAborted{false};                       //!< all have let go of everything
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DTP_GROUP_H
