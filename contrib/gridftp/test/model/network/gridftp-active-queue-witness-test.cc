/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/codel-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/gridftp-active-queue.h"
#include "ns3/gridftp-codel.h"
#include "ns3/gridftp-fq-codel.h"
#include "ns3/gridftp-pie.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pie-queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint32_t MOST_BYTES = 1500;
constexpr int64_t BYTE_NS = 667; ///< on a link of 12 Mbit/s
constexpr int64_t STREAM = 5;    ///< of random numbers
constexpr uint32_t IP_BYTES = 20;

/// A queue disc of ns-3 in front of a link that takes a packet when it is done with another one,
/// and the same discipline of core: the same packets have to leave, be dropped and be marked at the
/// same times.
class WitnessTest : public TestCase
{
  public:
    /// @param name of the discipline @param seed of what comes when, and of the parameters
    WitnessTest(const std::string& name, uint32_t seed)
        : TestCase(name + ": as ns-3's queue disc, parameters " + std::to_string(seed)),
          m_draw(seed)
    {
    }

  protected:
    /// @param most packets that wait @param draw random draws @return ns-3's, not yet initialized
    virtual Ptr<QueueDisc> MakeTheirs(uint32_t most, Draw& draw) = 0;

    /// @param most packets that wait @return core's, with the parameters of the last MakeTheirs()
    virtual std::unique_ptr<ActiveQueue> MakeOwn(uint32_t most) = 0;

  private:
    /// A packet that has come.
    struct Known
    {
        Ptr<QueueDiscItem> item; ///< ns-3's
        bool isDropped{false};   ///< by ns-3's
    };

    void DoRun() override
    {
        const auto most = static_cast<uint32_t>(m_draw.Between(8, 300));
        m_flows = static_cast<uint32_t>(m_draw.Between(1, 12));
        m_theirs = MakeTheirs(most, m_draw);
        m_theirs->TraceConnectWithoutContext("Drop", MakeCallback(&WitnessTest::HandleDrop, this));
        m_theirs->Initialize();
        m_own = MakeOwn(most);
        // Not at a multiple of an update of PIE
        Simulator::Schedule(NanoSeconds(1), &WitnessTest::Come, this);
        Simulator::Stop(Seconds(100)); // PIE's updates do not end
        Simulator::Run();
        Simulator::Destroy();
        m_theirs->Dispose();
        m_theirs = nullptr;
        m_known.clear();
        NS_TEST_EXPECT_MSG_GT(m_drops + m_marks, 5, "some are dropped or marked");
        NS_TEST_EXPECT_MSG_GT(m_passes, 1000, "most are not");
        NS_TEST_EXPECT_MSG_EQ(m_own->GetLength(), 0, "all have left");
    }

    /// @param item that ns-3's drops
    void HandleDrop(Ptr<const QueueDiscItem> item)
    {
        const auto found = std::ranges::find(m_known, item, [](const Known& known) {
            return Ptr<const QueueDiscItem>(known.item);
        });
        found->isDropped = true;
    }

    /// A packet comes, and the next one is due.
    void Come()
    {
        const auto handle = static_cast<uint32_t>(m_known.size());
        const auto bytes = static_cast<uint32_t>(
            m_draw.Below(4) == 0 ? m_draw.Between(60, MOST_BYTES) : MOST_BYTES);
        const bool isEct = m_draw.Below(3) == 0;
        const auto flow = static_cast<uint32_t>(m_draw.Below(m_flows));
        m_known.push_back({MakeItem(bytes, isEct, flow)});
        const Ptr<QueueDiscItem> item = m_known.back().item;
        const int64_t now = Simulator::Now().GetNanoSeconds();
        m_theirs->Enqueue(item);
        const bool isTaken = m_own->Enqueue(now,
                                            {.handle = handle,
                                             .bytes = bytes,
                                             .flowHash = HashFlow(GetTuple(flow)),
                                             .isEct = isEct});
        if (!isTaken)
        {
            Drop(handle);
        }
        DropMore();
        if (!m_isBusy)
        {
            Take();
        }
        constexpr uint32_t PACKETS = 12000;
        if (m_known.size() < PACKETS)
        {
            // More than the link carries, then less, then none for a while
            constexpr int64_t PACKET_NS = BYTE_NS * MOST_BYTES;
            const bool isPause = m_draw.Below(400) == 0;
            const bool isMany = m_known.size() / 1500 % 2 == 0;
            const int64_t most = isPause ? 3000 * PACKET_NS : PACKET_NS * (isMany ? 6 : 26) / 5;
            Simulator::Schedule(NanoSeconds(m_draw.Between(1, most)), &WitnessTest::Come, this);
        }
    }

