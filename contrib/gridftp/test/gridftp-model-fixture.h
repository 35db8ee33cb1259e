/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MODEL_FIXTURE_H
#define GRIDFTP_MODEL_FIXTURE_H

#include "gridftp-client.h"
#include "gridftp-dumbbell-helper.h"
#include "gridftp-fake-peers.h"
#include "gridftp-server.h"
#include "gridftp-tcp-defaults.h"

#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of applications and helpers share: the network, the applications, and a look at
 * the wire.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads along on the link of a host: TCP segments, the lines of control connections, the blocks of
 * data connections. It knows nothing of the applications.
 */
class WireTap
{
  public:
    /** A line of a control connection. */
    struct Line
    {
        Time at;          //!< its first byte begins to leave, or has come
        std::string text; //!< without CRLF
    };

    /** A data connection: its SYN. */
    struct Opening
    {
        Time at;       //!< the SYN begins to leave, or has come
        bool sent;     //!< whether this host opens it
        uint16_t from; //!< port
        uint16_t to;   //!< port
    };

    /** Part of a file. */
    struct Piece
    {
        uint64_t offset; //!< of its first byte
        uint64_t length; //!< bytes
        uint16_t port;   //!< where its data connection was opened from
    };

    /** What the data connections carried between one ESTO or ERET and the next. */
    struct Chunk
    {
        std::vector<Piece> pieces; //!< by port, then in the order of the stream
        uint32_t ends{0};          //!< EODs
        uint32_t files{0};         //!< EOFs
        uint64_t announced{0};     //!< EODs that the last EOF told of

        /**
         * @param bytes a size
         * @return whether every byte from 0 to @p bytes was there, each once, and no other
         */
        bool Covers(uint64_t bytes) const;
    };

    /** @param host with one link */
    explicit WireTap(Ptr<Node> host);

    WireTap(const WireTap&) = delete;
    WireTap& operator=(const WireTap&) = delete;

    /** @return lines towards port 2811, of all control connections */
    std::vector<Line> GetCommands() const;

    /** @return lines from port 2811, of all control connections */
    std::vector<Line> GetReplies() const;

    /** @return the first SYN of each data connection */
    std::vector<Opening> GetOpenings() const;

    /** @return of the chunks, what the data connections carried; of use at the receiving host */
    std::vector<Chunk> GetChunks() const;

    /** @return when the last TCP segment crossed that was not a bare FIN or a RST */
    Time GetLastTime() const;

    /** @return verbs of the commands, blank separated */
    std::string GetVerbs() const;

    /** @return codes of the lines that begin with one, blank separated */
    std::string GetCodes() const;

  private:
    class Blocks;

    /** A TCP segment. */
    struct Segment
    {
        Time at;             //!< it begins to leave, or has come
        uint32_t sequence;   //!< of its first byte
        Ptr<Packet> payload; //!< maybe empty
    };

    using Ports = std::pair<uint16_t, uint16_t>; //!< from, to

    /** A packet begins to leave. @param packet with its PPP header */
    void HandleSent(Ptr<const Packet> packet);

    /** A packet has come. @param packet with its PPP header */
    void HandleReceived(Ptr<const Packet> packet);

    /** A packet crosses the link. @param packet with its PPP header @param sent by this host */
    void HandlePacket(Ptr<const Packet> packet, bool sent);

    /** @param toServer lines to (true) or from (false) port 2811 @return them in order of time */
    std::vector<Line> GetLines(bool toServer) const;

    /** @param segments of one connection @return their payload in order, each byte once */
    static std::vector<Segment> Reassemble(const std::vector<Segment>& segments);

    /** @param segments of one connection @return its lines */
    static std::vector<Line> ReadLines(const std::vector<Segment>& segments);

    std::map<Ports, std::vector<Segment>> m_segments; //!< with payload, one way
    std::vector<Opening> m_syns;                      //!< without ACK
    Time m_last;                                      //!< of the last segment but FINs, RSTs
};

/**
 * @ingroup gridftp
 * A simulation of clients and servers on the dumbbell. A case overrides the hooks it needs:
 * ConfigureEnvironment(), before any object exists; ConfigureObjects(), when network and
 * applications do and nothing has started; FinalChecks(), at the end.
 *
 * The default path is one whose times are easily worked out: 100 ns for a byte on the bottleneck,
 * 1 ns on the access links, 10.02 ms from host to host.
 */
