/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-start-jitter.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/*
 * Times on the default path of TransferTest, by hand, in ns. A packet of S bytes (IP) takes
 * 100 (S + 2) on the bottleneck and S + 2 on each access link, and 10,020,000 of propagation.
 *
 * Whoever answers a segment sends its ACK first, 40 bytes: the answer waits for it on the access
 * link, and once more at the bottleneck, where the ACK takes 4200 and the answer arrives S + 2
 * behind it (S + 2 < 4200 in all that follows).
 *
 * A write reaches the wire 1 ns later; that is all that these times leave out.
 */

constexpr double ROUNDING = 1e-8; //!< s

constexpr int64_t PROPAGATION = 10'020'000; //!< of one way
constexpr int64_t ACK = 42;                 //!< bytes of an ACK on a link

/// @param bytes of a packet (IP) sent without an ACK before it @return its time from host to host,
/// ns
int64_t
Alone(int64_t bytes)
{
    return 102 * (bytes + 2) + PROPAGATION;
}

/**
 * @param bytes of a packet (IP) sent right behind ACKs, or FINs, which are as large
 * @param acks their number
 * @return its time from the first ACK's start, ns
 */
int64_t
BehindAck(int64_t bytes, int64_t acks = 1)
{
    return ACK + 100 * ACK * acks + 101 * (bytes + 2) + PROPAGATION;
}

/// @param line of a control connection @return bytes of its packet (IP)
int64_t
PacketOf(const std::string& line)
{
    return 40 + static_cast<int64_t>(line.size()) + 2;
}

/// The replies to the login, as one packet each.
const std::vector<std::pair<std::string, std::string>> LOGIN{
    {"USER anonymous", "331 Password required for anonymous."},
    {"PASS client@gridftp", "230 User anonymous logged in."},
    {"SITE HELP",
     "214-The following commands are recognized:\r\n USER\r\n PASS\r\n SITE\r\n FEAT\r\n TYPE\r\n "
     "MODE\r\n SIZE\r\n PASV\r\n PORT\r\n ALLO\r\n STOR\r\n RETR\r\n ESTO\r\n ERET\r\n OPTS\r\n "
     "SBUF\r\n PBSZ\r\n NOOP\r\n QUIT\r\n214 End"},
    {"FEAT",
     "211-Extensions supported:\r\n PARALLEL\r\n SIZE\r\n ERET\r\n ESTO\r\n SBUF\r\n211 End."},
    {"SITE CLIENTINFO appname=ns-3-gridftp;scheme=gsiftp;", "250 OK."},
    {"TYPE I", "200 Type set to I."},
    {"MODE E", "200 Mode set to E."},
    {"SITE STORBUFSIZE 65536", "200 Site Command Successful."},
};

/// R of the real client and server.
class ResponseTimeTest : public TransferTest
{
  public:
    /// @param samples M
    explicit ResponseTimeTest(size_t samples)
        : TransferTest("measurement: R of the last " + std::to_string(samples) + " replies"),
          m_samples(samples)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetClient("FileSize", UintegerValue(2000));
        SetClient("ChunkSize", UintegerValue(1000));
        SetClient("RttSamples", UintegerValue(m_samples));
    }

    void FinalChecks() override
    {
        ExpectDone();
        const size_t count = std::min(m_samples, LOGIN.size());
        int64_t sum = 0;
        for (size_t i = LOGIN.size() - count; i < LOGIN.size(); ++i)
        {
            sum += BehindAck(PacketOf(LOGIN[i].first)) + BehindAck(PacketOf(LOGIN[i].second));
        }
        const double expected = static_cast<double>(sum) / static_cast<double>(count) / 1e9;
        const SessionResult session = m_clients[0]->GetResult();
        for (const auto& chunk : session.gridftp->chunks)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(chunk.rttS, expected, ROUNDING, "R, s");
        }
    }

    size_t m_samples; //!< M
};

/**
 * A control connection keeps its own window. With segments of 40 bytes SITE CLIENTINFO takes two
 * and the reply to SITE HELP six; were W = 40 its window, each would take a round trip.
 */