    /// The link takes a packet, if there is one.
    void Take()
    {
        const Ptr<QueueDiscItem> theirs = m_theirs->Dequeue();
        const auto own = m_own->Dequeue(Simulator::Now().GetNanoSeconds());
        DropMore();
        m_isBusy = theirs != nullptr;
        NS_TEST_ASSERT_MSG_EQ(own.has_value(), m_isBusy, "after packet " << m_known.size());
        if (!m_isBusy)
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ((theirs == m_known[own->handle].item), true, "which one leaves");
        uint8_t tos = 0;
        theirs->GetUint8Value(QueueItem::IP_DSFIELD, tos);
        const bool isMarked = (tos & 3) == Ipv4Header::ECN_CE;
        NS_TEST_EXPECT_MSG_EQ(own->isMarked, isMarked, "mark of packet " << own->handle);
        m_marks += isMarked ? 1 : 0;
        m_passes += isMarked ? 0 : 1;
        Simulator::Schedule(NanoSeconds(BYTE_NS * own->bytes), &WitnessTest::Take, this);
    }

    /// Core has dropped packets that wait.
    void DropMore()
    {
        for (const auto& dropped : m_own->GetDropped())
        {
            Drop(dropped.handle);
        }
        NS_TEST_EXPECT_MSG_EQ(m_own->GetLength(), m_theirs->GetNPackets(), "packets that wait");
        const auto drops = static_cast<int64_t>(m_theirs->GetStats().nTotalDroppedPackets);
        NS_TEST_EXPECT_MSG_EQ(m_drops, drops, "drops until packet " << m_known.size());
    }

    /// Core has dropped a packet. @param handle of it
    void Drop(uint32_t handle)
    {
        ++m_drops;
        NS_TEST_EXPECT_MSG_EQ(m_known[handle].isDropped, true, "drop of packet " << handle);
    }

    /// @param flow number @return its addresses and ports
    static FlowTuple GetTuple(uint32_t flow)
    {
        return {.source = 0x0a000001,
                .destination = 0x0a000102,
                .protocol = 17,
                .sourcePort = static_cast<uint16_t>(50000 + flow),
                .destinationPort = 2811};
    }

    /// @param bytes of the IP packet @param isEct whether it is @param flow of it @return it
    static Ptr<QueueDiscItem> MakeItem(uint32_t bytes, bool isEct, uint32_t flow)
    {
        const FlowTuple tuple = GetTuple(flow);
        const uint8_t udp[8] = {static_cast<uint8_t>(tuple.sourcePort >> 8),
                                static_cast<uint8_t>(tuple.sourcePort),
                                static_cast<uint8_t>(tuple.destinationPort >> 8),
                                static_cast<uint8_t>(tuple.destinationPort)};
        const auto packet = Create<Packet>(udp, sizeof(udp));
        packet->AddAtEnd(Create<Packet>(bytes - IP_BYTES - sizeof(udp)));
        Ipv4Header header;
        header.SetSource(Ipv4Address(tuple.source));
        header.SetDestination(Ipv4Address(tuple.destination));
        header.SetProtocol(tuple.protocol);
        header.SetEcn(isEct ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT);
        return Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, header);
    }

    Draw m_draw;                        ///< of parameters and packets
    uint32_t m_flows{1};                ///< that packets are of
    Ptr<QueueDisc> m_theirs;            ///< ns-3's
    std::unique_ptr<ActiveQueue> m_own; ///< core's
    std::vector<Known> m_known;         ///< packets, by handle
    bool m_isBusy{false};               ///< the link has a packet
    int64_t m_drops{0};                 ///< packets that core has dropped
    int64_t m_marks{0};                 ///< packets that were marked
    int64_t m_passes{0};                ///< other packets that left
};

/// CoDel.
class CodelWitnessTest : public WitnessTest
{
  public:
    /// @param seed of all that is random
    explicit CodelWitnessTest(uint32_t seed)
        : WitnessTest("CoDel", seed)
    {
    }

