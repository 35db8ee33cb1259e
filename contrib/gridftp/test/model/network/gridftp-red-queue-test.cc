/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/gridftp-red.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/red-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint32_t PACKET_BYTES = 1500;
constexpr int64_t PACKET_NS = 1'000'000; ///< on a link of 12 Mbit/s
constexpr int64_t STREAM = 5;            ///< of draws

/// What waits in a RedQueueDisc.
class Item : public QueueDiscItem
{
  public:
    /// @param isEct whether it may be marked
    explicit Item(bool isEct)
        : QueueDiscItem(Create<Packet>(PACKET_BYTES), Address(), 0),
          m_isEct(isEct)
    {
    }

    void AddHeader() override
    {
    }

    bool Mark() override
    {
        m_isMarked = m_isEct;
        return m_isEct;
    }

    /// @return whether it has been marked
    bool IsMarked() const
    {
        return m_isMarked;
    }

  private:
    bool m_isEct;           ///< see the constructor
    bool m_isMarked{false}; ///< see IsMarked()
};

/// ns-3's RedQueueDisc before a link that takes a packet from it when it is done with another one,
/// beside the rule of core, with the same draws: each packet has to meet the same fate.
class RedWitnessTest : public TestCase
{
  public:
    /// @param seed of what comes when, and of the parameters
    explicit RedWitnessTest(uint32_t seed)
        : TestCase("RED: as ns-3's RedQueueDisc, parameters " + std::to_string(seed)),
          m_draw(seed),
          m_spec(DrawSpec(m_draw)),
          m_red(m_spec, 8 * PACKET_BYTES * (1'000'000'000 / PACKET_NS), 1)
    {
    }

  private:
    /// @param draw random draws @return parameters
    static RedSpec DrawSpec(Draw& draw)
    {
        const int64_t least = draw.Between(1, 20);
        return {least,
                least + draw.Between(1, 30),
                0.01 * static_cast<double>(draw.Between(1, 50)),
                0.001 * static_cast<double>(draw.Between(1, 200)),
                draw.Below(3) != 0,
                PACKET_BYTES};
    }

    void DoRun() override
    {
        m_disc = CreateObjectWithAttributes<RedQueueDisc>(
            "MaxSize",
            QueueSizeValue(QueueSize("100000p")),
            "MinTh",
            DoubleValue(static_cast<double>(m_spec.minThreshold)),
            "MaxTh",
            DoubleValue(static_cast<double>(m_spec.maxThreshold)),
            "LInterm",
            DoubleValue(1 / m_spec.maxProbability),
            "QW",
            DoubleValue(m_spec.weight),
            "Gentle",
            BooleanValue(m_spec.isGentle),
            "MeanPktSize",
            UintegerValue(PACKET_BYTES),
            "LinkBandwidth",
            DataRateValue(DataRate("12Mbps")),
            "UseEcn",
            BooleanValue(true));
        m_disc->AssignStreams(STREAM);
        m_disc->Initialize();
        m_draws = CreateObject<UniformRandomVariable>();
        m_draws->SetStream(STREAM);
        Simulator::Schedule(NanoSeconds(1), &RedWitnessTest::Come, this);
        Simulator::Run();
        Simulator::Destroy();
        m_disc->Dispose();
        m_disc = nullptr;
        NS_TEST_EXPECT_MSG_GT(m_drops, 20, "some are dropped");
        NS_TEST_EXPECT_MSG_GT(m_passes, 1000, "most are not");
        NS_TEST_EXPECT_MSG_GT(m_idles, 20, "some find the link idle");
        NS_TEST_EXPECT_MSG_GT(m_marks, 0, "some are marked");
    }

    /// A packet comes, and the next one is due.
    void Come()
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        const bool isIdle = !m_isBusy;
        m_idles += isIdle ? 1 : 0;
        const bool isEct = m_draw.Below(3) == 0;
        const bool isChosen = m_red.IsDropped(m_disc->GetNPackets(),
                                              isIdle ? now - m_freeNs : 0,
                                              [&] { return m_draws->GetValue(); });
        const bool isMarked = isChosen && isEct && m_red.IsMarking();
        const bool own = isChosen && !isMarked;
        const auto item = Create<Item>(isEct);
        const bool theirs = !m_disc->Enqueue(item);
        NS_TEST_EXPECT_MSG_EQ(isMarked, item->IsMarked(), "mark of " << m_passes + m_drops);
        m_marks += isMarked ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(own, theirs, "packet " << m_passes + m_drops);
        (theirs ? m_drops : m_passes) += 1;
        if (!theirs && isIdle)
        {
            Take();
        }
        constexpr int64_t PACKETS = 6000;
        if (m_passes + m_drops < PACKETS)
        {
            // More than the link carries, then less, then none for a while
            const bool isPause = m_draw.Below(150) == 0;
            const bool isMany = (m_passes + m_drops) / 600 % 2 == 0;
            const int64_t most = isPause ? 300 * PACKET_NS : PACKET_NS * (isMany ? 6 : 26) / 5;
            Simulator::Schedule(NanoSeconds(m_draw.Between(1, most)), &RedWitnessTest::Come, this);
        }
    }

    /// The link takes a packet, if there is one.
    void Take()
    {
        m_isBusy = m_disc->Dequeue() != nullptr;
        m_freeNs = Simulator::Now().GetNanoSeconds();
        if (m_isBusy)
        {
            Simulator::Schedule(NanoSeconds(PACKET_NS), &RedWitnessTest::Take, this);
        }
    }

    Draw m_draw;                        ///< of parameters and packets
    RedSpec m_spec;                     ///< parameters
    RandomEarlyDetection m_red;         ///< ours
    Ptr<RedQueueDisc> m_disc;           ///< ns-3's, whose queue both have
    Ptr<UniformRandomVariable> m_draws; ///< the same as its own ones
    bool m_isBusy{false};               ///< the link has a packet
    int64_t m_freeNs{0};                ///< since when it has none
    int64_t m_passes{0};                ///< packets that were not dropped
    int64_t m_drops{0};                 ///< packets that were
    int64_t m_marks{0};                 ///< packets that were marked instead
    int64_t m_idles{0};                 ///< packets that found the link idle
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([] {
    std::vector<TestCase*> cases;
    for (uint32_t seed = 0; seed < 12; ++seed)
    {
        cases.push_back(new RedWitnessTest(seed));
    }
    return cases;
});

} // namespace ns3::gridftp
