/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SIMULATION_H
#define GRIDFTP_SEGMENT_SIMULATION_H

#include "gridftp-connection-monitor.h"
#include "gridftp-external-program.h"
#include "gridftp-host-meter.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-queue-delay.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-fast-forward.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-host.h"
#include "gridftp-segment-meter.h"
#include "gridftp-segment-network.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-session-hosts.h"
#include "gridftp-topology.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The inside of SegmentSimulator.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One simulation: makes network, hosts and applications of a scenario, has everything happen in the
 * order of time, and measures.
 */
class SegmentSimulation final : private EventTarget,
                                private ApplicationObserver,
                                private NetworkObserver,
                                private QueueObserver,
                                private FlowObserver,
                                private FastForward
{
  public:
    /** @param scenario resolved; copied @param start starts programs that tune, or null */
    SegmentSimulation(const Scenario& scenario, ExternalProgramStarter start);

    SegmentSimulation(const SegmentSimulation&) = delete;
    SegmentSimulation& operator=(const SegmentSimulation&) = delete;

    /** @param observer sees what happens from now on */
    void SetObserver(SegmentObserver& observer);

    /** @param observer sees every packet that is sent from now on, or null */
    void SetPacketObserver(PacketObserver* observer);

    /** See SegmentSimulator::AllowFastForward(). */
    void AllowFastForward()
    {
        m_mayFastForward = true;
    }

    /** @param untilNs ns @return whether all sessions have ended */
    bool Advance(int64_t untilNs);

    /** @return ns */
    int64_t GetNow() const
    {
        return m_events.GetNow() + m_skipped.link.timeNs;
    }

    /** @return events so far */
    uint64_t GetEventCount() const
    {
        return CountEvents() + m_skipped.events;
    }

    /** @return data connections that are open */
    std::vector<ConnectionView> GetConnections() const;

    /** @param index of a session @return the session as it is now */
    SessionView GetSessionView(uint32_t index) const
    {
        return m_applications[index]->GetView();
    }

    /** @return the measured link as it is now */
    BottleneckView GetBottleneck() const;

    /** @return what has come of the background connections */
    std::vector<BackgroundResult> GetBackground() const;

    /** @copydoc SegmentSimulator::GetFlows */
    std::vector<FlowView> GetFlows() const;

    /** @return what has come of it */
    TransferResult GetResult() const;

  private:
    /** What happens to the simulation itself; the low bits of an event's id. */
    enum Happening : uint32_t
    {
        START,        //!< of an application; behind the low bits: its index
        TRANSFERRING, //!< see ApplicationObserver
        PART,         //!< see ApplicationObserver
        ENDED         //!< see ApplicationObserver
    };

    /** @return events that were simulated so far */
    uint64_t CountEvents() const
    {
        return m_eventCount + m_network.GetStepCount();
    }

    /** @return the moment of the last Advance() within the simulation, where what is skipped does
     * not move the time, ns */
    int64_t GetSimulatedEnd() const
    {
        return m_untilNs == NEVER ? NEVER : m_untilNs - m_skipped.link.timeNs;
    }

    /** The short way of datagrams: packets and alarms, as long as these are all that happens and no
     * two of them at once. @param untilNs not beyond this */
    void RunPipe(int64_t untilNs);

    /** Has packets arrive up to the next event; there must be one. @param untilNs not beyond this
     */
    void Arrive(int64_t untilNs);

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // ApplicationObserver
    void HandleTransferring(Nanoseconds now) override;
    void HandlePart(Nanoseconds now) override;
    void HandleBehindPart(Nanoseconds now) override;
    void HandleEnded(Nanoseconds now) override;

    // NetworkObserver
    void HandleStay(const LinkStay& stay) override;

    // QueueObserver
    void HandleLength(Nanoseconds now, uint64_t packets) override;
    void HandleMark(Nanoseconds now) override;

    // FlowObserver
    void HandleWindow(Nanoseconds now,
                      const ConnectionLabel& label,
                      const WindowView& window) override;
    void HandleDrop(Nanoseconds now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence) override;
    bool WantsDeliveries() const override;
    bool WantsBuffers() const override;
    bool WantsRtt() const override;
    void HandleRttSample(Nanoseconds now,
                         const ConnectionLabel& label,
                         int64_t sampleNs,
                         int64_t smoothedNs) override;
    void HandleRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs) override;
    void HandleReceiveBuffer(Nanoseconds now,
                             Nanoseconds at,
                             const ConnectionLabel& label,
                             const ReceiveBufferState& state) override;
    void HandleSendBuffer(Nanoseconds now,
                          const ConnectionLabel& label,
                          const SendBufferState& state) override;

    // FastForward: gridftp-segment-simulation-forward.cc
    bool IsOn() const override;
    SegmentState GetState(Nanoseconds now, Nanoseconds since) const override;
    SimulationCounts GetCounts(Nanoseconds now) const override;
    int64_t GetRoomNs(Nanoseconds now) const override;
    void Skip(const SimulationCounts& counts) override;

    int64_t GetSkippedNs() const override
    {
        return m_skipped.link.timeNs;
    }

    // Ways of applications: gridftp-segment-simulation-paths.cc

    /** @param index of an application @return whether it is a session with stripes */
    bool IsStriped(size_t index) const;

    /** @param index of a pair of hosts in the topology @return whether that which the data comes
     * to runs ahead */
    bool MayRunAhead(size_t index) const;

    /** Adds the ways between two hosts. @param context of an application, by its index */
    void MakePath(ApplicationContext& context);

    /** Adds the routes of data that go the other way than the session's direction. @param context
     * of an upload or a download, gets them @param sender node of the host that sends such data
     * @param receiver node of the host that receives it */
    void MakeOppositePath(ApplicationContext& context, uint32_t sender, uint32_t receiver);

    /** The same of a third-party transfer. @param context of an application, by its index */
    void MakeThirdPartyPaths(ApplicationContext& context);

    /** The same of a session with stripes. @param context of an application, by its index */
    void MakeStripedPaths(ApplicationContext& context);

    /** @param index of a session @return whether others take files from where it does */
    bool SharesFiles(size_t index) const;

    /** Measures what --detail=on asks for, from the beginning on. */
    void MeasureDetail();

    /** Measures how long packets wait in a queue. @param link in front of which the queue is
     * @param meter that is made, and gets the waiting times */
    void MeasureDelay(uint32_t link, std::optional<QueueDelayMeter>& meter);

    /** Has packets wait for the CPUs of their hosts. */
    void AddGates();

    /** @param node a host @param isAhead whether it may run ahead @return a clock of it */
    HostClock* AddClock(uint32_t node, bool isAhead);

    /** Measures the reverse direction of the measured link, too. */
    void MeasureReverse();

    /** @param link index in the topology @param meter of it @return what it has measured */
    LinkResult MakeLinkResult(uint32_t link, const LinkMeter& meter) const;

    /** Makes an application. @param kind its name @param startNs when it starts */
    void AddApplication(std::string_view kind, int64_t startNs);

    /** Something comes at once, or will. @param now of the simulation @param what it is @return
     * whether at once */
    bool IsDue(Nanoseconds now, Happening what);

    /** @param stay of a packet at a link @return where on the dumbbell that is */
    PacketPlace PlaceOf(const LinkStay& stay) const;

    Scenario m_scenario;                              //!< what is simulated
    ExternalProgramStarter m_start;                   //!< of programs, or null
    Topology m_topology;                              //!< its network
    std::vector<SessionHosts> m_hosts;                //!< of the sessions
    HostMeter m_hostMeter;                            //!< of what they do
    SessionMonitors m_monitors;                       //!< of connections, or none
    EventQueue m_events;                              //!< what happens
    FlowTable m_flows;                                //!< connections
    SegmentNetwork m_network;                         //!< links and packets
    std::deque<HostClock> m_clocks;                   //!< of the hosts
    std::vector<std::shared_ptr<FileSupply>> m_files; //!< of the sessions
    std::shared_ptr<Storage> m_source;                //!< of a shared server's host
    std::vector<HostPtr> m_packetHosts;               //!< see FindPacketHosts()
    std::deque<SegmentHost> m_gates;                  //!< of these
    LinkMeter m_meter;                                //!< of the measured link
    std::optional<QueueDelayMeter> m_delays;          //!< in its queue, or none
    std::optional<LinkMeter> m_reverseMeter;        //!< of its reverse direction, if it is measured
    std::optional<QueueDelayMeter> m_reverseDelays; //!< in the queue of that, or none
    std::vector<std::unique_ptr<SegmentApplication>> m_applications; //!< sessions, backgrounds
    SegmentObserver* m_observer{nullptr};                            //!< sees what happens
    bool m_putsDown{false};                                          //!< it wants deliveries
    PacketObserver* m_packetObserver{nullptr};                       //!< sees every packet
    uint64_t m_eventCount{0};     //!< events so far, without those of the network
    size_t m_awaited{0};          //!< applications that have not ended
    bool m_measures{false};       //!< one of them has begun
    bool m_mayFastForward{false}; //!< see AllowFastForward()
    int64_t m_untilNs{0};         //!< of the last Advance()
    SimulationCounts m_skipped;   //!< of all chunks that were
    uint64_t m_skippedChunks{0};  //!< how many these are
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SIMULATION_H