class ControlWindowTest : public TransferTest
{
  public:
    ControlWindowTest()
        : TransferTest("measurement: R does not depend on W")
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_links.packetBytes = 80;
        m_tcp.window = 40;
        m_tcp.initialWindow = 6;
        SetClient("Window", UintegerValue(40));
        SetClient("FileSize", UintegerValue(500));
    }

    void FinalChecks() override
    {
        ExpectDone();
        const auto chunks = m_clients[0]->GetResult().gridftp->chunks;
        GRIDFTP_TEST_REQUIRE_EQ(chunks.size(), 1, "chunks");
        NS_TEST_EXPECT_MSG_EQ_TOL(chunks[0].rttS, 0.02, 0.0002, "about one round trip, s");
    }
};

/// R where each answer takes its own time: greeting, PASV, ALLO, PORT and transfer do not count.
class SlowServerTest : public TransferTest
{
  public:
    /**
     * @param direction upload or download
     * @param samples M
     * @param timed commands that count, in order, up to the first chunk
     * @param second the same up to the second chunk
     */
    SlowServerTest(Direction direction,
                   size_t samples,
                   std::vector<std::string> timed,
                   std::vector<std::string> second)
        : TransferTest("measurement: R of a slow server, M = " + std::to_string(samples) +
                       (direction == Direction::UPLOAD ? ", upload" : ", download")),
          m_direction(direction),
          m_samples(samples),
          m_timed{std::move(timed), std::move(second)}
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withServers = false;
        SetClient("FileSize", UintegerValue(2000));
        SetClient("ChunkSize", UintegerValue(1000));
        SetClient("Direction", EnumValue(m_direction));
        SetClient("RttSamples", UintegerValue(m_samples));
    }

    void ConfigureObjects() override
    {
        m_fakeServer = std::make_unique<FakeServer>(m_network->GetServers().Get(0),
                                                    m_network->GetServerAddress(0));
        uint32_t ms = 1;
        for (const auto* verb : {"USER", "PASS", "SITE", "FEAT", "TYPE", "MODE", "SIZE", "OPTS"})
        {
            m_fakeServer->delays[verb] = MilliSeconds(ms);
            ms *= 2;
        }
        for (const auto* verb : {"220", "PASV", "ALLO", "PORT", "ESTO", "ERET", "226"})
        {
            m_fakeServer->delays[verb] = Seconds(1);
        }
        m_fakeServer->streams = {MakeFakeBlock(ModeEHeader::Data(0, 1000)) +
                                 MakeFakeBlock(ModeEHeader::EndOfDataAndFile(1))};
        if (m_direction == Direction::UPLOAD)
        {
            m_fakeServer->streams.clear();
        }
    }

    /// @param line a command @param fins sent before it @return its response time, ns
    int64_t GetTime(const std::string& line, int64_t fins)
    {
        const std::string verb = line.substr(0, 4);
        const auto known = m_fakeServer->answers.find(verb);
        const std::string answer =
            known == m_fakeServer->answers.end() ? "200 fine." : known->second;
        return BehindAck(PacketOf(line), 1 + fins) +
               m_fakeServer->delays.at(verb).GetNanoSeconds() + Alone(PacketOf(answer));
    }

    void FinalChecks() override
    {
        ExpectDone();
        const auto chunks = m_clients[0]->GetResult().gridftp->chunks;
        GRIDFTP_TEST_REQUIRE_EQ(chunks.size(), 2, "chunks");
        for (size_t chunk = 0; chunk < 2; ++chunk)
        {
            const auto& timed = m_timed[chunk];
            const size_t count = std::min(m_samples, timed.size());
            int64_t sum = 0;
            for (size_t i = timed.size() - count; i < timed.size(); ++i)
            {
                // A client closes the connections of the last download just before it says OPTS.
                const bool again = chunk == 1 && i + 1 == timed.size();
                sum += GetTime(timed[i], again && m_direction == Direction::DOWNLOAD ? 1 : 0);
            }
            const double expected = static_cast<double>(sum) / static_cast<double>(count) / 1e9;
            NS_TEST_EXPECT_MSG_EQ_TOL(chunks[chunk].rttS, expected, ROUNDING, "R, s");
        }
    }

    Direction m_direction;                         //!< upload or download
    size_t m_samples;                              //!< M
    std::vector<std::vector<std::string>> m_timed; //!< commands that count, for each chunk
};

