/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-idle-observer.h"
#include "gridftp-linux-line.h"
#include "gridftp-option-table.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-send-pool.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr int64_t SECOND = 1000 * MS;
constexpr auto ACTIVE_END = TcpConnection::ACTIVE;
constexpr auto PASSIVE_END = TcpConnection::PASSIVE;

constexpr uint64_t SEGMENT = 1448; ///< data of a full segment with timestamps, bytes

/// When the endpoint that connects has done so: a SYN and its answer of 60 bytes each, and 2 of the
/// links' header, on links of 1 Gbit/s and 10 ms.
constexpr int64_t CONNECTED = 2 * (10 * MS + 496);

/// What a full segment of 1500 bytes takes on a link, without its delay.
constexpr int64_t LENGTH = 12'016;

/// What it takes to the other host.
constexpr int64_t TRIP = 10 * MS + LENGTH;

/// A rate at which a full segment takes 10 ms, bit/s.
constexpr uint64_t SEGMENT_IN_10_MS = SEGMENT * 8 * 100;

/// An application that has so many bytes to write, and perhaps only from a time on.
class Bytes : public ByteSource
{
  public:
    /// @param bytes that it has @param piece of them at most at a time @param pauseNs between two
    /// pieces, which it fetches when the one before is written; 0: they are there
    explicit Bytes(uint64_t bytes, uint64_t piece = UINT64_MAX, int64_t pauseNs = 0)
        : m_left(bytes),
          m_piece(piece),
          m_pauseNs(pauseNs)
    {
    }

    /// @param connection that it writes to
    void SetConnection(const TcpConnection& connection)
    {
        m_connection = &connection;
    }

    uint64_t Write(uint64_t room) override
    {
        if (m_pauseNs > 0 && m_connection->GetNow(ACTIVE_END) < m_nextNs)
        {
            return 0;
        }
        const uint64_t bytes = std::min({room, m_left, m_piece});
        m_left -= bytes;
        return bytes;
    }

    void HandleWritten() override
    {
        m_nextNs = m_pauseNs > 0 ? m_connection->GetNow(ACTIVE_END) + m_pauseNs : 0;
    }

    int64_t GetNextNs() const override
    {
        return m_nextNs;
    }

    bool IsExhausted() const override
    {
        return m_left == 0;
    }

  private:
    uint64_t m_left;                            //!< still to be written, bytes
    uint64_t m_piece;                           //!< most bytes at a time
    int64_t m_pauseNs;                          //!< see the constructor
    int64_t m_nextNs{0};                        //!< when the next piece is there
    const TcpConnection* m_connection{nullptr}; //!< where it writes
};

/// An application that reads nothing before a time.
class LateReader : public ByteSink
{
  public:
    /// @param from when it reads, ns
    explicit LateReader(int64_t from)
        : m_from(from)
    {
    }

    Nanoseconds GetNextNs(Nanoseconds now) override
    {
        return std::max<Nanoseconds>(now, m_from);
    }

    uint64_t GetRoom() const override
    {
        return UINT64_MAX;
    }

    void Take(Nanoseconds now, uint64_t bytes) override
    {
        firstAt = taken == 0 ? static_cast<int64_t>(now) : firstAt;
        taken += bytes;
    }

    uint64_t taken{0};  //!< bytes
    int64_t firstAt{0}; //!< when it read first, ns

  private:
    int64_t m_from; //!< when it reads, ns
};

/// Applications that rest after each segment, to the nanosecond.
class LinuxTimelineTestCase : public TestCase
{
  public:
    LinuxTimelineTestCase()
        : TestCase("Linux connection: slow readers and writers, sources that wait, to the ns")
    {
    }

  private:
    /// @param bytes what is sent @param change of the connection @return when the application has
    /// all, ns
    int64_t Run(Bytes& bytes, const Line::Change& change)
    {
        Line line({}, [&](SegmentTcp& tcp, TcpConnection::Use& use) {
            use.ways = TcpConnection::Ways::ONE;
            tcp.buffers.segmentBytes = SEGMENT;
            change(tcp, use);
        });
        bytes.SetConnection(line.Get());
        line.Get().Begin(bytes, 0);
        line.At(0, Connect);
        line.At(4 * SECOND, Close);
        int64_t delivered = 0;
        line.Hears("DATA" + std::to_string(10 * SEGMENT), delivered);
        line.Run();
        NS_TEST_EXPECT_MSG_EQ(line.Get().IsOpenAtPassive(), false, "it has read the end of file");
        return delivered;
    }

