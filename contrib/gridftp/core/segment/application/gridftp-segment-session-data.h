/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SESSION_DATA_H
#define GRIDFTP_SEGMENT_SESSION_DATA_H

#include "gridftp-nanoseconds.h"
#include "gridftp-result.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-data-pair.h"
#include "gridftp-segment-dtp-group.h"
#include "gridftp-segment-dtp-link.h"
#include "gridftp-segment-dtp.h"
#include "gridftp-send-pool.h"
#include "gridftp-session-hosts.h"
#include "gridftp-storage.h"
#include "gridftp-stripe-plan.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What moves the data of a session: the DTPs at both of its ends, their data connections, and the
 * connections to those DTPs that are on another host than their PI.
 */
class SegmentSessionData
{
  public:
    /**
     * @param context what the session is given
     * @param hosts of the session; outlive it
     * @param controlTcp TCP of connections to DTPs; outlives it
     * @param dataTcp TCP of data connections; outlives it
     * @param user hears of both ends; outlives it
     * @param chunk that is sent first, counted from 0
     * @param before that of the try before, on the same hosts; null: there was none
     */
    SegmentSessionData(const ApplicationContext& context,
                       const SessionHosts& hosts,
                       const SegmentTcp& controlTcp,
                       const SegmentTcp& dataTcp,
                       SegmentDtpGroup::User& user,
                       uint32_t chunk,
                       const SegmentSessionData* before);

    SegmentSessionData(const SegmentSessionData&) = delete;
    SegmentSessionData& operator=(const SegmentSessionData&) = delete;

    /** @param peer what an end does with the data @return its DTPs */
    SegmentDtpGroup& GetEnd(Peer peer)
    {
        return peer == Peer::SENDER ? m_sender : m_receiver;
    }

    /** @param peer what an end does with the data @return its DTPs */
    const SegmentDtpGroup& GetEnd(Peer peer) const
    {
        return peer == Peer::SENDER ? m_sender : m_receiver;
    }

    /** @return which pairs of stripes there are */
    const StripePlan& GetPlan() const
    {
        return m_plan;
    }

    /** @return the first pair of stripes, which is the only one without stripes */
    SegmentDataPair& GetFirstPair()
    {
        return m_pairs.front();
    }

    /** @return the first pair of stripes, which is the only one without stripes */
    const SegmentDataPair& GetFirstPair() const
    {
        return m_pairs.front();
    }

    /**
     * Files go in this direction again, or for the first time, over the same control connection.
     * @param chunk that is sent next, counted from 0
     * @param ports of the host that receives, which the connections have taken that it has opened
     *        in the other direction since
     */
    void ContinueWith(uint32_t chunk, uint32_t ports);

    /** @return how many connections were opened since this was asked last */
    uint32_t TakeOpened();

    /** The next file goes in the other direction: the end that sends closes its connections. @param
     * now of the simulation */
    void CloseSender(Nanoseconds now)
    {
        m_sender.Finish(now, true);
    }

    /** Likewise the end that receives, which does not listen any more. @param now of the simulation
     */
    void CloseReceiver(Nanoseconds now);

    /** A DTP is killed. @param peer at which end @param stripe which @param now of the simulation
     */
    void KillDtp(Peer peer, uint32_t stripe, Nanoseconds now);

    /** A foreign host connects to a DTP that receives. @param stripe which @param closedNs when it
     * closes, ns; NEVER: not at all */
    void AcceptForeign(uint32_t stripe, int64_t closedNs)
    {
        m_receivers[stripe].AcceptForeign(closedNs);
    }

    /** An end resets a data connection, if it has it. @param peer which end @param connection its
     * number @param now of the simulation */
    void ResetConnection(Peer peer, uint32_t connection, Nanoseconds now);

    /** @param now of the simulation @return ranges of the file that are stored of the chunk, in any
     * order, where the client may begin anew */
    MarkerRanges GetRanges(Nanoseconds now) const;

