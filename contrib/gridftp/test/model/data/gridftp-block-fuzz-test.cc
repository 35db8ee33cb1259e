/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-recorder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-block-header.h"
#include "ns3/gridftp-packet-bytes.h"
#include "ns3/packet.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * The reader once more, one byte at a time and with nothing in common with it but the rules of
 * GFD.20, section 3.
 */
class SlowReader
{
  public:
    /**
     * @param sink what is told
     */
    explicit SlowReader(BlockReader::Sink& sink)
        : m_sink(sink)
    {
    }

    /**
     * @param byte the next byte of the stream
     */
    void Feed(uint8_t byte)
    {
        if (failed)
        {
            return;
        }
        if (m_count > 0)
        {
            m_sink.HandleData(m_offset++, 1, 0);
            EndBlockIf(--m_count == 0);
            return;
        }
        failed = ended;
        m_header.push_back(byte);
        if (!failed && m_header.size() == 17)
        {
            Start();
        }
    }

    bool failed{false}; //!< not MODE E
    bool ended{false};  //!< EOD seen

  private:
    /// A header is complete.
    void Start()
    {
        m_count = m_offset = 0;
        for (int i = 1; i <= 8; ++i)
        {
            m_count = m_count * 256 + m_header[i];
            m_offset = m_offset * 256 + m_header[i + 8];
        }
        m_descriptor = m_header[0];
        m_header.clear();
        const bool eod = m_descriptor & 8;
        const bool eof = m_descriptor & 64;
        const bool close = m_descriptor & 4;
        failed = (m_descriptor & 0b10110011) || (close && !eod) ||
                 (eof && (m_count > 0 || m_offset == 0 || m_eofSeen)) ||
                 (!eof && m_offset + m_count < m_offset);
        if (failed)
        {
            return;
        }
        if (eof)
        {
            m_eofSeen = true;
            m_sink.HandleEndOfFile(m_offset);
        }
        EndBlockIf(m_count == 0);
    }

    /// @param atEnd whether the payload of the block is complete
    void EndBlockIf(bool atEnd)
    {
        if (atEnd && (m_descriptor & 8))
        {
            ended = true;
            m_sink.HandleEndOfData();
        }
    }

    BlockReader::Sink& m_sink; //!< what is told
    Bytes m_header;            //!< header bytes so far
    uint8_t m_descriptor{0};   //!< of the current block
    uint64_t m_count{0};       //!< payload bytes to come
    uint64_t m_offset{0};      //!< of the next payload byte
    bool m_eofSeen{false};     //!< on this connection
};

/**
 * @ingroup gridftp
 * Generated streams, good and bad, as ns-3 packets of all makes, against SlowReader.
 */
class BlockFuzzTest : public TestCase
{
  public:
    BlockFuzzTest()
        : TestCase("MODE E reader: generated streams, against a byte-by-byte reader")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int rounds = 3000;
        int failed = 0;
        int ended = 0;
        for (int i = 0; i < rounds && !IsStatusFailure(); ++i)
        {
            const Ptr<const Packet> stream = Generate();
            Bytes bytes(stream->GetSize());
            stream->CopyData(bytes.data(), stream->GetSize());

            Recorder expected;
            SlowReader slow(expected);
            for (const uint8_t byte : bytes)
            {
                slow.Feed(byte);
            }
            Recorder recorder;
            BlockReader reader(recorder);
            bool good = true;
            for (uint32_t at = 0; at < stream->GetSize();)
            {
                const uint32_t most = Below(3) == 0 ? 20 : 400;
                const uint32_t size = std::min<uint32_t>(Below(most), stream->GetSize() - at);
                const Ptr<const Packet> part = stream->CreateFragment(at, size);
                good = reader.Feed(PacketBytes(part));
                at += size;
            }
            NS_TEST_EXPECT_MSG_EQ(good, !slow.failed, "round " << i << reader.GetError());
            NS_TEST_EXPECT_MSG_EQ(reader.IsAtEndOfData(), slow.ended, "EOD in round " << i);
            NS_TEST_EXPECT_MSG_EQ(recorder.Text(), expected.Text(), "round " << i);
            NS_TEST_EXPECT_MSG_EQ(recorder.emptyPieces, 0, "pieces in round " << i);
            failed += slow.failed;
            ended += slow.ended;
        }
        // The generator reaches what it is meant to reach.
        NS_TEST_EXPECT_MSG_GT(failed, rounds / 10, "streams with errors");
        NS_TEST_EXPECT_MSG_LT(failed, rounds * 9 / 10, "streams with errors");
        NS_TEST_EXPECT_MSG_GT(ended, rounds / 4, "streams with EOD");
    }

    /**
     * @param limit a number
     * @return a number from 0 to limit - 1
     */
    uint64_t Below(uint64_t limit)
    {
        return m_random() % limit;
    }

    /// @return a header, one in sixteen of them wild
    ModeEHeader GenerateHeader()
    {
        const uint64_t offset = Below(8) == 0 ? m_random() : Below(10) * 100;
        if (Below(16) == 0)
        {
            return ModeEHeader(Below(256), Below(3) == 0 ? m_random() : Below(40), offset);
        }
        const uint64_t count = Below(8) == 0 ? 100 + Below(2000) : Below(40);
        return ModeEHeader::Data(offset, count);
    }

    /// @return a stream: some blocks, mostly an end, sometimes more, sometimes a byte changed
    Ptr<const Packet> Generate()
    {
        auto stream = Create<Packet>();
        for (uint64_t blocks = Below(8); blocks > 0; --blocks)
        {
            AddBlock(stream, GenerateHeader());
        }
        if (Below(8) == 0)
        {
            AddBlock(stream, ModeEHeader(ModeEHeader::END_OF_FILE, 0, Below(9)));
        }
        if (Below(8) != 0)
        {
            const bool last = Below(2);
            AddBlock(stream,
                     last ? ModeEHeader::EndOfDataAndFile(1 + Below(8))
                          : ModeEHeader(ModeEHeader::END_OF_DATA, Below(20), Below(99)));
        }
        if (Below(8) == 0)
        {
            AddBlock(stream, GenerateHeader());
        }
        return stream;
    }

    /**
     * Append a block with real or virtual payload, the latter as the sender makes it.
     * @param stream the stream
     * @param header the header
     */
    void AddBlock(const Ptr<Packet>& stream, const ModeEHeader& header)
    {
        const auto count = static_cast<uint32_t>(std::min<uint64_t>(header.GetCount(), 3000));
        Ptr<Packet> block;
        if (Below(2) == 0)
        {
            block = Create<Packet>(count);
        }
        else
        {
            const Bytes payload(count, static_cast<uint8_t>(Below(256)));
            block = Create<Packet>(payload.data(), count);
        }
        block->AddHeader(BlockHeader(header));
        stream->AddAtEnd(block);
    }

    std::mt19937_64 m_random{20080519}; //!< the standard fixes its sequence
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new BlockFuzzTest}; });

} // namespace ns3::gridftp
