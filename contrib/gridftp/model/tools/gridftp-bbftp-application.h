/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_APPLICATION_H
#define GRIDFTP_BBFTP_APPLICATION_H

#include "gridftp-assigned-ports.h"
#include "gridftp-bbftp-file.h"
#include "gridftp-bbftp.h"
#include "gridftp-buffered-application.h"
#include "gridftp-connection-observer.h"
#include "gridftp-tool-files.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One end of bbFTP: the connections of a BbftpEnd. What is said and when is that one's.
 */
class BbftpApplication : public BufferedApplication, protected BbftpPort
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** What its owner is told of. */
    using Told = Callback<void>;

    BbftpApplication();
    ~BbftpApplication() override;

    /** @param transfer what is to be moved; before it starts */
    void SetTransfer(const BbftpTransfer& transfer);

    /** @param files what reads and writes of the file take; before it starts */
    void SetFiles(const ToolFiles& files);

    /** @param ended called once, when it is done or has failed */
    void SetEnded(Told ended);

    /** @return why it has failed; empty: it has not */
    const std::string& GetReason() const;

    /** @return file bytes that it has received */
    uint64_t GetBytes() const;

    /** @return counts of the data connections that it sends on */
    ConnectionTotals GetTotals() const;

    /** One of its data connections is reset from within its host. @param stream which */
    void BreakConnection(uint32_t stream);

    /** The other end has failed: lets go of all connections. */
    void Abandon();

    /**
     * A data connection is about to connect, or has been accepted.
     * @param socket of this end
     * @param stream which
     */
    typedef void (*DataTracedCallback)(Ptr<Socket> socket, uint32_t stream);

  protected:
    void DoDispose() override;

    /** Makes what decides. @param transfer what is to be moved @param port this @return it */
    virtual std::unique_ptr<BbftpEnd> MakeEnd(const BbftpTransfer& transfer, BbftpPort& port) = 0;

    /** @return what decides */
    BbftpEnd& GetEnd() const
    {
        return *m_end;
    }

    /** @return whether it has begun and not ended */
    bool IsActive() const
    {
        return m_end && !m_isAbandoned && !m_end->IsOver();
    }

    /** @return a socket for a control connection */
    Ptr<Socket> MakeControlSocket() const;

    /** @return a socket for a data connection */
    Ptr<Socket> MakeDataSocket() const;

    /** Uses a socket for the control connection. @param socket connecting, or accepted */
    void AttachControl(Ptr<Socket> socket);

    /** @return the control connection, null where there is none */
    Ptr<Socket> GetControl() const
    {
        return m_control;
    }

    /** Uses a socket for a data connection. @param socket connecting, or accepted @param stream
     * which */
    void AttachData(Ptr<Socket> socket, uint32_t stream);

    /** A data connection is there. @param socket it */
    void HandleConnected(Ptr<Socket> socket);

    /** Reads what has come with the handshake. @param socket accepted */
    void ReadFirst(Ptr<Socket> socket);

    /** Lets go of what it waits with. */
    virtual void StopListening();

    // BbftpPort
    void Say(Nanoseconds now, std::vector<uint8_t> bytes) override;
    void Send(Nanoseconds now, uint32_t stream, uint64_t bytes) override;
    void Answer(Nanoseconds now, uint32_t stream, std::vector<uint8_t> bytes) override;
    void Finish(Nanoseconds now, const std::string& reason) override;

  private:
    /** A data connection. */
    struct Stream
    {
        Ptr<Socket> socket;                  //!< null before and after
        Ptr<ConnectionObserver> observer;    //!< counts what it sends
        std::optional<BbftpReads> reads{};   //!< the process that sends its part
        std::optional<BbftpWrites> writes{}; //!< that receives it, where writing takes time
        EventId rest{};                      //!< when that goes on
        bool isThere{false};                 //!< it is connected
    };

    void StartApplication() override;
    void StopApplication() override;

    /** Begins, once there is what decides. */
    virtual void Begin() = 0;

    /** Writes what is next to the control connection. */
    void WriteNext();

    /** Writes file data while there is enough room. @param stream where */
    void Fill(uint32_t stream);

    /** The process that receives a part reads what it can. @param stream which */
    void ReadPart(uint32_t stream);

    /** A block is stored. @param stream which @param bytes of it on the wire */
    void HandleStored(uint32_t stream, uint64_t bytes);

    /** Closes its data connections. */
    void CloseStreams();

    /** Closes all connections. */
    void CloseAll();

    /** Resets all connections. */
    void ResetAll();

    /** Takes the callbacks off a socket. @param socket it */
    static void Detach(Ptr<Socket> socket);

    /** @param socket of a data connection @return which */
    uint32_t IndexOf(Ptr<Socket> socket) const;

    /** A connection is refused. @param socket it */
    void HandleRefused(Ptr<Socket> socket);

    /** Data has come. @param socket the connection */
    void HandleRead(Ptr<Socket> socket);

    /** Room has become free. @param socket the connection @param room bytes */
    void HandleRoom(Ptr<Socket> socket, uint32_t room);

    /** The peer has closed. @param socket the connection */
    void HandlePeerClose(Ptr<Socket> socket);

    /** A connection has failed. @param socket it */
    void HandleError(Ptr<Socket> socket);

    /** A connection is lost. @param socket it @param loss how */
    void Lose(Ptr<Socket> socket, BbftpLoss loss);

    TypeId m_dataTcp;                                  //!< TCP of data connections
    BbftpTransfer m_transfer;                          //!< what is to be moved
    ToolFiles m_files;                                 //!< what reads and writes of it take
    Told m_ended;                                      //!< owner's callback
    std::unique_ptr<BbftpEnd> m_end;                   //!< what decides
    Ptr<Socket> m_control;                             //!< null before and after
    Nanoseconds m_freeNs{0};                           //!< when it may write to that again
    std::deque<std::vector<uint8_t>> m_unsaid;         //!< writes to come
    std::vector<Stream> m_streams;                     //!< data connections
    std::string m_reason;                              //!< why it has failed
    bool m_isAbandoned{false};                         //!< see Abandon()
    TracedCallback<Ptr<Socket>, uint32_t> m_dataTrace; //!< see DataTracedCallback
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_APPLICATION_H
