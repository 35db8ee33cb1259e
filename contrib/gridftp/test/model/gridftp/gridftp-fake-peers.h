/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FAKE_PEERS_H
#define GRIDFTP_FAKE_PEERS_H

#include "gridftp-control-reply.h"
#include "gridftp-mode-e-header.h"
#include "gridftp-stripe-text.h"

#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A server and a client that do what a test says, right or wrong. They share nothing with the
 * applications but the parsers of lines and replies, which have tests of their own.
 */

namespace ns3::gridftp
{

/// @ingroup gridftp @brief What goes over a data connection.
using FakeBytes = std::string;

/**
 * @ingroup gridftp
 * @param header of a block
 * @return the block on the wire, with a payload of zeros unless it has EOF
 */
FakeBytes MakeFakeBlock(const ModeEHeader& header);

/**
 * @ingroup gridftp
 * Writes bytes to a socket as it has room, then closes it if asked.
 */
class FakeWriter
{
  public:
    /// @param socket connected, or about to be: its connect and send callbacks are taken
    explicit FakeWriter(Ptr<Socket> socket);

    /// @param bytes to be sent
    void Write(const FakeBytes& bytes);

    /// Close when all is written.
    void Close();

    Ptr<Socket> socket;    //!< the connection
    bool failed{false};    //!< refused or reset
    bool closed{false};    //!< the peer has closed
    bool connected{false}; //!< the handshake is done

  private:
    /// Write while there is room.
    void Flush();

    FakeBytes m_unsent;    //!< not written yet
    bool m_closing{false}; //!< to be closed when all is written
};

/**
 * @ingroup gridftp
 * A server whose every answer can be set. As it is, it welcomes everything, moves nothing, and
 * confirms an upload when it is told how long one takes.
 */
class FakeServer
{
  public:
    /**
     * @param node where it runs
     * @param address of the node
     */
    FakeServer(Ptr<Node> node, Ipv4Address address);

    std::map<std::string, std::string> answers; //!< by verb, "" none; "220" is the greeting
    std::map<std::string, Time> delays;         //!< of answers, by verb; "226" counts from the 150
    std::string closeAt;                        //!< verb at which it closes the control connection
    uint64_t resetAfter{0};                     //!< resets data connections after so many bytes
    std::vector<FakeBytes> streams;             //!< sent to the PORT address, each on its own
    std::vector<std::string> verbs;             //!< of commands that came
    uint64_t received{0};                       //!< over data connections, bytes
    uint16_t dataPort{5000};                    //!< told with PASV; it listens on 5000

    /// Closes the control connection. @param after this time
    void CloseControlAfter(Time after);

  private:
    /// @param socket accepted control connection
    void HandleControl(Ptr<Socket> socket);

    /// @param socket accepted data connection
    void HandleData(Ptr<Socket> socket);

    /// @param socket with something to read
    void ReadData(Ptr<Socket> socket);

    /// @param socket with something to read
    void ReadControl(Ptr<Socket> socket);

    /// @param line a command
    void Answer(const std::string& line);

    /// @param verb what it answers @param text the lines
    void Say(const std::string& verb, const std::string& text);

    Ptr<Node> m_node;                                   //!< where it runs
    Ipv4Address m_address;                              //!< of the node
    std::vector<Ptr<Socket>> m_sockets;                 //!< listening, and accepted
    std::vector<std::shared_ptr<FakeWriter>> m_writers; //!< data connections it opened
    std::shared_ptr<FakeWriter> m_control;              //!< control connection
    LineReader m_lines;                                 //!< of commands
    Address m_peer;                                     //!< told with PORT
};

/**
 * @ingroup gridftp
 * A client that follows a timetable: lines to be said and data to be sent at times after the start
 * of the simulation.
 */
class FakeClient
{
  public:
    /**
     * @param node where it runs
     * @param server where to connect, at time 0
     */
    FakeClient(Ptr<Node> node, Ipv4Address server);

    /**
     * @param at when, ms
     * @param lines to be said, separated by "|"
     */
    void SayAt(uint32_t at, const std::string& lines);

    /// @param at when, ms @param bytes to be sent as they are
    void SendAt(uint32_t at, const std::string& bytes);

    /**
     * Opens a data connection to the address of the last 227, or to those of the last 229 in turn,
     * unless it is open, and sends.
     * @param at when, ms
     * @param stream index of the connection
     * @param bytes to be sent
     */
    void DataAt(uint32_t at, uint32_t stream, const FakeBytes& bytes);

    /// @param at when, ms @param stream to be closed
    void CloseDataAt(uint32_t at, uint32_t stream);

    /// @param at when, ms
    void CloseAt(uint32_t at);

    /**
     * Listens for data connections.
     * @param port where
     * @param resetAfter so many bytes it resets them; 0: never
     */
    void Listen(uint16_t port, uint64_t resetAfter = 0);

    /// @return codes of all replies so far, blank separated
    std::string GetCodes() const;

    std::vector<Reply> replies;                              //!< so far
    uint32_t junk{0};                                        //!< lines that were no reply
    uint32_t accepted{0};                                    //!< data connections
    uint64_t received{0};                                    //!< over data connections, bytes
    std::map<uint32_t, std::shared_ptr<FakeWriter>> streams; //!< data connections opened
    std::shared_ptr<FakeWriter> control;                     //!< control connection

  private:
    /// Read replies. @param socket control connection
    void ReadControl(Ptr<Socket> socket);

    /// @param socket data connection @param resetAfter bytes
    void ReadData(Ptr<Socket> socket, uint64_t resetAfter);

    Ptr<Node> m_node;                   //!< where it runs
    LineReader m_lines;                 //!< of the control connection
    ReplyReader m_replyReader;          //!< of the control connection
    std::vector<HostPort> m_passive;    //!< told with 227 or 229
    std::vector<Ptr<Socket>> m_sockets; //!< listening, and accepted
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FAKE_PEERS_H