    void DoRun() override
    {
        // Ten segments leave at once. The first one is read when it comes, the others 10 ms apart
        Bytes all(10 * SEGMENT);
        const int64_t read = Run(all, [](SegmentTcp& tcp, TcpConnection::Use& /* use */) {
            tcp.buffers.readRate = SEGMENT_IN_10_MS;
        });
        NS_TEST_EXPECT_MSG_EQ(read, CONNECTED + TRIP + 9 * 10 * MS, "slow reader");
        // One segment leaves each 10 ms
        Bytes written(10 * SEGMENT);
        const int64_t wrote = Run(written, [](SegmentTcp& tcp, TcpConnection::Use& /* use */) {
            tcp.buffers.writeRate = SEGMENT_IN_10_MS;
            tcp.buffer.most = SEGMENT;
        });
        NS_TEST_EXPECT_MSG_EQ(wrote, CONNECTED + TRIP + 9 * 10 * MS, "slow writer");
        // Two segments 20 ms apart: five pieces. The second one of a piece follows at 1 Gbit/s
        Bytes fetched(10 * SEGMENT, 2 * SEGMENT, 20 * MS);
        const int64_t came = Run(fetched, [](SegmentTcp& tcp, TcpConnection::Use& /* use */) {
            tcp.buffer.most = SegmentSendBuffer::AS_IT_COMES;
        });
        NS_TEST_EXPECT_MSG_EQ(came, CONNECTED + TRIP + LENGTH + 4 * 20 * MS, "source that waits");
    }
};

/// A reader that lets the window close.
class LinuxClosedWindowTestCase : public TestCase
{
  public:
    LinuxClosedWindowTestCase()
        : TestCase("Linux connection: a reader that stops closes the window; probes find it open")
    {
    }

  private:
    static constexpr uint64_t BYTES = 100'000;      //!< that are sent
    static constexpr uint64_t BUFFER = 10'000;      //!< SO_RCVBUF, which the kernel doubles
    static constexpr int64_t READS_AT = 2 * SECOND; //!< when the application reads on

    /// @param trouble on the line @return when all was read, ns
    int64_t Check(const Trouble& trouble)
    {
        LateReader reader(READS_AT);
        Bytes bytes(BYTES);
        Line line(trouble, [&](SegmentTcp& tcp, TcpConnection::Use& use) {
            use.ways = TcpConnection::Ways::ONE;
            use.sink = &reader;
            tcp.kernel->fixedReceiveBuffer = BUFFER;
        });
        line.Get().Begin(bytes, 0);
        line.At(0, Connect);
        uint64_t waiting = 0;
        line.At(500 * MS, [&waiting](TcpConnection& connection, Nanoseconds /* now */) {
            waiting = connection.GetReceived(PASSIVE_END);
        });
        line.At(READS_AT - 1, [this, &waiting](TcpConnection& connection, Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(connection.GetReceived(PASSIVE_END), waiting, "nothing comes");
            NS_TEST_EXPECT_MSG_EQ(connection.GetDelivered(now), 0, "nothing is read");
        });
        int64_t delivered = 0;
        line.Hears("DATA" + std::to_string(BYTES), delivered);
        line.Run();
        // 10000 bytes were offered, in whole segments of 1460. What is stored takes 2304 bytes of
        // 20000 for a full segment, so that it cannot be more than nine of these
        NS_TEST_EXPECT_MSG_GT_OR_EQ(waiting, 6 * 1460, "the first window is full");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(waiting, 9 * SEGMENT, "the buffer is full");
        NS_TEST_EXPECT_MSG_EQ(reader.firstAt, READS_AT, "it reads on");
        NS_TEST_EXPECT_MSG_EQ(reader.taken, BYTES, "it has read all");
        return delivered;
    }

