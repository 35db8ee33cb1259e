/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-recorder.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * @ingroup gridftp
 * One stream, cut in every way into two and three parts and into equal ones.
 */
class BlockSegmentationTest : public TestCase
{
  public:
    BlockSegmentationTest()
        : TestCase("MODE E reader: any segmentation tells the same")
    {
    }

  private:
    void DoRun() override
    {
        // 30 bytes at 100, 7 at 1000, an EOF, 1 byte at 5 with EOD and close. 30 + 7 + 1
        // bytes of payload and four headers of 17 make 106.
        AddHeader(m_stream, ModeEHeader::Data(100, 30));
        AddPayload(m_stream, 30);
        AddHeader(m_stream, ModeEHeader::Data(1000, 7));
        AddPayload(m_stream, 7);
        AddHeader(m_stream, ModeEHeader(ModeEHeader::END_OF_FILE, 0, 3));
        AddHeader(m_stream, ModeEHeader(ModeEHeader::END_OF_DATA | ModeEHeader::WILL_CLOSE, 1, 5));
        AddPayload(m_stream, 1);
        NS_TEST_ASSERT_MSG_EQ(m_stream.size(), 106, "stream length");

        const std::size_t size = m_stream.size();
        for (std::size_t first = 0; first <= size; ++first)
        {
            for (std::size_t second = first; second <= size; ++second)
            {
                Check({0, first, second, size});
            }
        }
        for (std::size_t step = 1; step <= size; ++step)
        {
            std::vector<std::size_t> cuts;
            for (std::size_t cut = 0; cut < size; cut += step)
            {
                cuts.push_back(cut);
            }
            cuts.push_back(size);
            Check(cuts);
        }
    }

    /**
     * @param cuts where parts begin, and where the last one ends
     */
    void Check(const std::vector<std::size_t>& cuts)
    {
        Recorder recorder;
        BlockReader reader(recorder);
        for (std::size_t i = 1; i < cuts.size(); ++i)
        {
            const uint32_t before = recorder.calls;
            NS_TEST_ASSERT_MSG_EQ(reader.Feed(Cut(m_stream, cuts[i - 1], cuts[i])),
                                  true,
                                  reader.GetError());
            NS_TEST_ASSERT_MSG_LT(recorder.calls - before, 4, "a call per block and part");
            // Block boundaries, from the lengths above.
            const std::size_t at = cuts[i];
            const bool between = at == 0 || at == 47 || at == 71 || at == 88 || at == 106;
            NS_TEST_ASSERT_MSG_EQ(reader.IsInsideBlock(), !between, "inside a block at " << at);
        }
        NS_TEST_ASSERT_MSG_EQ(recorder.Text(),
                              "data 100+30; data 1000+7; eof 3; data 5+1; eod; ",
                              "cut at " << cuts[1] << " and on");
        NS_TEST_ASSERT_MSG_EQ(recorder.emptyPieces, 0, "every piece has bytes");
        NS_TEST_ASSERT_MSG_EQ(reader.IsAtEndOfData(), true, "EOD seen");
    }

    Bytes m_stream; //!< the stream
};

/**
 * @ingroup gridftp
 * Streams that are not MODE E.
 */
