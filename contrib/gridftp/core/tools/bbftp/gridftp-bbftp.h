/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_H
#define GRIDFTP_BBFTP_H

#include "gridftp-byte-stream.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-rbudp.h"
#include "gridftp-scenario.h"
#include "gridftp-tool-kind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * bbFTP (Anglano and Canonico, "A comparative evaluation of high-performance file transfer systems
 * for data-intensive Grid applications", Section 2.1), version 3 of its protocol as PROTO_V3 of its
 * distribution has it, sizes of messages as of 3.3.0: the file goes over N TCP connections, in N
 * contiguous parts.
 *
 * The client connects, is given a key, logs in, agrees on a version, and says what it wants. The
 * server says on which ports it waits. The client connects to one after the other, each time
 * waiting until it is there, then says that it has. What it sends it sends over each as soon as
 * that is there; the server sends when it has been told that all are. Whoever has got a part says
 * so on its connection, in 8 bytes; the server says when all parts are done. A message is a header,
 * and a body that is written apart, on a connection without TCP_NODELAY: with Nagle's algorithm
 * each body waits for the acknowledgement of its header.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Streams that are asked for. */
extern const ToolParameter BBFTP_STREAMS;

/** @ingroup gridftp @brief What the windows are made of: an index of BbftpWindow. */
extern const ToolParameter BBFTP_WINDOW;

/** @ingroup gridftp @brief File bytes for each byte on the wire. */
extern const ToolParameter BBFTP_COMPRESSION;

/** @ingroup gridftp @brief What the windows of bbFTP are, in the order of the words of
 * BBFTP_WINDOW. */
enum class BbftpWindow
{
    GIVEN,  //!< those of the session
    PRODUCT //!< the bandwidth-delay product of the path, at most those of the session
};

/** @ingroup gridftp @param wire to which it is added @param number any @param bytes how many of it,
 * the highest first */
void PutNumber(std::vector<uint8_t>& wire, uint64_t number, size_t bytes);

/** @ingroup gridftp @param wire at least so many bytes @param bytes of the number, the highest
 * first
 * @return the number */
uint64_t GetNumber(std::span<const uint8_t> wire, size_t bytes);

/** @ingroup gridftp @brief What is said on the control connection, and in what. */
struct BbftpText
{
    /** What a message is; the numbers are those on the wire. */
    enum Code : uint32_t
    {
        OK = 0x00,          //!< it is done
        LOG = 0x01,         //!< name and password
        ACK = 0x04,         //!< on a data connection: a part is done
        CRYPT = 0x06,       //!< the key
        PROT = 0x17,        //!< which versions?
        PROT_ANS = 0x18,    //!< versions; a version
        STORE = 0x19,       //!< the client wants to send
        RETR = 0x1a,        //!< the client wants to receive
        FILENAME = 0x1f,    //!< which file
        CLOSE_CONN = 0x28,  //!< the client leaves
        TRANS_START = 0x2b, //!< all data connections are there
        TRANS_OK = 0x2d     //!< what has been agreed, and the ports
    };

    static constexpr uint32_t HEADER_BYTES = 8;   //!< of each message
    static constexpr uint32_t CRYPT_BYTES = 152;  //!< types and lengths, RSA key of 1024 bits
    static constexpr uint32_t LOG_BYTES = 276;    //!< lengths; name and password, encrypted
    static constexpr uint32_t LOGGED_BYTES = 28;  //!< of the answer: the server's version
    static constexpr uint32_t VERSIONS_BYTES = 8; //!< lowest and highest
    static constexpr uint32_t VERSION_BYTES = 4;  //!< the one that is chosen
    static constexpr uint32_t VERSION = 3;        //!< that one
    static constexpr uint32_t OFFER_BYTES = 48;   //!< see BbftpOffer
    static constexpr uint32_t PORT_BYTES = 4;     //!< of each port
    static constexpr uint32_t OK_BYTES = 2;       //!< of the last answer
    static constexpr std::string_view NAME = "/data/file"; //!< of the file

    /** A header. */
    struct Header
    {
        uint32_t code{0};  //!< of the message
        uint32_t bytes{0}; //!< of its body
    };

    /** @param header any @return it on the wire */
    static std::vector<uint8_t> Make(const Header& header);

    /** @param wire HEADER_BYTES @return the header */
    static Header ReadHeader(std::span<const uint8_t> wire);
};

/** @ingroup gridftp @brief What client and server agree on: the body of STORE, RETR and TRANS_OK.
 */
struct BbftpOffer
{
    uint64_t bytes{0};    //!< of the file; 0 in RETR
    uint32_t windowKb{0}; //!< of the sender and of the receiver
    uint32_t streams{0};  //!< N

