/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATAGRAM_APPLICATION_H
#define GRIDFTP_DATAGRAM_APPLICATION_H

#include "gridftp-assigned-ports.h"
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
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One end of a tool that moves a file by datagrams: the clock, the UDP socket and the TCP
 * connection of a ToolEnd. What is sent and when is that one's.
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

    /** Its host resets the TCP connection, if there is one. */
    void BreakConnection();

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

    /** Opens the sockets that others reach it at. */
    void Listen();

    /** @return a socket for the TCP connection */
    Ptr<Socket> MakeControlSocket() const;

    /** Uses a socket for the TCP connection. @param socket connecting, or accepted */
    void Attach(Ptr<Socket> socket);

    /** It hears no more of a socket. @param socket of the TCP connection */
    static void Detach(Ptr<Socket> socket);

    /** Lets go of the TCP connection, and of what waits for one. @param hasFailed with a reset */
    void Release(bool hasFailed);

    /** A timer expires, unless it was set anew. @param timer its number @param at for when it was
     * set */
    void Expire(uint32_t timer, Nanoseconds at);

    /** Writes what is next to the TCP connection. */
    void WriteNext();

    /** Datagrams have come. @param socket where */
    void HandleDatagrams(Ptr<Socket> socket);

    /** Somebody has connected. @param socket of this end @param from whom */
    void HandleAccepted(Ptr<Socket> socket, const Address& from);

    /** It has connected. @param socket of this end */
    void HandleConnected(Ptr<Socket> socket);

    /** Bytes have come. @param socket of this end */
    void HandleRead(Ptr<Socket> socket);

    /** The TCP connection is gone. @param socket of this end */
    void HandleLost(Ptr<Socket> socket);

    const ToolKind* m_kind{nullptr};                 //!< the tool
    ToolTransfer m_transfer;                         //!< what is to be moved
    Side m_side{};                                   //!< which end it is
    Ipv4Address m_remote;                            //!< of the other end
    uint16_t m_port{TOOL_PORT};                      //!< of both ends
    std::unique_ptr<ToolEnd> m_end;                  //!< what decides; null before it starts
    bool m_isOn{false};                              //!< started, and not over
    Ptr<Socket> m_udp;                               //!< for datagrams
    Ptr<Socket> m_listener;                          //!< where the other end connects
    Ptr<Socket> m_control;                           //!< the TCP connection
    bool m_isThere{false};                           //!< that is connected
    std::vector<uint8_t> m_front;                    //!< of a datagram that is written or read
    std::deque<std::vector<uint8_t>> m_unsaid;       //!< writes to the TCP connection to come
    Nanoseconds m_freeNs{0};                         //!< when it may write to that again
    std::array<EventId, ToolEnd::TIMERS> m_timers{}; //!< of the end
    std::string m_reason;                            //!< why it has failed
    Told m_ended;                                    //!< who is told of the end
    Told m_stored;                                   //!< called when the file is stored
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATAGRAM_APPLICATION_H
