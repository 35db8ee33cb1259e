/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATAGRAM_APPLICATION_H
#define GRIDFTP_DATAGRAM_APPLICATION_H

#include "gridftp-assigned-ports.h"
#include "gridftp-scenario.h"
#include "gridftp-socket-host.h"
#include "gridftp-tool-control.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"

#include "ns3/application.h"
#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One end of a tool that moves a file by datagrams: the clock and the UDP socket of a ToolEnd, and
 * a SocketHost for its TCP connection. The ToolEnd decides what is sent and when.
 *
 * Both ends use one port, each of its own host. The UDP socket stays open until the application is
 * disposed of, so that no late datagram is answered with an ICMP message.
 */
class DatagramApplication : public Application, private ToolPort
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** What its owner is told. */
    using Told = Callback<void>;

    DatagramApplication();
    ~DatagramApplication() override;

    /** @brief Which end of a transfer. */
    enum class Side
    {
        SENDER,  //!< it sends the file
        RECEIVER //!< it receives it
    };

    /**
     * Before it starts.
     * @param kind the tool; outlives it
     * @param transfer what is to be moved
     * @param side which end it is
     */
    void SetTransfer(const ToolKind& kind, const ToolTransfer& transfer, Side side);

    /** @param ended called once, when this end says that the transfer is over */
    void SetEnded(Told ended);

    /** @param stored called once, when this application has stored the file, see
     * ToolPort::HandleStored() */
    void SetStored(Told stored);

    /** @return what it has counted */
    const ToolCounts& GetCounts() const;

    /** @return why it has failed; empty: it has not */
    const std::string& GetReason() const;

    /** This end is the server's: faults of a session reset its TCP connection. Before it starts.
     * @param scenario with the faults; outlives it @param session index */
    void SetResets(const Scenario& scenario, uint32_t session);

    /** The other end says that the transfer is over. @param hasFailed whether that is why */
    void Stop(bool hasFailed);

  private:
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;

    // ToolPort
    void SendData(Nanoseconds now, const DataDatagram& datagram) override;
    void SendReport(Nanoseconds now, ReportDatagram report) override;
    void SetTimer(uint32_t timer, Nanoseconds at) override;
    void Connect(Nanoseconds now) override;
    void Say(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void Finish(Nanoseconds now, const std::string& reason) override;
    void HandleStored(Nanoseconds now) override;

    /** Opens the UDP socket. */
    void OpenDatagrams();

    /** A timer expires, unless it was set anew. @param timer its number @param at for when it was
     * set */
    void Expire(uint32_t timer, Nanoseconds at);

    /** Datagrams have come. @param socket where */
    void HandleDatagrams(Ptr<Socket> socket);

    const ToolKind* m_kind{nullptr};                 //!< the tool
    ToolTransfer m_transfer;                         //!< what is to be moved
    Side m_side{};                                   //!< which end it is
    Ipv4Address m_remote;                            //!< of the other end
    uint16_t m_port{TOOL_PORT};                      //!< of both ends
    std::unique_ptr<ToolEnd> m_end;                  //!< what decides; null before it starts
    bool m_isOn{false};                              //!< started, and not over
    Ptr<Socket> m_udp;                               //!< for datagrams
    Ptr<SocketHost> m_sockets;                       //!< its TCP; null before it starts
    std::unique_ptr<ToolControl> m_control;          //!< the TCP connection, likewise
    const Scenario* m_scenario{nullptr};             //!< see SetResets(), or null
    uint32_t m_session{0};                           //!< see SetResets()
    std::vector<uint8_t> m_front;                    //!< of a datagram that is written or read
    std::array<EventId, ToolEnd::TIMERS> m_timers{}; //!< of the end
    std::string m_reason;                            //!< why it has failed
    Told m_ended;                                    //!< who is told of the end
    Told m_stored;                                   //!< called when the file is stored
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATAGRAM_APPLICATION_H