    /** @return it on the wire: size, options, mode, two times, windows, block, streams */
    std::vector<uint8_t> Make() const;

    /** @param wire BbftpText::OFFER_BYTES @return the offer */
    static BbftpOffer Read(std::span<const uint8_t> wire);
};

/** @ingroup gridftp @brief What of a file goes over which stream. */
class BbftpParts
{
  public:
    static constexpr uint64_t BLOCK_BYTES = 262'144; //!< that it reads and writes at a time

    /** @param bytes of the file, at least 1 @param asked streams that are asked for: fewer where a
     * stream had less than a block @param compression file bytes for each byte on the wire */
    BbftpParts(uint64_t bytes, uint32_t asked, double compression);

    /** @return N */
    uint32_t GetStreams() const
    {
        return m_streams;
    }

    /** @return file bytes for each byte on the wire */
    double GetCompression() const
    {
        return m_compression;
    }

    /** @param stream from 0 @return first byte of its part */
    uint64_t GetOffset(uint32_t stream) const
    {
        return m_bytes / m_streams * stream;
    }

    /** @param stream from 0 @return file bytes of its part */
    uint64_t GetBytes(uint32_t stream) const;

    /** @param stream from 0 @return bytes of it on the wire */
    uint64_t GetWireBytes(uint32_t stream) const;

    /** @param stream from 0 @param wire bytes that have come @return file bytes that these are */
    uint64_t ToFileBytes(uint32_t stream, uint64_t wire) const;

  private:
    uint64_t m_bytes;     //!< of the file
    uint32_t m_streams;   //!< N
    double m_compression; //!< file bytes for each on the wire
};

/** @ingroup gridftp @brief What is to be moved, and how. */
struct BbftpTransfer
{
    bool isUpload{false};  //!< the client sends, else the server
    uint64_t bytes{0};     //!< of the file
    uint32_t windowKb{0};  //!< of either end
    uint32_t streams{1};   //!< that the client asks for
    double compression{1}; //!< file bytes for each byte on the wire
};

/** @ingroup gridftp @param scenario with the session @param session whose tool is bbFTP @return
 * what it is to move; its windows are those of GetBbftpBuffers() */
BbftpTransfer MakeBbftpTransfer(const Scenario& scenario, const SessionSpec& session);

/** @ingroup gridftp @param scenario with the session @param session whose tool is bbFTP @return the
 * buffers of its data connections, see BBFTP_WINDOW */
BufferSpec GetBbftpBuffers(const Scenario& scenario, const SessionSpec& session);

/** @ingroup gridftp @brief What a host does for one end of bbFTP. */
class BbftpPort
{
  public:
    virtual ~BbftpPort() = default;

    /** The client opens the control connection. @param now of the simulation */
    virtual void ConnectControl(Nanoseconds now) = 0;

    /** Writes to the control connection, apart from what it writes before and after: in a segment
     * of its own, if it may be sent. @param now of the simulation @param bytes what */
    virtual void Say(Nanoseconds now, std::vector<uint8_t> bytes) = 0;

    /** The server waits for data connections. @param now of the simulation @param streams how many
     * @return the ports, by stream */
    virtual std::vector<uint16_t> Listen(Nanoseconds now, uint32_t streams) = 0;

    /** The client opens a data connection. @param now of the simulation @param stream which @param
     * port of the server */
    virtual void Connect(Nanoseconds now, uint32_t stream, uint16_t port) = 0;

    /** Sends a part. @param now of the simulation @param stream over which, that is there @param
     * bytes on the wire */
    virtual void Send(Nanoseconds now, uint32_t stream, uint64_t bytes) = 0;

    /** Writes once to a data connection on which it receives. @param now of the simulation @param
     * stream which @param bytes what */
    virtual void Answer(Nanoseconds now, uint32_t stream, std::vector<uint8_t> bytes) = 0;

    /** The client begins to open data connections. @param now of the simulation */
    virtual void HandleBegun(Nanoseconds /* now */)
    {
    }

    /** All parts are done, as the client sees it. @param now of the simulation */
    virtual void HandleMoved(Nanoseconds /* now */)
    {
    }

    /** It ends: nothing is called any more. @param now of the simulation @param reason for a
     * person, why it has failed; empty: it has not */
    virtual void Finish(Nanoseconds now, const std::string& reason) = 0;
};

/**
 * @ingroup gridftp
 * One end of bbFTP, on whichever engine: it acts on what it is told, until it calls
 * BbftpPort::Finish().
 */
