/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SIMULATOR_H
#define GRIDFTP_SEGMENT_SIMULATOR_H

#include "gridftp-expected.h"
#include "gridftp-external-program.h"
#include "gridftp-result.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-link.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-views.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

class SegmentSimulation;

/** @ingroup gridftp @brief Sees what happens, as the traces of engine ns3 do. */
class SegmentObserver : public QueueObserver, public FlowObserver
{
};

/**
 * @ingroup gridftp
 * Where a packet is on the dumbbell. Forward is the direction of the first session's data; sender
 * and receiver are the sides of the bottleneck that these come from and go to.
 */
enum class PacketPlace : uint8_t
{
    SENDER_OUT,      //!< from a host on the sender's side to the router
    FORWARD_QUEUE,   //!< waits for the bottleneck
    FORWARD,         //!< on the bottleneck
    RECEIVER_IN,     //!< from the router to a host on the receiver's side
    RECEIVER_OUT,    //!< from a host on the receiver's side to the router
    REVERSE_QUEUE,   //!< waits for the bottleneck
    REVERSE,         //!< on the bottleneck
    SENDER_IN,       //!< from the router to a host on the sender's side
    FORWARD_REFUSED, //!< the queue is full
    FORWARD_LOST,    //!< lost behind the queue
    REVERSE_REFUSED, //!< the queue is full
    REVERSE_LOST     //!< lost behind the queue
};

/** @ingroup gridftp @brief A packet at one place of the dumbbell. */
struct PacketStay
{
    PacketPlace place;    //!< where
    int64_t beginNs;      //!< since when: on a link, since its transmission began
    int64_t endNs;        //!< until when, known beforehand: on a link, when it has arrived; NEVER
                          //!< where that is not known yet, see NetworkObserver::HandleStay()
    SegmentPacket packet; //!< which
    bool hasData{false};  //!< of PacketKind::SEGMENT: the source's data are in it

    /** @return whether its end is not known yet */
    bool IsOpen() const
    {
        return endNs == INT64_MAX;
    }

    /** @param ended a stay @return whether it is this one, whose end was not known */
    bool IsEndedBy(const PacketStay& ended) const
    {
        return IsOpen() && place == ended.place && beginNs == ended.beginNs &&
               packet.GetFlow() == ended.packet.GetFlow() &&
               packet.GetEnd() == ended.packet.GetEnd() &&
               packet.GetKind() == ended.packet.GetKind() &&
               packet.GetValue() == ended.packet.GetValue();
    }
};

/** @ingroup gridftp @brief Sees every packet on its way, link by link. */
class PacketObserver
{
  public:
    virtual ~PacketObserver() = default;

    /**
     * A packet is somewhere, or will be.
     * @param stay where, since when, until when
     * @param label of its data connection, none for control connections and closing ones
     */
    virtual void HandlePacket(const PacketStay& stay,
                              const std::optional<ConnectionLabel>& label) = 0;
};

/**
 * @ingroup gridftp
 * The fast engine: the same transfers as on ns-3's stack, segment by segment and without packets,
 * headers or sockets.
 *
 * Which rules it shares with engine ns3 and what it leaves out is in doc/gridftp.rst, "The two
 * engines". It is deterministic: the same scenario gives the same result to the last digit,
 * however often Advance() is called on the way.
 */
class SegmentSimulator
{
  public:
    /** @param scenario resolved; copied @param start starts programs
     * that tune, null: sessions that need one fail */
    explicit SegmentSimulator(const Scenario& scenario, ExternalProgramStarter start = nullptr);

    ~SegmentSimulator();

    SegmentSimulator(const SegmentSimulator&) = delete;
    SegmentSimulator& operator=(const SegmentSimulator&) = delete;

    /** @param observer sees what happens from now on; outlives the simulator */
    void SetObserver(SegmentObserver& observer);

    /**
     * Shows every packet. This takes a way through the engine that is several times slower, and
     * gives the same result.
     * @param observer sees what is sent from now on, and outlives the simulator; or null
     */
    void SetPacketObserver(PacketObserver* observer);

    /**
     * Chunks that would go to the nanosecond as the one before are skipped from now on, which gives
     * the same result; how many were is in its cost. To be called before the first Advance(). With
     * an observer, who is to see what happens, nothing is skipped.
     */
    void AllowFastForward();

    /**
     * Simulates up to and including a moment.
     * @param untilNs ns
     * @return whether all sessions have ended
     */
    bool Advance(int64_t untilNs);

    /** @return the time that it has come to, ns */
    int64_t GetNow() const;

    /** @return all data connections that are open, in order */
    std::vector<ConnectionView> GetConnections() const;

    /** @param index of a session @return the session as it is now */
    SessionView GetSession(uint32_t index) const;

    /** @return the bottleneck as it is now */
    BottleneckView GetBottleneck() const;

    /** @return what has come of the background connections so far */
    std::vector<BackgroundResult> GetBackground() const;

    /** @return what each session, then each background has moved so far; of those whose receiving
     * host runs ahead exactly that only with an observer that wants deliveries from the start */
    std::vector<FlowView> GetFlows() const;

    /** @return events so far */
    uint64_t GetEventCount() const;

    /** @return what has come of it, the cost but for the events left to the caller */
    TransferResult GetResult() const;

  private:
    std::unique_ptr<SegmentSimulation> m_run; //!< all of it
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SIMULATOR_H
