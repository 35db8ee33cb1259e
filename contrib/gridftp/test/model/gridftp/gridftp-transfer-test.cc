/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What a transfer moves, and how.
struct Shape
{
    std::string name;     //!< in the name of the case
    uint64_t file;        //!< bytes
    uint64_t chunk;       //!< bytes
    uint64_t block;       //!< bytes
    uint32_t parallelism; //!< N
    uint32_t window;      //!< bytes
};

const std::vector<Shape> SHAPES{
    {"even", 300'000, 100'000, 10'000, 3, 65536},
    {"odd", 250'001, 100'000, 7'777, 4, 20'000},
    {"1 byte", 1, 100'000, 1'048'576, 1, 65536},
    {"chunk beyond the file", 30'000, 100'000, 1'048'576, 2, 65536},
    {"block beyond the chunk", 60'000, 20'000, 1'048'576, 2, 65536},
    {"window of one segment", 20'000, 10'000, 3'000, 2, 1460},
    {"more connections than blocks", 10'000, 5'000, 2'500, 5, 65536},
    {"more connections than bytes", 5, 3, 1'000, 8, 65536},
    {"block of 1 byte", 700, 300, 1, 3, 65536},
};

/// A transfer with a fixed parallelism, byte by byte.
class ShapeTest : public TransferTest
{
  public:
    /**
     * @param shape what it moves
     * @param direction upload or download
     * @param channels fresh or cached
     * @param layout dynamic or static
     */
    ShapeTest(const Shape& shape, Direction direction, DataChannels channels, Layout layout)
        : TransferTest("transfer: " + shape.name +
                       (direction == Direction::UPLOAD ? ", upload" : ", download") +
                       (channels == DataChannels::FRESH ? ", fresh" : ", cached") +
                       (layout == Layout::DYNAMIC ? ", dynamic" : ", static")),
          m_shape(shape),
          m_direction(direction),
          m_channels(channels),
          m_layout(layout)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetClient("Direction", EnumValue(m_direction));
        SetClient("DataChannels", EnumValue(m_channels));
        SetClient("ChunkSize", UintegerValue(m_shape.chunk));
        SetClient("Window", UintegerValue(m_shape.window));
        SetBoth("Layout", EnumValue(m_layout));
        SetBoth("FileSize", UintegerValue(m_shape.file));
        SetBoth("BlockSize", UintegerValue(m_shape.block));
        SetTuner("Parallelism", UintegerValue(m_shape.parallelism));
    }

    void FinalChecks() override
    {
        ExpectDone();
        ExpectDry();
        CheckRecords();
        CheckWire();
        CheckConnections();
    }

    /// What the client tells.
    void CheckRecords()
    {
        const auto result = m_clients[0]->GetResult();
        const uint64_t count = (m_shape.file + m_shape.chunk - 1) / m_shape.chunk;
        GRIDFTP_TEST_REQUIRE_EQ(result.gridftp->chunks.size(), count, "chunks");
        uint64_t offset = 0;
        int64_t time = 0;
        for (const auto& chunk : result.gridftp->chunks)
        {
            NS_TEST_EXPECT_MSG_EQ(chunk.offset, offset, "offset");
            NS_TEST_EXPECT_MSG_EQ(chunk.bytes,
                                  std::min(m_shape.chunk, m_shape.file - offset),
                                  "bytes");
            NS_TEST_EXPECT_MSG_EQ(chunk.parallelism, m_shape.parallelism, "N");
            NS_TEST_EXPECT_MSG_EQ(bool(chunk.startNs > time && chunk.endNs > chunk.startNs),
                                  true,
                                  "one after the other");
            NS_TEST_EXPECT_MSG_EQ(chunk.valid, bool(chunk.bytes == m_shape.chunk), "valid");
            offset += chunk.bytes;
            time = chunk.endNs;
        }
        NS_TEST_EXPECT_MSG_EQ(offset, m_shape.file, "bytes add up");
    }

    /// What the receiver's link has seen.
    void CheckWire()
    {
        const bool up = m_direction == Direction::UPLOAD;
        const auto carried = (up ? m_serverTaps : m_clientTaps)[0]->GetChunks();
        const auto result = m_clients[0]->GetResult();
        GRIDFTP_TEST_REQUIRE_EQ(carried.size(),
                                result.gridftp->chunks.size(),
                                "chunks on the wire");
        for (size_t i = 0; i < carried.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(carried[i].Covers(result.gridftp->chunks[i].bytes),
                                  true,
                                  "each byte once");
            NS_TEST_EXPECT_MSG_EQ(carried[i].ends, m_shape.parallelism, "EODs");
            NS_TEST_EXPECT_MSG_EQ(carried[i].files, 1, "EOFs");
            NS_TEST_EXPECT_MSG_EQ(carried[i].announced, m_shape.parallelism, "EODs told of");
        }
    }

    /// Who opened how many connections, and that nothing was sent twice.
    void CheckConnections()
    {
        const bool fresh = m_channels == DataChannels::FRESH;
        const auto openings = m_clientTaps[0]->GetOpenings();
        const auto result = m_clients[0]->GetResult();
        NS_TEST_EXPECT_MSG_EQ(openings.size(),
                              m_shape.parallelism * (fresh ? result.gridftp->chunks.size() : 1),
                              "data connections");
        for (const auto& opening : openings)
        {
            NS_TEST_EXPECT_MSG_EQ(opening.sent,
                                  bool(m_direction == Direction::UPLOAD),
                                  "opened by the sender");
        }
        const auto sent =
            m_direction == Direction::UPLOAD ? result.tcp->totals : m_servers[0]->GetTotals();
        NS_TEST_EXPECT_MSG_EQ(sent.retransmissions, 0, "retransmissions");
        NS_TEST_EXPECT_MSG_EQ(sent.timeouts, 0, "timeouts");
        NS_TEST_EXPECT_MSG_GT(sent.segments, 0, "segments");
    }

    Shape m_shape;           //!< what it moves
    Direction m_direction;   //!< upload or download
    DataChannels m_channels; //!< fresh or cached
    Layout m_layout;         //!< dynamic or static
};

/// Which connection carries which block.
class LayoutTest : public TransferTest
{
  public:
    /**
     * @param layout dynamic or static
     * @param expected offset and length of what the connections carry first, in order of opening
     */
    LayoutTest(Layout layout, std::string expected)
        : TransferTest(layout == Layout::DYNAMIC ? "transfer: blocks dealt dynamically"
                                                 : "transfer: static parts"),
          m_layout(layout),
          m_expected(std::move(expected))
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetClient("Layout", EnumValue(m_layout));
        SetClient("FileSize", UintegerValue(200'003));
        SetClient("BlockSize", UintegerValue(10'000));
        SetTuner("Parallelism", UintegerValue(4));
    }

    void FinalChecks() override
    {
        ExpectDone();
        const auto chunks = m_serverTaps[0]->GetChunks();
        GRIDFTP_TEST_REQUIRE_EQ(chunks.size(), 1, "chunks");
        NS_TEST_EXPECT_MSG_EQ(chunks[0].Covers(200'003), true, "each byte once");
        std::ostringstream first;
        uint16_t port = 0;
        uint64_t begin = 0;
        uint64_t length = 0;
        for (const auto& piece : chunks[0].pieces)
        {
            const bool follows = piece.port == port && piece.offset == begin + length;
            // A part is one run of bytes, a block ends after its size.
            if (follows && (m_layout == Layout::STATIC || length < 10'000))
            {
                length += piece.length;
                continue;
            }
            if (length > 0 && (m_layout == Layout::STATIC || begin < 40'000))
            {
                first << begin << '+' << length << ' ';
            }
            port = piece.port;
            begin = piece.offset;
            length = piece.length;
        }
        if (m_layout == Layout::STATIC)
        {
            first << begin << '+' << length << ' ';
        }
        NS_TEST_EXPECT_MSG_EQ(first.str(), m_expected, "offset and length by connection");
    }

    Layout m_layout;        //!< dynamic or static
    std::string m_expected; //!< what the connections carry
};

/*
 * How the modes move N, by hand. W = 4 segments = 5840 bytes = initial window, R = 20.2 ms (Eq.
 * (4): N W / R = 2.313 N Mbit/s), chunks of 1 MB = 685 segments.
 *
 * A connection that its window limits needs ceil(685 / (4 N)) round trips, of 21.1 ms with a data
 * segment of 1.0 to 1.1 ms in it, and 2 of 20.2 ms for ESTO and, fresh, SYN:
 *   N     round trips   T, s    G      G / (N W / R)
 *   1     172 + 2      3.67    2.18   0.94
 *   2      86 + 2      1.86    4.31   0.93
 *   3      58 + 2      1.26    6.33   0.91
 *   4      43 + 2      0.95    8.44   0.91
 * From N = 5 on, the bottleneck of 11 Mbit/s limits them: of 1502 bytes on the link 1460 are
 * payload, so 8 Mbit take 0.75 s, and 2 (cached) to 3 round trips (fresh) come on top, and the tail
 * of the last connection: G is 9.7 to 10 Mbit/s, and G / (N W / R) is 0.84 to 0.86 at N = 5, 0.70
 * to 0.72 at N = 6, 0.53 to 0.54 at N = 8. With eta = 0.8 MI grows up to 8 and stays; AIMD grows up
 * to 6, halves to 3 and grows again. For MI+ the bottleneck has 12 Mbit/s, so that at N = 8 G
 * is 10.5 to 10.7, and Eq. (1) with B = 10.6 has, in Mbit/s (first term, second term; the smaller
 * counts): N = 3: 6.94, 10.30    4: 9.25, 10.10    5: 11.56, 9.86    6: 13.88, 9.57 Its optimum is
 * N = 5; N = 4 is better only below B = 10.05.
 */

/// A course of N.
struct Course
{
    std::string mode;        //!< of the tuner
    std::string bandwidth;   //!< of the bottleneck
    Direction direction;     //!< upload or download
    DataChannels channels;   //!< fresh or cached
    std::string parallelism; //!< of the chunks
    uint32_t openings;       //!< data connections opened over the whole transfer
};

constexpr auto NEW_CHANNELS = DataChannels::FRESH;
constexpr auto KEPT_CHANNELS = DataChannels::CACHED;
constexpr auto UP = Direction::UPLOAD;
constexpr auto DOWN = Direction::DOWNLOAD;

const std::vector<Course> COURSES{
    {"mi", "11Mbps", UP, NEW_CHANNELS, "1 2 4 8 8 8", 31},
    {"mi", "11Mbps", DOWN, KEPT_CHANNELS, "1 2 4 8 8 8", 8},
    {"mi-plus", "12Mbps", DOWN, NEW_CHANNELS, "1 2 4 8 5 5", 25},
    {"mi-plus", "12Mbps", UP, KEPT_CHANNELS, "1 2 4 8 5 5", 8},
    {"aimd", "11Mbps", UP, NEW_CHANNELS, "1 2 3 4 5 6 3 4", 28},
    {"aimd", "11Mbps", DOWN, NEW_CHANNELS, "1 2 3 4 5 6 3 4", 28},
    {"aimd", "11Mbps", UP, KEPT_CHANNELS, "1 2 3 4 5 6 3 4", 7},
    {"aimd", "11Mbps", DOWN, KEPT_CHANNELS, "1 2 3 4 5 6 3 4", 7},
};

/// A mode moves N as it must, and opens no connection too many.
class CourseTest : public TransferTest
{
  public:
    /// @param course what is expected
    explicit CourseTest(const Course& course)
        : TransferTest("tuning: " + course.mode +
                       (course.direction == UP ? ", upload" : ", download") +
                       (course.channels == NEW_CHANNELS ? ", fresh" : ", cached")),
          m_course(course)
    {
    }

  private:
    static constexpr uint64_t CHUNK = 1'000'000; //!< bytes

    void ConfigureEnvironment() override
    {
        const auto& text = m_course.parallelism;
        const auto chunks = static_cast<uint64_t>(1 + std::count(text.begin(), text.end(), ' '));
        m_links.bandwidth = DataRate(m_course.bandwidth);
        m_tcp.initialWindow = 4;
        m_mode = m_course.mode;
        SetBoth("FileSize", UintegerValue(chunks * CHUNK));
        SetBoth("BlockSize", UintegerValue(10'000));
        SetClient("ChunkSize", UintegerValue(CHUNK));
        SetClient("Window", UintegerValue(4 * 1460));
        SetClient("Direction", EnumValue(m_course.direction));
        SetClient("DataChannels", EnumValue(m_course.channels));
    }

    void FinalChecks() override
    {
        ExpectDone();
        ExpectDry();
        NS_TEST_EXPECT_MSG_EQ(GetSequence(), m_course.parallelism, "N");
        NS_TEST_EXPECT_MSG_EQ(m_clientTaps[0]->GetOpenings().size(),
                              m_course.openings,
                              "data connections opened");
        const auto result = m_clients[0]->GetResult();
        const bool up = m_course.direction == Direction::UPLOAD;
        const auto carried = (up ? m_serverTaps : m_clientTaps)[0]->GetChunks();
        GRIDFTP_TEST_REQUIRE_EQ(carried.size(),
                                result.gridftp->chunks.size(),
                                "chunks on the wire");
        for (size_t i = 0; i < carried.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(carried[i].Covers(CHUNK), true, "each byte once");
            NS_TEST_EXPECT_MSG_EQ(carried[i].ends, result.gridftp->chunks[i].parallelism, "EODs");
            NS_TEST_EXPECT_MSG_EQ(carried[i].announced,
                                  result.gridftp->chunks[i].parallelism,
                                  "told of");
            const auto& chunk = result.gridftp->chunks[i];
            NS_TEST_EXPECT_MSG_LT(chunk.goodputBps,
                                  chunk.parallelism * chunk.windowBytes * 8 / chunk.rttS,
                                  "G < N W / R");
        }
    }

    Course m_course; //!< what is expected
};

/// The smallest and the largest packets, with the smallest window that each allows.
class PacketTest : public TestCase
{
  public:
    /**
     * @param packet its size (IP), bytes
     * @param window of the data connections, bytes
     * @param direction upload or download
     */
    PacketTest(const std::string& packet, const std::string& window, const std::string& direction)
        : TestCase("transfer: engine, packets of " + packet + ", window " + window + ", " +
                   direction),
          m_packet("--packet-size=" + packet),
          m_window("--window=" + window),
          m_direction("--direction=" + direction)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string_view> options{m_packet,
                                                    m_window,
                                                    m_direction,
                                                    "--file-size=300",
                                                    "--chunk-size=160",
                                                    "--mode=fixed",
                                                    "--parallelism=2",
                                                    "--block-size=64"};
        const auto request = ParseTransfer(options);
        GRIDFTP_TEST_REQUIRE_EQ(bool(request), true, "options");
        const auto result = RunOnNs3(request->scenario, {});
        GRIDFTP_TEST_REQUIRE_EQ(bool(result), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(result->reason, "", "reason");
        NS_TEST_EXPECT_MSG_EQ(result->sessions[0].bytes, 300, "bytes");
        NS_TEST_EXPECT_MSG_EQ(result->sessions[0].tcp->totals.retransmissions,
                              0,
                              "retransmissions");
    }

    std::string m_packet;    //!< option
    std::string m_window;    //!< option
    std::string m_direction; //!< option
};

/// Of the courses, those that sanitizers see.
constexpr std::size_t WITH_SANITIZERS = 5;

/// @param first course @param end behind the last @return tests of them
std::vector<TestCase*>
MakeCourses(std::size_t first, std::size_t end)
{
    std::vector<TestCase*> all;
    for (std::size_t i = first; i < end; ++i)
    {
        all.push_back(new CourseTest(COURSES[i]));
    }
    return all;
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const auto& shape : SHAPES)
    {
        for (const auto direction : {Direction::UPLOAD, Direction::DOWNLOAD})
        {
            for (const auto channels : {DataChannels::FRESH, DataChannels::CACHED})
            {
                for (const auto layout : {Layout::DYNAMIC, Layout::STATIC})
                {
                    all.push_back(new ShapeTest(shape, direction, channels, layout));
                }
            }
        }
    }
    all.push_back(new LayoutTest(Layout::DYNAMIC, "0+10000 10000+10000 20000+10000 30000+10000 "));
    all.push_back(new LayoutTest(Layout::STATIC, "0+50001 50001+50001 100002+50001 150003+50000 "));
    for (const auto* direction : {"upload", "download"})
    {
        all.push_back(new PacketTest("41B", "1B", direction));
        all.push_back(new PacketTest("57B", "17B", direction));
        all.push_back(new PacketTest("1500B", "1460B", direction));
        all.push_back(new PacketTest("65535B", "65495B", direction));
    }
    const auto courses = MakeCourses(0, WITH_SANITIZERS);
    all.insert(all.end(), courses.begin(), courses.end());
    return all;
});

const OwnTestCases g_longCases([] { return MakeCourses(WITH_SANITIZERS, COURSES.size()); },
                               OwnTestCases::Suite::LONG);

} // namespace ns3::gridftp
