/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-recorder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-data-sizer.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Counts acknowledgements of SBUFs, and writes down when they come.
class AcknowledgementRecorder : public Recorder
{
  public:
    void HandleAcknowledgement() override
    {
        text += "ack before [" + Text() + "]; ";
    }

    std::string text; //!< what was reported
};

/// The two bits of the descriptor for right-sizing, on the wire and in the readers.
class SizingHeaderTest : public TestCase
{
  public:
    SizingHeaderTest()
        : TestCase("MODE E headers that say SBUF and acknowledge it")
    {
    }

  private:
    void DoRun() override
    {
        ShowWire();
        ReadAcknowledgements();
        ReadSizings();
    }

    /// @param header a header @param descriptor of it @param count of it @param offset of it
    void ExpectWire(const ModeEHeader& header, int descriptor, int count, int offset)
    {
        const auto bytes = header.ToBytes();
        NS_TEST_EXPECT_MSG_EQ(int{bytes[0]}, descriptor, "the descriptor");
        NS_TEST_EXPECT_MSG_EQ(bytes[7] * 256 + bytes[8], count, "the byte count");
        NS_TEST_EXPECT_MSG_EQ(bytes[15] * 256 + bytes[16], offset, "the offset");
        NS_TEST_EXPECT_MSG_EQ((ModeEHeader::FromBytes(bytes) == header), true, "and back");
    }

    /// Byte by byte.
    void ShowWire()
    {
        ExpectWire(ModeEHeader::SetBuffer(3, 1000), 2, 1000, 3);
        ExpectWire(ModeEHeader::Data(7, 500).Acknowledging(), 1, 500, 7);
        ExpectWire(ModeEHeader::EndOfDataAndFile(4).Acknowledging(), 64 + 8 + 1, 0, 4);
        NS_TEST_EXPECT_MSG_EQ(ModeEHeader::SetBuffer(3, 1000).ToText(),
                              "SBUF id=3 size=1000",
                              "for people");
        NS_TEST_EXPECT_MSG_EQ(ModeEHeader::Data(7, 500).Acknowledging().ToText(),
                              "data offset=7 count=500 SBUF-ack",
                              "for people");
    }

    /// A receiver that has sent SBUFs is told at the header, before its payload; any other one
    /// takes the bit for an error.
    void ReadAcknowledgements()
    {
        Bytes stream;
        AddHeader(stream, ModeEHeader::Data(0, 10));
        AddPayload(stream, 10);
        AddHeader(stream, ModeEHeader::Data(10, 20).Acknowledging());
        AddPayload(stream, 20);
        AddHeader(stream, ModeEHeader::EndOfDataAndFile(1).Acknowledging());
        AcknowledgementRecorder sink;
        BlockReader reader(sink, true);
        for (size_t i = 0; i < stream.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(reader.Feed(Cut(stream, i, i + 1)), true, reader.GetError());
        }
        NS_TEST_EXPECT_MSG_EQ(sink.text,
                              "ack before [data 0+10; ]; ack before [data 0+10; data 10+20; ]; ",
                              "where they are");
        AcknowledgementRecorder other;
        BlockReader stock(other);
        NS_TEST_EXPECT_MSG_EQ(stock.Feed(Cut(stream, 0, stream.size())), false, "unknown");
        NS_TEST_EXPECT_MSG_EQ(stock.GetError(),
                              "block descriptor 1 has bits other than EOF (64), EOD (8) and close "
                              "(4)",
                              "unknown");
        NS_TEST_EXPECT_MSG_EQ(other.text, "", "not told");
    }

    /// A sender takes SBUFs in any segmentation, and nothing else.
    void ReadSizings()
    {
        Bytes stream;
        AddHeader(stream, ModeEHeader::SetBuffer(1, 65536));
        AddHeader(stream, ModeEHeader::SetBuffer(2, 1'000'000'000'000));
        for (const size_t piece : {1, 5, 17, 20, 34})
        {
            SizingReader reader;
            std::vector<SizingMessage> all;
            for (size_t i = 0; i < stream.size(); i += piece)
            {
                const auto some = reader.Feed(Cut(stream, i, std::min(i + piece, stream.size())));
                all.insert(all.end(), some.begin(), some.end());
            }
            NS_TEST_ASSERT_MSG_EQ(all.size(), 2, piece);
            NS_TEST_EXPECT_MSG_EQ((all[0] == SizingMessage{1, 65536}), true, piece);
            NS_TEST_EXPECT_MSG_EQ((all[1] == SizingMessage{2, 1'000'000'000'000}), true, piece);
            NS_TEST_EXPECT_MSG_EQ(reader.GetError(), "", piece);
        }
        AddHeader(stream, ModeEHeader::Data(0, 10));
        AddHeader(stream, ModeEHeader::SetBuffer(3, 1));
        SizingReader reader;
        const auto read = reader.Feed(Cut(stream, 0, stream.size()));
        NS_TEST_EXPECT_MSG_EQ(read.size(), 2, "those before it");
        NS_TEST_EXPECT_MSG_EQ(reader.GetError(),
                              "block descriptor 0 comes from the receiver, only SBUF (2) may",
                              "data against data");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new SizingHeaderTest}; });

} // namespace ns3::gridftp