class BbftpEnd
{
  public:
    /** @param name in front of reasons @param port of its host; outlives it */
    BbftpEnd(std::string_view name, BbftpPort& port)
        : m_name(name),
          m_port(&port)
    {
    }

    virtual ~BbftpEnd() = default;

    BbftpEnd(const BbftpEnd&) = delete;
    BbftpEnd& operator=(const BbftpEnd&) = delete;

    /** It begins; of the client. @param now of the simulation */
    virtual void Start(Nanoseconds now);

    /** The server has accepted the control connection. @param now of the simulation */
    virtual void HandleAccepted(Nanoseconds now);

    /** Bytes have come by the control connection. @param now of the simulation @param bytes they,
     * in order; a message may come in pieces */
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes);

    /** The control connection is lost. @param now of the simulation @param loss how */
    void HandleLost(Nanoseconds now, StreamLoss loss);

    /** A data connection is there, at this end. @param now of the simulation @param stream which */
    virtual void HandleDataConnected(Nanoseconds now, uint32_t stream) = 0;

    /** Bytes have come by a data connection; where writing them takes time, they are stored. @param
     * now of the simulation @param stream which @param bytes how many */
    void HandleData(Nanoseconds now, uint32_t stream, uint64_t bytes);

    /** A data connection is lost. @param now of the simulation @param stream which @param loss how
     */
    void HandleDataLost(Nanoseconds now, uint32_t stream, StreamLoss loss);

    /** @return whether it has ended */
    bool IsOver() const
    {
        return m_isOver;
    }

    /** @return file bytes that have come, at the end that receives */
    uint64_t GetBytes() const;

    /** @return N; 0 before it is agreed */
    uint32_t GetStreams() const
    {
        return m_parts ? m_parts->GetStreams() : 0;
    }

    /** @return whether it receives the parts, which are agreed */
    bool Receives() const
    {
        return m_receives;
    }

    /** @return what goes over which stream, which is agreed */
    const BbftpParts& GetParts() const
    {
        return *m_parts;
    }

  protected:
    /** A message has come. @param now of the simulation @param code of it @param body of it */
    virtual void HandleMessage(Nanoseconds now, uint32_t code, std::span<const uint8_t> body) = 0;

    /** Bytes have come that are no message, see ExpectRaw(). @param now of the simulation @param
     * bytes all of them */
    virtual void HandleRaw(Nanoseconds now, std::span<const uint8_t> bytes);

    /** Bytes have come by a data connection. @param now of the simulation @param stream which */
    virtual void HandleArrival(Nanoseconds now, uint32_t stream) = 0;

    /** @return whether nothing is missing that the other end could still bring, so that it may
     * close */
    virtual bool IsThrough() const
    {
        return false;
    }

    /** Says a header, and apart from it a body. @param now of the simulation @param code of the
     * message @param body of it; empty: there is none */
    void Say(Nanoseconds now, BbftpText::Code code, const std::vector<uint8_t>& body = {});

    /** The next bytes of the control connection are no message. @param bytes how many */
    void ExpectRaw(uint32_t bytes)
    {
        m_rawBytes = bytes;
    }

    /** Fails unless a message is what it waits for. @param now of the simulation @param code of the
     * message @param body of it @param wanted code @param bytes of its body @return whether it is
     */
    bool Check(Nanoseconds now,
               uint32_t code,
               std::span<const uint8_t> body,
               uint32_t wanted,
               size_t bytes);

    /** It is agreed what goes over which stream. @param parts of the file @param receives whether
     * this end receives them */
    void Agree(const BbftpParts& parts, bool receives);

    /** @param stream which @return whether all has come by it that is to: its part, or the answer
     * to it */
    bool IsDone(uint32_t stream) const
    {
        return m_arrived[stream] == GetWanted(stream);
    }

    /** @return whether IsDone() of each stream */
    bool AreAllDone() const;

    /** It cannot go on. @param now of the simulation @param reason for a person */
    void Fail(Nanoseconds now, const std::string& reason);

    /** It is done. @param now of the simulation */
    void End(Nanoseconds now);

    /** @return its host */
    BbftpPort& GetPort() const
    {
        return *m_port;
    }

  private:
    /** Deals with what is complete of the control connection. @param now of the simulation @return
     * whether there was something */
    bool TakeNext(Nanoseconds now);

    /** @param stream which @return bytes that are to come by it */
    uint64_t GetWanted(uint32_t stream) const;

    std::string_view m_name;                    //!< in front of reasons
    BbftpPort* m_port;                          //!< of its host
    MessageBuffer m_read;                       //!< of the control connection
    uint32_t m_rawBytes{0};                     //!< see ExpectRaw()
    std::optional<BbftpText::Header> m_pending; //!< whose body is to come
    std::optional<BbftpParts> m_parts;          //!< what goes over which stream
    std::vector<uint64_t> m_arrived;            //!< bytes that have come, by stream
    bool m_receives{false};                     //!< these are the file's
    bool m_isOver{false};                       //!< see IsOver()
};

