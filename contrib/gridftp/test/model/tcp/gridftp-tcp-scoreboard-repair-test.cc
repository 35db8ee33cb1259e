/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

#include "ns3/gridftp-tcp-scoreboard-repair.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * ns-3's scoreboard with its issues 1190 and 1349 corrected: the same with every ns-3.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint32_t BYTES = 1000;

/// Of six segments the first two are lost, and are sent again.
class ScoreboardRepairTest : public TestCase
{
  public:
    ScoreboardRepairTest()
        : TestCase(std::string("TCP: ns-3's issues 1190 and 1349 are corrected here; this ns-3 ") +
                   (HasRepairedScoreboard() ? "has both corrected" : "has not"))
    {
    }

  private:
    /// @param index of a segment @return its first byte
    static SequenceNumber32 At(uint32_t index)
    {
        return SequenceNumber32(1 + index * BYTES);
    }

    /// A segment is sent. @param index of the segment
    void Send(uint32_t index)
    {
        m_buffer->CopyFromSequence(BYTES, At(index));
    }

    /// SACK blocks come, and are handled as TcpSocketGuarded does. @param blocks of the option
    void Take(const TcpOptionSack::SackList& blocks)
    {
        RepairScoreboard(*m_buffer, blocks);
        m_buffer->Update(blocks, MakeNullCallback<void, TcpTxItem*>());
    }

    /// @return first byte of what is lost; 0: nothing is
    uint32_t FindLost() const
    {
        SequenceNumber32 next;
        SequenceNumber32 end;
        return m_buffer->NextSeg(&next, &end, false) ? next.GetValue() : 0;
    }

    void DoRun() override
    {
        constexpr uint32_t SEGMENTS = 6;
        m_buffer = CreateObject<TcpTxBuffer>();
        m_buffer->SetRWndCallback(MakeCallback(&ScoreboardRepairTest::GetWindow, this));
        m_buffer->SetMaxBufferSize(SEGMENTS * BYTES);
        m_buffer->SetSegmentSize(BYTES);
        m_buffer->SetDupAckThresh(3);
        m_buffer->SetSackEnabled(true);
        m_buffer->SetHeadSequence(At(0));
        m_buffer->Add(Create<Packet>(SEGMENTS * BYTES));
        for (uint32_t i = 0; i < SEGMENTS; ++i)
        {
            Simulator::Schedule(Seconds(i), &ScoreboardRepairTest::Send, this, i);
        }
        Simulator::Schedule(Seconds(10), &ScoreboardRepairTest::Check, this);
        Simulator::Schedule(Seconds(11), &ScoreboardRepairTest::CheckAgain, this);
        Simulator::Run();
        Simulator::Destroy();
        m_buffer = nullptr;
    }

    /// Three segments behind the two are reported.
    void Check()
    {
        Take({{At(2), At(5)}});
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetLost(), 2 * BYTES, "");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->BytesInFlight(), BYTES, "the sixth");
        Send(0);
        NS_TEST_EXPECT_MSG_EQ(m_buffer->BytesInFlight(), 2 * BYTES, "");
    }

    /// The second of them arrives, which is sent after the first one.
    void CheckAgain()
    {
        Send(1);
        Take({{At(1), At(5)}});
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetRetransmitsCount(), 0, "neither is in flight again");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->BytesInFlight(), BYTES, "the sixth");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetLost(), BYTES, "the first");
        NS_TEST_EXPECT_MSG_EQ(FindLost(), 1, "which is to be sent once more");
        Take({{At(1), At(5)}});
        NS_TEST_EXPECT_MSG_EQ(m_buffer->BytesInFlight(), BYTES, "nothing new");
        // Behind the last byte sent, ns-3 looks at nothing more
        Take({{At(9), At(10)}, {At(5), At(6)}});
        NS_TEST_EXPECT_MSG_EQ(m_buffer->BytesInFlight(), BYTES, "");
    }

    /// @return receiver's window, bytes
    uint32_t GetWindow()
    {
        return 100 * BYTES;
    }

    Ptr<TcpTxBuffer> m_buffer; //!< it
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ScoreboardRepairTest}; });

} // namespace