    /** @param now of the simulation @return file bytes that are stored of all chunks */
    uint64_t GetTaken(Nanoseconds now) const;

    /** @param now of the simulation @return the same, where hosts that receive run ahead, too */
    uint64_t GetReceived(Nanoseconds now) const;

    /** @param now of the simulation @return file bytes of the chunk that are read */
    uint64_t GetRead(Nanoseconds now) const;

    /** @return counts of all data connections */
    ConnectionTotals GetTotals() const;

    /** @param totals of each pair of stripes, gets what their connections did */
    void AddPairTotals(std::vector<ConnectionTotals>& totals) const;

    /** @return receive buffers of all data connections */
    BufferTally GetBuffers() const;

    /** @return what its ends have asked their storages for; none where these cost nothing */
    std::optional<StorageResult> GetStorage() const
    {
        return MakeStorageResult(m_source.get(), m_sink.get());
    }

    /** @param records of the chunks that are complete @return of each pair of stripes; none without
     * stripes */
    std::vector<StripeResult> GetStripes(const std::vector<ChunkRecord>& records) const;

    /** Without stripes: a chunk is skipped, whose connections would have done what those of the
     * last one did. @param totals of these @param bytes of the chunk */
    void SkipChunk(const ConnectionTotals& totals, uint64_t bytes)
    {
        m_senders.front().SkipChunk();
        m_receivers.front().SkipChunk(bytes);
        m_pairs.front().CountSkipped(totals);
    }

    /** @param state gets what is under way at both ends, without stripes */
    void AddState(SegmentState& state) const
    {
        m_senders.front().AddState(state);
        m_receivers.front().AddState(state);
    }

    /** @param stripes of each pair, gets what their connections did */
    void AddTotals(std::vector<StripeResult>& stripes) const;

  private:
    /** @param receives at the end that receives @param stripe which of its hosts @return what
     * blocks pass there */
    BlockStages MakeStages(bool receives, uint32_t stripe) const;

    /** Makes the pairs, between DTPs that are there. */
    void AddPairs();

    /** Makes the DTPs of both ends, and what leads to them. @param chunk that is sent first @param
     * before of the try before, or null */
    void AddDtps(uint32_t chunk, const SegmentSessionData* before);

    /** Has a PI hear of a DTP. @param group of the end @param dtp one more @param stripe which
     * @param paths from the PI to its DTPs, none where it is on its host @param address of its host
     * @param outages in which it is dead */
    template <typename Dtp>
    void Join(SegmentDtpGroup& group,
              Dtp& dtp,
              uint32_t stripe,
              const std::vector<FlowPath>& paths,
              uint32_t address,
              const Outages& outages);

    const ApplicationContext* m_context;           //!< what the session is given
    const SessionSpec* m_spec;                     //!< its part of the scenario
    const SessionHosts* m_hosts;                   //!< of the session
    const SegmentTcp* m_controlTcp;                //!< of connections to DTPs
    const SegmentTcp* m_dataTcp;                   //!< of data connections
    StripePlan m_plan;                             //!< which pairs there are
    SegmentDtpGroup m_sender;                      //!< the end that sends
    SegmentDtpGroup m_receiver;                    //!< the end that receives
    std::shared_ptr<Storage> m_source;             //!< what is read, where that takes time
    std::shared_ptr<Storage> m_sink;               //!< what is written to, where that takes time
    std::shared_ptr<std::deque<SendPool>> m_pools; //!< of the hosts that send, where they have one
    std::deque<SegmentDataPair> m_pairs;           //!< by index
    std::deque<SegmentSendingDtp> m_senders;       //!< by stripe
    std::deque<SegmentReceivingDtp> m_receivers;   //!< by stripe
    std::deque<SegmentDtpLink> m_links;            //!< to those apart, as they are called for
    std::deque<Outages> m_refusals;                //!< when the hosts of DTPs accept nobody
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SESSION_DATA_H