  private:
    Ptr<QueueDisc> MakeTheirs(uint32_t most, Draw& draw) override
    {
        m_spec = {.targetNs = draw.Between(100'000, 20'000'000),
                  .intervalNs = draw.Between(1'000'000, 200'000'000),
                  .leastBytes = draw.Between(1, 3000)};
        return CreateObjectWithAttributes<CoDelQueueDisc>(
            "MaxSize",
            QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, most)),
            "Target",
            TimeValue(NanoSeconds(m_spec.targetNs)),
            "Interval",
            TimeValue(NanoSeconds(m_spec.intervalNs)),
            "MinBytes",
            UintegerValue(static_cast<uint64_t>(m_spec.leastBytes)),
            "UseEcn",
            BooleanValue(true));
    }

    std::unique_ptr<ActiveQueue> MakeOwn(uint32_t most) override
    {
        return std::make_unique<CodelQueue>(m_spec, most);
    }

    CodelSpec m_spec; ///< parameters
};

/// FQ-CoDel.
class FqCodelWitnessTest : public WitnessTest
{
  public:
    /// @param seed of all that is random
    explicit FqCodelWitnessTest(uint32_t seed)
        : WitnessTest("FQ-CoDel", seed)
    {
    }

  private:
    Ptr<QueueDisc> MakeTheirs(uint32_t most, Draw& draw) override
    {
        m_codel = {.targetNs = draw.Between(100, 20'000) * 1000,
                   .intervalNs = draw.Between(1, 200) * 1'000'000,
                   .leastBytes = MOST_BYTES}; // as ns-3's, which has no attribute for it
        m_spec = {.flows = draw.Between(1, 20), .quantum = draw.Between(1, 5000)};
        const auto micros = [](int64_t ns) { return StringValue(std::to_string(ns) + "ns"); };
        const auto disc = CreateObjectWithAttributes<FqCoDelQueueDisc>(
            "MaxSize",
            QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, most)),
            "Target",
            micros(m_codel.targetNs),
            "Interval",
            micros(m_codel.intervalNs),
            "Flows",
            UintegerValue(static_cast<uint64_t>(m_spec.flows)),
            "UseEcn",
            BooleanValue(true));
        disc->SetQuantum(static_cast<uint32_t>(m_spec.quantum));
        return disc;
    }

    std::unique_ptr<ActiveQueue> MakeOwn(uint32_t most) override
    {
        return std::make_unique<FqCodelQueue>(m_spec, m_codel, most);
    }

    CodelSpec m_codel;  ///< parameters of each queue
    FqCodelSpec m_spec; ///< other parameters
};

/// Core's PIE with ns-3's random numbers.
class PieWithTheirNumbers : public PieQueue
{
  public:
    /// @param spec parameters @param most packets that wait
    PieWithTheirNumbers(const PieSpec& spec, uint64_t most)
        : PieQueue(spec, most, 1),
          m_numbers(CreateObject<UniformRandomVariable>())
    {
        m_numbers->SetStream(STREAM);
    }

  private:
    double Draw() override
    {
        return m_numbers->GetValue();
    }

    Ptr<UniformRandomVariable> m_numbers; ///< the same ones
};

/// PIE.
class PieWitnessTest : public WitnessTest
{
  public:
    /// @param seed of all that is random
    explicit PieWitnessTest(uint32_t seed)
        : WitnessTest("PIE", seed)
    {
    }

  private:
    Ptr<QueueDisc> MakeTheirs(uint32_t most, Draw& draw) override
    {
        m_spec = {.targetNs = draw.Between(100'000, 30'000'000),
                  .updateNs = draw.Between(1, 30) * 1'000'000,
                  .burstNs = draw.Between(0, 300) * 1'000'000};
        const auto disc = CreateObjectWithAttributes<PieQueueDisc>(
            "MaxSize",
            QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, most)),
            "QueueDelayReference",
            TimeValue(NanoSeconds(m_spec.targetNs)),
            "Tupdate",
            TimeValue(NanoSeconds(m_spec.updateNs)),
            "MaxBurstAllowance",
            TimeValue(NanoSeconds(m_spec.burstNs)),
            "UseEcn",
            BooleanValue(true));
        disc->AssignStreams(STREAM);
        return disc;
    }

    std::unique_ptr<ActiveQueue> MakeOwn(uint32_t most) override
    {
        return std::make_unique<PieWithTheirNumbers>(m_spec, most);
    }

    PieSpec m_spec; ///< parameters
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([] {
    std::vector<TestCase*> cases;
    for (uint32_t seed = 0; seed < 12; ++seed)
    {
        cases.push_back(new CodelWitnessTest(seed));
        cases.push_back(new FqCodelWitnessTest(seed));
        cases.push_back(new PieWitnessTest(seed));
    }
    return cases;
});

} // namespace ns3::gridftp