class BlockErrorTest : public TestCase
{
  public:
    BlockErrorTest()
        : TestCase("MODE E reader: errors have reasons and stay")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t top = std::numeric_limits<uint64_t>::max();
        Check({ModeEHeader(0x10, 4, 0)}, "", "descriptor 16");
        Check({ModeEHeader(0x80, 0, 0)}, "", "descriptor 128");
        Check({ModeEHeader(0x01, 0, 0)}, "", "descriptor 1 ");
        Check({ModeEHeader(0x04, 0, 0)}, "", "closes (4) without EOD");
        Check({ModeEHeader(0x40, 1, 4)}, "", "carries 1 bytes");
        Check({ModeEHeader(0x48, 0, 0)}, "", "announces 0 EODs");
        Check({ModeEHeader(0x40, 0, 2), ModeEHeader(0x48, 0, 2)}, "eof 2; ", "second EOF");
        Check({ModeEHeader::EndOfData(), ModeEHeader::EndOfData()}, "eod; ", "after the end");
        // 2^64 - 1 is 18446744073709551615; the end of a block must still be a 64-bit number.
        Check({ModeEHeader::Data(top - 5, 5)}, "data 18446744073709551610+5; ", "");
        Check({ModeEHeader::Data(top - 5, 6)}, "", "6 bytes at offset 18446744073709551610");
        Check({ModeEHeader::Data(top, top)}, "", "beyond 64 bits");
        Check({ModeEHeader::Data(0, 9), ModeEHeader(0xff, 0, 0)}, "data 0+9; ", "descriptor 255");
    }

    /**
     * @param headers a stream; payload of up to 16 bytes follows each
     * @param told what is reported
     * @param reason part of the reason of the error, empty if there is none
     */
    void Check(const std::vector<ModeEHeader>& headers,
               const std::string& told,
               const std::string& reason)
    {
        Bytes stream;
        for (const ModeEHeader& header : headers)
        {
            AddHeader(stream, header);
            AddPayload(stream, std::min<uint64_t>(header.GetCount(), 16));
        }
        Recorder recorder;
        BlockReader reader(recorder);
        const bool good = reason.empty();
        NS_TEST_EXPECT_MSG_EQ(reader.Feed(Cut(stream, 0, stream.size())), good, reason);
        NS_TEST_EXPECT_MSG_EQ(recorder.Text(), told, "told before: " << reason);
        NS_TEST_EXPECT_MSG_EQ(reader.GetError().empty(), good, reader.GetError());
        NS_TEST_EXPECT_MSG_EQ((reader.GetError().find(reason) != std::string::npos),
                              true,
                              reader.GetError() << " lacks: " << reason);
        if (!good)
        {
            Bytes more;
            AddHeader(more, ModeEHeader::Data(0, 1));
            AddPayload(more, 1);
            reader.NextTransfer();
            NS_TEST_EXPECT_MSG_EQ(reader.Feed(Cut(more, 0, 18)), false, "stays: " << reason);
            NS_TEST_EXPECT_MSG_EQ(recorder.Text(), told, "told after: " << reason);
        }
    }
};

/**
 * @ingroup gridftp
 * Two transfers on one connection.
 */
class BlockNextTransferTest : public TestCase
{
  public:
    BlockNextTransferTest()
        : TestCase("MODE E reader: a cached connection carries transfer after transfer")
    {
    }

  private:
    void DoRun() override
    {
        Bytes stream;
        AddHeader(stream, ModeEHeader::Data(0, 3));
        AddPayload(stream, 3);
        AddHeader(stream, ModeEHeader::EndOfDataAndFile(2));
        const std::size_t first = stream.size();
        AddHeader(stream, ModeEHeader::Data(3, 4));
        AddPayload(stream, 4);
        AddHeader(stream, ModeEHeader::EndOfDataAndFile(2));
        const std::string told = "data 0+3; eof 2; eod; data 3+4; eof 2; eod; ";

        Recorder between;
        BlockReader reader(between);
        reader.NextTransfer(); // nothing has ended yet: no effect
        NS_TEST_EXPECT_MSG_EQ(reader.Feed(Cut(stream, 0, first)), true, reader.GetError());
        NS_TEST_EXPECT_MSG_EQ(reader.IsAtEndOfData(), true, "first EOD");
        reader.NextTransfer();
        NS_TEST_EXPECT_MSG_EQ(reader.IsAtEndOfData(), false, "second transfer");
        NS_TEST_EXPECT_MSG_EQ(reader.Feed(Cut(stream, first, stream.size())), true, "second");
        NS_TEST_EXPECT_MSG_EQ(between.Text(), told, "NextTransfer() between packets");

        Bytes early;
        AddHeader(early, ModeEHeader(ModeEHeader::END_OF_FILE, 0, 2));
        Recorder unfinished;
        BlockReader waiting(unfinished);
        NS_TEST_EXPECT_MSG_EQ(waiting.Feed(Cut(early, 0, 17)), true, "EOF, but no EOD yet");
        waiting.NextTransfer();
        NS_TEST_EXPECT_MSG_EQ(waiting.Feed(Cut(early, 0, 17)), false, "EOF of the same transfer");

        Recorder inside;
        BlockReader eager(inside);
        inside.reader = &eager;
        NS_TEST_EXPECT_MSG_EQ(eager.Feed(Cut(stream, 0, stream.size())), true, eager.GetError());
        NS_TEST_EXPECT_MSG_EQ(inside.Text(), told, "NextTransfer() from within HandleEndOfData");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new BlockSegmentationTest, new BlockErrorTest, new BlockNextTransferTest};
});

} // namespace ns3::gridftp