    void DoRun() override
    {
        // A window of 8.5 KB each 20 ms: 11 more round trips, and delayed ACKs of 40 ms at most
        const int64_t update = Check({});
        NS_TEST_EXPECT_MSG_GT(update, READS_AT + 200 * MS, "as a window allows");
        NS_TEST_EXPECT_MSG_LT(update, READS_AT + 1000 * MS, "the ACK of the read opens the window");
        // That ACK is lost. The persist timer is RTT + 200 ms, 220 ms, doubled each time: probes
        // 220 ms, 660 ms, 1.54 s and 3.3 s after the last data, which came at 60 ms at the latest.
        // The kernel's timers are late by up to an eighth
        const Trouble lost{.back = {{.beginNs = READS_AT - MS, .endNs = READS_AT + 100 * MS}}};
        const int64_t probed = Check(lost);
        NS_TEST_EXPECT_MSG_GT(probed, 3300 * MS, "the fourth probe");
        NS_TEST_EXPECT_MSG_LT(probed, 3300 * MS * 9 / 8 + 1000 * MS, "the fourth probe");
    }
};

/// Applications that leave data unread, and buffers of a pool.
class LinuxBuffersTestCase : public TestCase
{
  public:
    LinuxBuffersTestCase()
        : TestCase("Linux connection: closed with data unread, end of file, send pool, preamble")
    {
    }

  private:
    void DoRun() override
    {
        CheckUnread();
        CheckPool();
        CheckPreamble();
    }

    void CheckUnread()
    {
        // Who closes does not read what waits: the peer gets a RST (RFC 2525, Section 2.17)
        LateReader never(NEVER - SECOND);
        Bytes bytes(1000);
        Line line({}, [&](SegmentTcp& /* tcp */, TcpConnection::Use& use) {
            use.ways = TcpConnection::Ways::ONE;
            use.sink = &never;
        });
        line.Get().Begin(bytes, 0);
        line.At(0, Connect);
        line.At(SECOND, ClosePassive);
        line.Run();
        NS_TEST_EXPECT_MSG_EQ(line.GetHeard(), "ACCEPTED drained reset", "unread data");
        NS_TEST_EXPECT_MSG_EQ(line.GetHeardAt() / MS, 1010, "one way trip");
        // Who reads all before the end of file closes with a FIN
        LateReader late(SECOND);
        Bytes others(1000);
        Line whole({}, [&](SegmentTcp& /* tcp */, TcpConnection::Use& use) {
            use.ways = TcpConnection::Ways::ONE;
            use.sink = &late;
        });
        whole.Get().Begin(others, 0);
        whole.At(0, Connect);
        whole.At(100 * MS, Close);
        whole.At(SECOND - 1, [this](TcpConnection& connection, Nanoseconds /* now */) {
            NS_TEST_EXPECT_MSG_EQ(connection.IsOpenAtPassive(), true, "the FIN waits");
        });
        whole.Run();
        NS_TEST_EXPECT_MSG_EQ(whole.GetHeard(), "ACCEPTED drained DATA1000", "late reader");
        NS_TEST_EXPECT_MSG_EQ(whole.GetHeardAt(), SECOND, "when it reads");
        NS_TEST_EXPECT_MSG_EQ(whole.Get().IsOpenAtPassive(), false, "end of file");
    }

    void CheckPool()
    {
        // 4096 bytes of memory: as many leave in each round trip of 20 ms
        SendPool pool(4096, SEGMENT);
        Bytes bytes(10 * 4096);
        Line line({}, [&](SegmentTcp& /* tcp */, TcpConnection::Use& use) {
            use.ways = TcpConnection::Ways::ONE;
            use.pool = &pool;
        });
        line.Get().Begin(bytes, 0);
        line.At(0, Connect);
        line.At(45 * MS, [this](TcpConnection& connection, Nanoseconds /* now */) {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(connection.GetWritten(ACTIVE_END), 2 * 4096, "held");
            NS_TEST_EXPECT_MSG_EQ(connection.GetReceived(PASSIVE_END), 4096, "the first share");
        });
        int64_t delivered = 0;
        line.Hears("DATA" + std::to_string(10 * 4096), delivered);
        line.At(10 * SECOND, Close);
        line.Run();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delivered, CONNECTED + 10 * MS + 9 * 20 * MS, "ten shares");
        NS_TEST_EXPECT_MSG_LT(delivered, CONNECTED + 10 * MS + 9 * 20 * MS * 3 / 2, "ten shares");
        NS_TEST_EXPECT_MSG_EQ(pool.Join(), 0, "it has left the pool");
    }

    void CheckPreamble()
    {
        // 100 bytes there and 200 back before the data, as a security dialogue has them
        Bytes bytes(1000);
        Line line({}, [&](SegmentTcp& /* tcp */, TcpConnection::Use& use) {
            use.ways = TcpConnection::Ways::BACK;
            use.preamble = 100;
        });
        line.At(0, Connect);
        line.At(50 * MS, Write(ACTIVE_END, 100));
        line.At(70 * MS, Write(PASSIVE_END, 200));
        line.At(90 * MS, [&](TcpConnection& connection, Nanoseconds now) {
            connection.Begin(bytes, now);
            NS_TEST_EXPECT_MSG_EQ(connection.CountOfSource(connection.GetDelivered(now)), 0, "yet");
        });
        line.Run();
        NS_TEST_EXPECT_MSG_EQ(line.GetHeard(),
                              "connected ACCEPTED READ100 data200 READ1100 DATA1100 drained",
                              "preamble and data");
        NS_TEST_EXPECT_MSG_EQ(line.Get().CountOfSource(line.Get().GetDelivered(0)),
                              1000,
                              "of the source");
    }
};