/** @ingroup gridftp @brief When the data of a transfer moved, as its client sees it. */
struct BbftpSpan
{
    std::optional<int64_t> beginNs; //!< it began to open the first data connection
    int64_t endNs{0};               //!< the last part was done, or bytes have come last

    /** @param failedNs when the session has failed, ns; none: it has not @return how long data
     * moved, ns */
    int64_t GetDurationNs(const std::optional<int64_t>& failedNs) const
    {
        return beginNs ? failedNs.value_or(endNs) - *beginNs : 0;
    }
};

/** @ingroup gridftp @brief The end that connects. */
class BbftpClient final : public BbftpEnd
{
  public:
    /** @param transfer what is to be moved; of a download its size is not looked at @param port of
     * its host; outlives it */
    BbftpClient(const BbftpTransfer& transfer, BbftpPort& port);

    void Start(Nanoseconds now) override;
    void HandleDataConnected(Nanoseconds now, uint32_t stream) override;

    /** @return when data moved, up to now or to its end */
    const BbftpSpan& GetSpan() const
    {
        return m_span;
    }

  protected:
    void HandleMessage(Nanoseconds now, uint32_t code, std::span<const uint8_t> body) override;
    void HandleRaw(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleArrival(Nanoseconds now, uint32_t stream) override;

  private:
    /** What it waits for. */
    enum class State
    {
        KEY,      //!< CRYPT
        LOGIN,    //!< OK
        VERSIONS, //!< PROT_ANS
        OFFER,    //!< TRANS_OK, and the ports behind it
        MOVING    //!< data connections, parts, OK
    };

    /** What is to be moved has been agreed. @param now of the simulation @param offer of the server
     */
    void TakeOffer(Nanoseconds now, const BbftpOffer& offer);

    /** It ends if nothing is missing. @param now of the simulation */
    void CheckEnd(Nanoseconds now);

    BbftpTransfer m_transfer;      //!< what is to be moved
    State m_state{State::KEY};     //!< what it waits for
    std::vector<uint16_t> m_ports; //!< of the server, by stream
    uint32_t m_connected{0};       //!< data connections that are there
    bool m_isOk{false};            //!< the server says that all is done
    BbftpSpan m_span;              //!< see GetSpan()
};

/** @ingroup gridftp @brief The end that accepts. */
class BbftpServer final : public BbftpEnd
{
  public:
    /** @param transfer what is to be moved; of an upload its size is not looked at, nor ever the
     * number of streams @param port of its host; outlives it */
    BbftpServer(const BbftpTransfer& transfer, BbftpPort& port);

    void HandleAccepted(Nanoseconds now) override;
    void HandleDataConnected(Nanoseconds now, uint32_t stream) override;

  protected:
    void HandleMessage(Nanoseconds now, uint32_t code, std::span<const uint8_t> body) override;
    void HandleArrival(Nanoseconds now, uint32_t stream) override;

    bool IsThrough() const override
    {
        return m_state == State::ENDED;
    }

  private:
    /** Where it is. */
    enum class State
    {
        LOGIN,    //!< waits for LOG
        VERSIONS, //!< waits for PROT
        VERSION,  //!< waits for PROT_ANS
        LOGGED,   //!< waits for STORE or RETR
        NAME,     //!< waits for FILENAME
        OFFERED,  //!< waits for TRANS_START
        MOVING,   //!< parts are moved
        ENDED     //!< waits for CLOSE_CONN
    };

    /** Answers what the client wants. @param now of the simulation */
    void Offer(Nanoseconds now);

    /** All data connections are there, the client says. @param now of the simulation */
    void Begin(Nanoseconds now);

    /** Sends a part, or answers one that has come, if it is time. @param now of the simulation
     * @param stream which */
    void Move(Nanoseconds now, uint32_t stream);

    /** Says that all is done, if it is. @param now of the simulation */
    void CheckEnd(Nanoseconds now);

    BbftpTransfer m_transfer;    //!< what is to be moved
    State m_state{State::LOGIN}; //!< where it is
    std::vector<bool> m_isThere; //!< data connections that are, by stream
    std::vector<bool> m_isMoved; //!< it sends or has answered, by stream
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_H