/// T of the smallest transfer, of one byte over one connection.
class DurationTest : public TransferTest
{
  public:
    /// @param direction upload or download
    explicit DurationTest(Direction direction)
        : TransferTest(direction == Direction::UPLOAD ? "measurement: T of an upload"
                                                      : "measurement: T of a download"),
          m_direction(direction)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetClient("Direction", EnumValue(m_direction));
        SetBoth("FileSize", UintegerValue(1));
        SetBoth("StartJitter", TimeValue(MilliSeconds(50)));
    }

    void FinalChecks() override
    {
        ExpectDone();
        constexpr int64_t SYN = 44;            // with the window scale option
        constexpr int64_t DATA = 40 + 18 + 17; // a block of one byte, EOD and EOF
        const std::string markers = "112-Perf Marker\r\n Timestamp:  0.3\r\n Stripe Index: 0\r\n "
                                    "Stripe Bytes Transferred: 1\r\n Total Stripe Count: 1\r\n"
                                    "112 End.\r\n111 Range Marker 0-1\r\n";
        const std::string done = "226 Transfer Complete.";
        const StartJitter jitter{.seed = 1, .run = 1, .session = 0, .jitterNs = 50'000'000};
        int64_t expected = jitter.Draw(0, 0);
        if (m_direction == Direction::UPLOAD)
        {
            expected += BehindAck(PacketOf("ESTO A 0 /data/file")) +
                        BehindAck(PacketOf("150 Beginning transfer.")) + Alone(SYN) + Alone(SYN) +
                        BehindAck(DATA) + BehindAck(PacketOf(markers + done));
        }
        else
        {
            expected += BehindAck(PacketOf("ERET P 0 1 /data/file")) + Alone(SYN) + Alone(SYN) +
                        BehindAck(DATA) + Alone(40) + Alone(PacketOf(done));
        }
        const auto chunks = m_clients[0]->GetResult().gridftp->chunks;
        GRIDFTP_TEST_REQUIRE_EQ(chunks.size(), 1, "chunks");
        const double duration = static_cast<double>(chunks[0].endNs - chunks[0].startNs) / 1e9;
        NS_TEST_EXPECT_MSG_EQ_TOL(duration, static_cast<double>(expected) / 1e9, ROUNDING, "T, s");
        NS_TEST_EXPECT_MSG_EQ_TOL(chunks[0].goodputBps, 8 / duration, 1e-6, "G = X / T");
        CheckWire(chunks[0], done);
    }

    /// @param chunk the record @param done the final reply
    void CheckWire(const ChunkRecord& chunk, const std::string& done)
    {
        for (const auto& command : m_clientTaps[0]->GetCommands())
        {
            if (command.text.starts_with("ESTO") || command.text.starts_with("ERET"))
            {
                NS_TEST_EXPECT_MSG_EQ(command.at.GetNanoSeconds(),
                                      chunk.startNs + ACK,
                                      "leaves behind an ACK");
            }
        }
        uint32_t found = 0;
        for (const auto& reply : m_clientTaps[0]->GetReplies())
        {
            if (reply.text == done)
            {
                ++found;
                NS_TEST_EXPECT_MSG_EQ(reply.at.GetNanoSeconds(), chunk.endNs, "comes");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(found, 1, done);
    }

    Direction m_direction; //!< upload or download
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const size_t samples : {1, 3, 8, 10})
    {
        all.push_back(new ResponseTimeTest(samples));
    }
    all.push_back(new ControlWindowTest);
    const std::vector<std::string> login{"USER anonymous",
                                         "PASS client@gridftp",
                                         "SITE HELP",
                                         "FEAT",
                                         "SITE CLIENTINFO appname=ns-3-gridftp;scheme=gsiftp;",
                                         "TYPE I",
                                         "MODE E"};
    auto upload = login;
    upload.emplace_back("SITE STORBUFSIZE 65536");
    auto download = login;
    download.insert(download.end(),
                    {"SIZE /data/file", "SITE RETRBUFSIZE 65536", "OPTS RETR Parallelism=1,1,1;"});
    auto second = download;
    second.emplace_back("OPTS RETR Parallelism=1,1,1;");
    for (const size_t samples : {1, 2, 5, 10, 100})
    {
        all.push_back(new SlowServerTest(Direction::UPLOAD, samples, upload, upload));
        all.push_back(new SlowServerTest(Direction::DOWNLOAD, samples, download, second));
    }
    for (const auto direction : {Direction::UPLOAD, Direction::DOWNLOAD})
    {
        all.push_back(new DurationTest(direction));
    }
    return all;
});

} // namespace ns3::gridftp
