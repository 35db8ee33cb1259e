/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-packet.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The ECN field of packets, next to the other fields with all of their bits set.
class PacketEcnTest : public TestCase
{
  public:
    PacketEcnTest()
        : TestCase("segment packet: a queue marks what is ECT and nothing else")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t ADDRESS = UINT32_MAX;
        constexpr uint32_t PAYLOAD = (1U << 24) - 1;
        SegmentPacket packet(PacketKind::REPORT, ADDRESS, UINT64_MAX, PAYLOAD);
        NS_TEST_EXPECT_MSG_EQ(packet.IsEct(), false, "as made");
        NS_TEST_EXPECT_MSG_EQ(packet.IsMarked(), false, "as made");
        NS_TEST_EXPECT_MSG_EQ(packet.Mark(), false, "Not-ECT is not marked");
        NS_TEST_EXPECT_MSG_EQ(packet.IsMarked(), false, "nor is it afterwards");
        packet.SetEct();
        NS_TEST_EXPECT_MSG_EQ(packet.IsEct(), true, "ECT(0)");
        NS_TEST_EXPECT_MSG_EQ(packet.IsMarked(), false, "ECT(0) is not CE");
        NS_TEST_EXPECT_MSG_EQ(packet.Mark(), true, "ECT(0) is marked");
        NS_TEST_EXPECT_MSG_EQ(packet.IsMarked(), true, "CE");
        NS_TEST_EXPECT_MSG_EQ(packet.Mark(), true, "CE stays CE");
        NS_TEST_EXPECT_MSG_EQ((packet.GetKind() == PacketKind::REPORT), true, "kind");
        NS_TEST_EXPECT_MSG_EQ(packet.GetFlow(), (ADDRESS >> 1), "flow");
        NS_TEST_EXPECT_MSG_EQ(packet.GetEnd(), 1, "end");
        NS_TEST_EXPECT_MSG_EQ(packet.GetPayload(), PAYLOAD, "payload");
        NS_TEST_EXPECT_MSG_EQ(packet.GetValue(), UINT64_MAX, "value");
        const SegmentPacket other(packet.GetLabel(), 1);
        NS_TEST_EXPECT_MSG_EQ(other.IsMarked(), true, "the label has the field");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PacketEcnTest}; });

} // namespace ns3::gridftp
