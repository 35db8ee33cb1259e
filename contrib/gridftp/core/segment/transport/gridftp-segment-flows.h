/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_FLOWS_H
#define GRIDFTP_SEGMENT_FLOWS_H

#include "gridftp-connection-label.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-record-pool.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-flow-ports.h"
#include "gridftp-segment-linux-packets.h"
#include "gridftp-segment-network.h"
#include "gridftp-segment-options.h"
#include "gridftp-segment-sender.h"
#include "gridftp-trace-rows.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

class ClassicConnection;
class DatagramFlow;
class TcpConnection;

class SessionMonitor;

/** @ingroup gridftp @brief cwnd and ssthresh of a sender. */
struct WindowView
{
    uint64_t cwndBytes{0};                 //!< congestion window
    std::optional<uint64_t> ssthreshBytes; //!< slow start threshold, where it is set
    uint64_t receiverBytes{0};             //!< window that the receiver offers
};

/** @ingroup gridftp @brief Sees what flows do, as the traces of engine ns3 do. */
class FlowObserver
{
  public:
    virtual ~FlowObserver() = default;

    /**
     * cwnd or ssthresh has changed.
     * @param now of the simulation
     * @param label of which connection
     * @param window its sender's from now on
     */
    virtual void HandleWindow(Nanoseconds now,
                              const ConnectionLabel& label,
                              const WindowView& window) = 0;

    /**
     * The measured link's queue has refused a packet.
     * @param now of the simulation
     * @param label of which data connection, none for others
     * @param sequence first byte of its data in the stream, none where it had no data
     */
    virtual void HandleDrop(Nanoseconds now,
                            const std::optional<ConnectionLabel>& label,
                            const std::optional<uint64_t>& sequence) = 0;

    /** @return whether it asks what has arrived when at hosts that run ahead, which has to be put
     * down for that */
    virtual bool WantsDeliveries() const
    {
        return false;
    }

    /** @return whether it is told of buffers, which costs the fast path of connections */
    virtual bool WantsBuffers() const
    {
        return false;
    }

    /**
     * The receiving end of a data connection may have changed.
     * @param now of the simulation
     * @param at when; its host may be ahead of the simulation
     * @param label of which connection
     * @param state from then on
     */
    virtual void HandleReceiveBuffer(Nanoseconds now,
                                     Nanoseconds at,
                                     const ConnectionLabel& label,
                                     const ReceiveBufferState& state);

    /** The sending end of a data connection may have changed. @param now of the simulation @param
     * label of which connection @param state from then on */
    virtual void HandleSendBuffer(Nanoseconds now,
                                  const ConnectionLabel& label,
                                  const SendBufferState& state);

    /** @return whether senders report RTT samples and RTOs to it, which costs the fast path of
     * senders */
    virtual bool WantsRtt() const
    {
        return false;
    }

    /** The sender of a data connection has taken an RTT sample. @param now current simulation time
     * @param label which connection @param sampleNs round-trip time @param smoothedNs SRTT from now
     * on */
    virtual void HandleRttSample(Nanoseconds now,
                                 const ConnectionLabel& label,
                                 int64_t sampleNs,
                                 int64_t smoothedNs);

    /** The sender of a data connection has set its RTO, perhaps to what it was. @param now current
     * simulation time @param label which connection @param rtoNs from now on */
    virtual void HandleRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs);
};

/** @ingroup gridftp @brief Two hosts and the ways between them; the ends of flows are 0 and 1. */
struct FlowPath
{
    uint32_t routes[2]{};   //!< from each end to the other one
    HostClock* clocks[2]{}; //!< of the hosts

    /** @return the same from the other end */
    FlowPath GetReverse() const
    {
        return {{routes[1], routes[0]}, {clocks[1], clocks[0]}};
    }
};

/**
 * @ingroup gridftp
 * All flows of a simulation: makes them, and takes packets to them.
 */
class FlowTable final : public PacketHandler
{
  public:
    /** @param measured link whose drops are shown, index in the topology */
    explicit FlowTable(uint32_t measured);

    ~FlowTable() override;

    /** @param network that its packets go over; outlives it */
    void SetNetwork(SegmentNetwork& network)
    {
        m_network = &network;
    }

    /** @return the network */
    SegmentNetwork& GetNetwork()
    {
        return *m_network;
    }

    /** @param connection a new one @return its index */
    uint32_t Add(std::unique_ptr<TcpConnection> connection);

    /** @param flow a new one @return its index, among those of datagrams */
    uint32_t Add(std::unique_ptr<DatagramFlow> flow);