/// Keeps what is reported of buffers.
class BufferWatcher : public IdleObserver
{
  public:
    bool WantsBuffers() const override
    {
        return true;
    }

    void HandleReceiveBuffer(Nanoseconds /* now */,
                             Nanoseconds /* at */,
                             const ConnectionLabel& /* label */,
                             const ReceiveBufferState& state) override
    {
        receive.push_back(state);
    }

    void HandleSendBuffer(Nanoseconds /* now */,
                          const ConnectionLabel& /* label */,
                          const SendBufferState& state) override
    {
        send.push_back(state);
    }

    std::vector<ReceiveBufferState> receive; //!< of the host that receives
    std::vector<SendBufferState> send;       //!< of the one that sends
};

/// What an observer hears of buffers.
class LinuxBufferTraceTestCase : public TestCase
{
  public:
    LinuxBufferTraceTestCase()
        : TestCase("Linux stack: buffers are reported at both hosts, and change nothing")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string_view> words{"--stack=linux",
                                                  "--mode=fixed",
                                                  "--file-size=2MB",
                                                  "--window=64KiB",
                                                  "--read-rate=5Mbps"};
        const auto request = ParseTransfer(words);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "words");
        SegmentSimulator watched(request->scenario);
        BufferWatcher watcher;
        watched.SetObserver(watcher);
        NS_TEST_EXPECT_MSG_EQ(watched.Advance(600 * SECOND), true, "it ends");
        SegmentSimulator alone(request->scenario);
        alone.Advance(600 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(watched.GetResult().sessions.front().durationNs,
                              alone.GetResult().sessions.front().durationNs,
                              "the same transfer");
        NS_TEST_ASSERT_MSG_GT(watcher.receive.size(), 1000, "each segment");
        NS_TEST_ASSERT_MSG_GT(watcher.send.size(), 500, "each second segment");
        // The kernel doubles what the program asks for. The slow reader leaves the buffer full, and
        // the sender with data that it may not send
        uint64_t unread = 0;
        uint64_t least = UINT64_MAX;
        for (const auto& state : watcher.receive)
        {
            NS_TEST_EXPECT_MSG_EQ(state.bytes, 2 * 65536, "receive buffer");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(state.unread, state.bytes, "within the buffer");
            unread = std::max(unread, state.unread);
            least = std::min(least, state.advertised);
        }
        uint64_t unsent = 0;
        for (const auto& state : watcher.send)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(state.unsent, state.bytes, "within the buffer");
            unsent = std::max(unsent, state.unsent);
        }
        NS_TEST_EXPECT_MSG_GT(unread, 50'000, "1448 of 2304 bytes of memory are data");
        NS_TEST_EXPECT_MSG_LT(least, 65536 / 4, "most of the window is closed");
        NS_TEST_EXPECT_MSG_GT(unsent, 20'000, "data wait for the window");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] {
    return std::vector<TestCase*>{new LinuxTimelineTestCase,
                                  new LinuxClosedWindowTestCase,
                                  new LinuxBuffersTestCase,
                                  new LinuxBufferTraceTestCase};
});

} // namespace
