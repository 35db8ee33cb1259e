/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

#include "ns3/gridftp-block-header.h"
#include "ns3/packet.h"
#include "ns3/test.h"

#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * @ingroup gridftp
 * The 17 bytes, against those captured from the Grid Community Toolkit 6.2 client.
 */
class BlockHeaderTest : public TestCase
{
  public:
    BlockHeaderTest()
        : TestCase("MODE E header: bytes as captured, both ways")
    {
    }

  private:
    void DoRun() override
    {
        // The first headers of four streams with blocks of 1 MiB.
        Check(ModeEHeader::Data(0, 1048576),
              {0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              "data offset=0 count=1048576");
        Check(ModeEHeader::Data(3145728, 1048576),
              {0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x30, 0, 0},
              "data offset=3145728 count=1048576");
        // The last headers: three streams end with EOD, the fourth with EOD and EOF.
        Check(ModeEHeader::EndOfData(),
              {0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              "EOD offset=0 count=0");
        Check(ModeEHeader::EndOfDataAndFile(4),
              {0x48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4},
              "EOD EOF eods=4 count=0");
        // Not captured: every byte of both numbers has its place.
        Check(ModeEHeader(0x40, 0x0102030405060708, 0xf1f2f3f4f5f6f7f8),
              {0x40, 1, 2, 3, 4, 5, 6, 7, 8, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8},
              "EOF eods=17434265340928784376 count=72623859790382856");
    }

    /**
     * @param fields of a header
     * @param wire its bytes
     * @param text what Print() writes
     */
    void Check(const ModeEHeader& fields, const ModeEHeader::Bytes& wire, const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ((fields.ToBytes() == wire), true, text << ": bytes");
        NS_TEST_EXPECT_MSG_EQ((ModeEHeader::FromBytes(wire) == fields), true, text << ": fields");

        const BlockHeader header(fields);
        auto packet = Create<Packet>(1000);
        packet->AddHeader(header);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1017, text << ": size in a packet");
        BlockHeader::Bytes copied;
        packet->CopyData(copied.data(), BlockHeader::SIZE);
        NS_TEST_EXPECT_MSG_EQ((copied == wire), true, text << ": bytes in a packet");
        BlockHeader removed;
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(removed), 17, text << ": bytes removed");
        NS_TEST_EXPECT_MSG_EQ((removed == fields), true, text << ": fields from a packet");

        std::ostringstream printed;
        header.Print(printed);
        NS_TEST_EXPECT_MSG_EQ(printed.str(), text, "printed");
        NS_TEST_EXPECT_MSG_EQ(header.GetInstanceTypeId().GetName(),
                              "ns3::gridftp::BlockHeader",
                              "TypeId");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new BlockHeaderTest}; });

} // namespace ns3::gridftp