    /** @return how many connections there are; indices are below */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_connections.size());
    }

    /** @param index of a connection @return the connection */
    TcpConnection& Get(uint32_t index) const
    {
        return *m_connections[index];
    }

    /** @return TcpConnection::GetSerial() of a connection that begins */
    uint64_t TakeSerial()
    {
        return ++m_begun;
    }

    /** @param connection any @return its name in a SegmentState: of one of two ways, which stays
     * open, its serial number, of a data connection how many have begun after it */
    uint64_t GetName(const TcpConnection& connection) const;

    /** @param target of events @return GetName() of its connection; none: it is not one */
    std::optional<uint64_t> FindName(const EventTarget& target) const;

    /** @param target of the events of a connection @param index of the connection */
    void SetTarget(const EventTarget& target, uint32_t index)
    {
        m_targets[&target] = index;
    }

    /** @return options of the packets of PacketKind::WITH_OPTIONS that are on their way. Whoever
     * sends one adds a record; HandleArrival() and HandleDrop() release it */
    RecordPool<SegmentOptions>& GetOptions()
    {
        return m_options;
    }

    /** @return headers of packets on their way */
    LinuxPacketPool& GetLinuxPackets()
    {
        return m_linuxPackets;
    }

    /** Assigns ports to flows, for routers that hash them. Called before the first flow exists. */
    void UsePorts()
    {
        m_ports = std::make_unique<FlowPorts>();
    }

    /** A connection is opened. @param index of it @param path of it @param port where its passive
     * end listens */
    void SetPorts(uint32_t index, const FlowPath& path, uint16_t port);

    /** SetPorts() of datagrams. @param index among these @param path of it @param port of both ends
     */
    void SetDatagramPorts(uint32_t index, const FlowPath& path, uint16_t port);

    /** @param path of a connection @param end of it that listens on any port @return the port; 0
     * without UsePorts() */
    uint16_t TakePort(const FlowPath& path, uint32_t end);

    /** @param observer sees what happens from now on, or null */
    void SetObserver(FlowObserver* observer);

    /** @return who sees what happens, or null */
    FlowObserver* GetObserver() const
    {
        return m_observer;
    }

    /** @param monitors by session; they outlive the table, as they were given before it has any
     * connection. Empty: nothing is measured */
    void SetMonitors(std::vector<SessionMonitor*> monitors)
    {
        m_monitors = std::move(monitors);
    }

    /** @param session index; backgrounds follow the sessions @return what measures its data
     * connections, or null */
    SessionMonitor* FindMonitor(uint32_t session) const
    {
        return session < m_monitors.size() ? m_monitors[session] : nullptr;
    }

    // PacketHandler
    void HandleArrival(Nanoseconds at, SegmentPacket packet) override;
    void HandleDatagram(Nanoseconds at, SegmentPacket packet) override;
    void HandleDrop(uint32_t link, Nanoseconds at, SegmentPacket packet, bool refused) override;
    void AddState(SegmentPacket packet, SegmentState& state) const override;
    uint32_t GetFlowHash(SegmentPacket packet) const override;

    /** @param state gets all flows, but for connections that nobody has used lately */
    void AddState(SegmentState& state) const;

    /**
     * The fast path: takes ACKs that come back over the only route, as long as these are all
     * that happens.
     * @param events of the simulation
     * @param untilNs not beyond this
     * @param now the time, ns
     * @return the time that it has come to, ns
     */
    int64_t TakeAcks(const EventQueue& events, int64_t untilNs, Nanoseconds now);

    /** TakeAcks() for FlowObserver::WantsDeliveries(), slower: they put down what arrives. @param
     * events of the simulation @param untilNs not beyond this @param now the time, ns @return the
     * time that it has come to, ns */
    int64_t TakeAcksPuttingDown(const EventQueue& events, int64_t untilNs, Nanoseconds now);

  private:
    /** @param packet any @return whether it is of a DatagramFlow */
    static bool IsDatagram(SegmentPacket packet)
    {
        return packet.GetKind() >= PacketKind::DATAGRAM;
    }

    /** HandleArrival() of a packet of a DatagramFlow, or with options. @param at when @param packet
     * it */
    void HandleOtherArrival(Nanoseconds at, SegmentPacket packet);

    /** @param index of a connection of the classic stack @return the connection */
    ClassicConnection& GetClassic(uint32_t index) const;

    /** Sends an ACK at once. @param connection whose @param now of the simulation @param ack first
     * byte missing */
    [[gnu::noinline]] void Answer(ClassicConnection& connection, Nanoseconds now, uint64_t ack);

    /** An ACK for which SegmentSender::IsOnFastPath() holds. @param connection whose @param now of
     * the simulation
     * @param ack first byte missing */
    void TakeAckAmongOthers(ClassicConnection& connection, Nanoseconds now, uint64_t ack);

    /** Takes one of them. @param network that it comes over @param now of the simulation */
    void TakeAck(SegmentNetwork& network, Nanoseconds now);

    /** TakeAck() of a LinuxConnection. @param network that it comes over @param now of the
     * simulation @return whether the packet was one */
    bool TakeLinuxAck(SegmentNetwork& network, Nanoseconds now);

    uint32_t m_measured;                                        //!< link whose drops are shown
    SegmentNetwork* m_network{nullptr};                         //!< of the packets
    std::unique_ptr<FlowPorts> m_ports;                         //!< see UsePorts(), or null
    FlowObserver* m_observer{nullptr};                          //!< sees what happens
    std::vector<std::unique_ptr<TcpConnection>> m_connections;  //!< by index
    std::unordered_map<const EventTarget*, uint32_t> m_targets; //!< see SetTarget()
    uint64_t m_begun{0};                                        //!< see TakeSerial()
    std::vector<std::unique_ptr<DatagramFlow>> m_datagrams;     //!< by index
    std::vector<SessionMonitor*> m_monitors;                    //!< see SetMonitors()
    RecordPool<SegmentOptions> m_options;                       //!< see GetOptions()
    LinuxPacketPool m_linuxPackets;                             //!< see GetLinuxPackets()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_FLOWS_H