class TransferTest : public TestCase
{
  public:
    /** @param name of the case */
    explicit TransferTest(const std::string& name);

  protected:
    /** Links, TCP, attributes. */
    virtual void ConfigureEnvironment()
    {
    }

    /** Whatever else takes part. */
    virtual void ConfigureObjects()
    {
    }

    /** What must have come of it. */
    virtual void FinalChecks()
    {
    }

    /** @param name of an attribute of all clients @param value of it */
    void SetClient(const std::string& name, const AttributeValue& value);

    /** @param name of an attribute of all servers @param value of it */
    void SetServer(const std::string& name, const AttributeValue& value);

    /** @param name of an attribute of clients and servers @param value of it */
    void SetBoth(const std::string& name, const AttributeValue& value);

    /** @param name of an attribute of all tuners @param value of it */
    void SetTuner(const std::string& name, const AttributeValue& value);

    /** Loses every packet on the bottleneck, both ways. @param from this time on */
    void CutBottleneck(Time from);

    /** Every client is done. */
    void ExpectDone();

    /** The first client has failed. @param reason its reason, or the beginning of it */
    void ExpectFailed(const std::string& reason);

    /** Nothing was scheduled any more at the end. */
    void ExpectDry();

    /** @param client index @return the parallelism of its chunks, blank separated */
    std::string GetSequence(uint32_t client = 0) const;

    DumbbellHelper::Links m_links; //!< of the network
    TcpDefaults m_tcp;             //!< of all TCP
    uint32_t m_pairs{1};           //!< of hosts
    bool m_oneServer{false};       //!< all clients use the first server
    bool m_withClients{true};      //!< whether there are clients
    bool m_withServers{true};      //!< whether there are servers
    std::string m_mode{"fixed"};   //!< of the tuners
    Time m_limit{Minutes(10)};     //!< the simulation must have ended by itself before
    Time m_watch{Hours(1)};        //!< how long it is watched after that

    std::unique_ptr<DumbbellHelper> m_network;          //!< the dumbbell
    std::vector<Ptr<Client>> m_clients;                 //!< one per pair
    std::vector<Ptr<Server>> m_servers;                 //!< one per pair
    std::unique_ptr<FakeServer> m_fakeServer;           //!< made by the case that needs one
    std::unique_ptr<FakeClient> m_fakeClient;           //!< made by the case that needs one
    std::vector<std::unique_ptr<WireTap>> m_clientTaps; //!< at the clients' hosts
    std::vector<std::unique_ptr<WireTap>> m_serverTaps; //!< at the servers' hosts

  private:
    using Attributes = std::vector<std::pair<std::string, Ptr<AttributeValue>>>; //!< to be set

    void DoRun() override;
    void DoTeardown() override;

    /** Makes applications and taps of a pair. @param pair index */
    void Install(uint32_t pair);

    Attributes m_clientAttributes; //!< of all clients
    Attributes m_serverAttributes; //!< of all servers
    Attributes m_tunerAttributes;  //!< of all tuners
    bool m_ranDry{false};          //!< nothing was left at the end
};

/// @return the cases of gridftp-transfer-test.cc: transfers of all kinds, byte by byte
std::vector<TestCase*> MakeTransferTestCases();

/// @return the cases of gridftp-measurement-test.cc: R, T, the order of commands, start jitter
std::vector<TestCase*> MakeMeasurementTestCases();

/// @return the cases of gridftp-failure-test.cc: a client whose server or network fails
std::vector<TestCase*> MakeFailureTestCases();

/// @return the cases of gridftp-server-test.cc: a server whose clients are odd
std::vector<TestCase*> MakeServerTestCases();

/// @return the cases of gridftp-lifetime-test.cc: stopping, disposing, several clients
std::vector<TestCase*> MakeLifetimeTestCases();

/// @return the cases of gridftp-dumbbell-test.cc: the network
std::vector<TestCase*> MakeDumbbellTestCases();

/// @return the cases of gridftp-probe-test.cc: what is counted and traced
std::vector<TestCase*> MakeProbeTestCases();

/// @return the cases of gridftp-attribute-test.cc: attributes and trace sources
std::vector<TestCase*> MakeAttributeTestCases();

} // namespace ns3::gridftp

#endif // GRIDFTP_MODEL_FIXTURE_H
