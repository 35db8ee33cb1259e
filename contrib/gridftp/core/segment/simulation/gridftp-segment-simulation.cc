/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-simulation.h"

#include "gridftp-host-limits.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-segment-connection.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t HAPPENINGS = 4;
} // namespace

SegmentSimulation::SegmentSimulation(const Scenario& scenario, ExternalProgramStarter start)
    : m_scenario(WithHostLimits(scenario)),
      m_start(start),
      m_topology(MakeTopology(m_scenario)),
      m_hosts(MakeScenarioHosts(m_scenario)),
      m_hostMeter(m_hosts),
      m_flows(m_topology.measured),
      m_network(m_topology, m_events, m_flows),
      m_meter(m_network.GetQueued(m_topology.measured),
              m_topology.links[m_topology.measured].rateBps)
{
    if (m_topology.measuresReverse)
    {
        MeasureReverse();
    }
    m_flows.SetNetwork(m_network);
    if (HasDiscipline(m_scenario.path, QueueDiscipline::FQ_CODEL))
    {
        m_flows.UsePorts();
    }
    if (m_scenario.measure.detail == Detail::ON)
    {
        MeasureDetail();
    }
    m_files = MakeFileSupplies(m_scenario);
    m_source = MakeSharedSource(m_scenario);
    m_packetHosts = FindPacketHosts(m_scenario, m_topology, m_hosts);
    AddGates();
    m_network.SeedLosses(static_cast<uint64_t>(m_scenario.measure.seed),
                         static_cast<uint64_t>(m_scenario.measure.run));
    for (const auto& application : ListApplications(m_scenario))
    {
        AddApplication(application.kind, application.startNs);
    }
    m_network.FindMerges();
}

void
SegmentSimulation::MeasureReverse()
{
    const uint32_t reverse = GetReverse(m_topology.measured);
    m_reverseMeter.emplace(m_network.GetQueued(reverse), m_topology.links[reverse].rateBps);
    for (const uint32_t link : {m_topology.measured, reverse})
    {
        m_network.GetQueued(link).NoteAll();
    }
}

void
SegmentSimulation::AddApplication(std::string_view kind, int64_t startNs)
{
    ApplicationContext context;
    context.scenario = &m_scenario;
    context.index = static_cast<uint32_t>(m_applications.size());
    context.flows = &m_flows;
    context.observer = this;
    context.fastForward = this;
    context.monitor = m_flows.FindMonitor(context.index);
    if (context.index < m_scenario.sessions.size())
    {
        context.files = m_files[context.index];
        context.tuning = MakeTuningContext(m_scenario, context.index, m_start);
        const bool isShared = HasSharedServer(m_scenario, context.index);
        context.source = isShared ? m_source : nullptr;
        context.hosts = m_hosts[context.index];
    }
    const HostPair& pair = m_topology.pairs[context.index];
    for (const uint32_t node : pair.receivers)
    {
        context.receiverAddresses.push_back(GetNodeAddress(m_topology, node));
    }
    if (IsStriped(context.index))
    {
        MakeStripedPaths(context);
    }
    else if (pair.sender == HostPair::NONE)
    {
        MakePath(context);
    }
    else
    {
        MakeThirdPartyPaths(context);
    }
    m_applications.push_back(MakeApplication(kind, context));
    m_awaited += m_applications.back()->IsAwaited() ? 1 : 0;
    const uint32_t id = START + HAPPENINGS * context.index;
    if (context.path.clocks[0]->IsAhead())
    {
        return m_events.ScheduleAhead(startNs, *this, id);
    }
    m_events.Schedule(startNs, *this, id);
}

bool
SegmentSimulation::Advance(int64_t untilNs)
{
    m_untilNs = untilNs;
    while (m_awaited > 0)
    {
        untilNs = GetSimulatedEnd();
        if (m_network.IsFast())
        {
            m_events.SetNow(m_putsDown
                                ? m_flows.TakeAcksPuttingDown(m_events, untilNs, m_events.GetNow())
                                : m_flows.TakeAcks(m_events, untilNs, m_events.GetNow()));
            untilNs = GetSimulatedEnd(); // it may have skipped something
        }
        else if (m_network.IsPiped())
        {
            RunPipe(std::min(untilNs, LONGEST_NS));
            if (m_awaited == 0)
            {
                break;
            }
        }
        const int64_t arrival = m_network.GetNextTime();
        const int64_t event = m_events.GetNextTime();
        if (std::min(arrival, event) > untilNs)
        {
            m_events.SetNow(untilNs);
            if (m_observer)
            {
                // What the next packet to come would find out; at equal times it may be ahead
                m_network.GetQueued(m_topology.measured).Release(m_events.GetNow() - 1);
            }
            return false;
        }
        if (arrival < event ||
            (arrival == event && m_events.IsNextBehind(m_network.GetNextBegun()))) [[likely]]
        {
            Arrive(untilNs);
            continue;
        }
        if (event > LONGEST_NS)
        {
            for (const auto& application : m_applications)
            {
                application->Fail(m_events.GetNow(),
                                  event == NEVER ? "nothing more happened"
                                                 : "the simulated time passes 146 years");
            }
            break;
        }
        ++m_eventCount;
        m_events.Step();
    }
    return true;
}

void
SegmentSimulation::RunPipe(int64_t untilNs)
{
    SegmentPipe& pipe = m_network.GetPipe();
    while (m_awaited > 0)
    {
        const int64_t event = m_events.GetNextTime();
        if (pipe.StepThere(std::min(event, std::min(pipe.GetNextBack(), untilNs + 1))))
        {
            continue;
        }
        const int64_t packet = pipe.GetNextTime();
        if (packet < event && packet <= untilNs)
        {
            m_events.SetNow(packet);
            pipe.Step();
            continue;
        }
        if (event >= packet || event > untilNs || !m_events.IsNextAlarm())
        {
            return;
        }
        ++m_eventCount;
        m_events.StepAlarm();
    }
}

void
SegmentSimulation::Arrive(int64_t untilNs)
{
    const size_t awaited = m_awaited;
    Nanoseconds at = m_network.GetNextTime();
    do
    {
        m_events.SetNow(at);
        m_network.Step();
        at = m_network.GetNextTime();
    } while (at < m_events.GetNextTime() && at <= untilNs && m_awaited == awaited &&
             !m_network.IsFast());
}

void
SegmentSimulation::HandleEvent(Nanoseconds now, uint32_t id)
{
    switch (static_cast<Happening>(id % HAPPENINGS))
    {
    case START:
        return m_applications[id / HAPPENINGS]->Start(now);
    case TRANSFERRING:
        return HandleTransferring(now);
    case PART:
        return HandlePart(now);
    case ENDED:
        return HandleEnded(now);
    }
}

// A host may run ahead of the time; what is measured then waits for its moment

bool
SegmentSimulation::IsDue(Nanoseconds now, Happening what)
{
    if (now > m_events.GetNow())
    {
        m_events.Schedule(now, *this, what);
        return false;
    }
    return true;
}

void
SegmentSimulation::HandleTransferring(Nanoseconds now)
{
    if (IsDue(now, TRANSFERRING) && !m_measures)
    {
        m_measures = true;
        m_meter.Begin(now);
        if (m_delays)
        {
            m_delays->Begin(now);
        }
        if (m_reverseMeter)
        {
            m_reverseMeter->Begin(now);
        }
        if (m_reverseDelays)
        {
            m_reverseDelays->Begin(now);
        }
    }
}

void
SegmentSimulation::HandlePart(Nanoseconds now)
{
    if (IsDue(now, PART))
    {
        m_hostMeter.Mark(now);
        m_meter.Mark(now);
        if (m_delays)
        {
            m_delays->Mark(now);
        }
        if (m_reverseMeter)
        {
            m_reverseMeter->Mark(now);
        }
        if (m_reverseDelays)
        {
            m_reverseDelays->Mark(now);
        }
    }
}

void
SegmentSimulation::HandleBehindPart(Nanoseconds now)
{
    m_hostMeter.Mark(now);
}

void
SegmentSimulation::HandleEnded(Nanoseconds now)
{
    if (IsDue(now, ENDED))
    {
        --m_awaited;
    }
}

// What is seen: gridftp-segment-simulation-observers.cc, too

PacketPlace
SegmentSimulation::PlaceOf(const LinkStay& stay) const
{
    const LinkSpec& link = m_topology.links[stay.link];
    const LinkSpec& measured = m_topology.links[m_topology.measured];
    const bool isForward = stay.link == m_topology.measured;
    if (isForward || stay.link == GetReverse(m_topology.measured))
    {
        switch (stay.place)
        {
        case LinkPlace::QUEUE:
            return isForward ? PacketPlace::FORWARD_QUEUE : PacketPlace::REVERSE_QUEUE;
        case LinkPlace::LINK:
            return isForward ? PacketPlace::FORWARD : PacketPlace::REVERSE;
        case LinkPlace::REFUSED:
            return isForward ? PacketPlace::FORWARD_REFUSED : PacketPlace::REVERSE_REFUSED;
        case LinkPlace::LOST:
            return isForward ? PacketPlace::FORWARD_LOST : PacketPlace::REVERSE_LOST;
        }
    }
    // An access link: on which side, and which way
    if (link.to == measured.from || link.from == measured.from)
    {
        return link.to == measured.from ? PacketPlace::SENDER_OUT : PacketPlace::SENDER_IN;
    }
    return link.to == measured.to ? PacketPlace::RECEIVER_OUT : PacketPlace::RECEIVER_IN;
}

void
SegmentSimulation::HandleStay(const LinkStay& stay)
{
    if (stay.packet.GetKind() >= PacketKind::DATAGRAM)
    {
        return m_packetObserver->HandlePacket(
            {PlaceOf(stay), stay.beginNs, stay.endNs, stay.packet},
            std::nullopt);
    }
    const TcpConnection& connection = m_flows.Get(stay.packet.GetFlow());
    const bool hasData = stay.packet.GetKind() == PacketKind::SEGMENT &&
                         connection.FindSequence(stay.packet).has_value();
    m_packetObserver->HandlePacket(
        {PlaceOf(stay), stay.beginNs, stay.endNs, stay.packet, hasData},
        stay.packet.GetContent() <= PacketKind::SYN_ACK ? connection.GetUse().label : std::nullopt);
}

std::vector<ConnectionView>
SegmentSimulation::GetConnections() const
{
    std::vector<ConnectionView> views;
    for (uint32_t i = 0; i < m_flows.GetCount(); ++i)
    {
        const TcpConnection& connection = m_flows.Get(i);
        if (!connection.IsOpen() || !connection.GetUse().label)
        {
            continue;
        }
        const SenderView sender = connection.GetSenderView();
        ConnectionView& view = views.emplace_back();
        view.label = *connection.GetUse().label;
        view.connected = connection.IsConnected();
        view.cwndBytes = sender.cwndBytes;
        view.ssthreshBytes = sender.ssthreshBytes;
        view.flightBytes = sender.flightBytes;
        view.acknowledgedBytes = sender.acknowledgedBytes;
        view.chunkBytes = connection.CountOfSource(sender.acknowledgedBytes);
        view.state = sender.state;
        view.rttNs = sender.smoothedRttNs;
    }
    return views;
}

BottleneckView
SegmentSimulation::GetBottleneck() const
{
    const auto& queue = m_network.GetQueued(m_topology.measured);
    return {.queuePackets = queue.GetLength(m_events.GetNow()),
            .drops = queue.GetDrops(),
            .forwardedBytes = m_meter.GetForwardedBytes(m_events.GetNow()),
            .utilisation = !m_measures      ? 0
                           : m_awaited == 0 ? m_meter.GetUtilisation()
                                            : m_meter.GetUtilisation(m_events.GetNow())};
}

// What comes of it

std::vector<BackgroundResult>
SegmentSimulation::GetBackground() const
{
    TransferResult result;
    for (const auto& application : m_applications)
    {
        if (!application->IsAwaited())
        {
            application->AddTo(m_events.GetNow(), result);
        }
    }
    return result.background;
}

std::vector<FlowView>
SegmentSimulation::GetFlows() const
{
    std::vector<FlowView> views;
    for (const auto& application : m_applications)
    {
        views.push_back(application->GetFlow(m_events.GetNow()));
    }
    return views;
}

LinkResult
SegmentSimulation::MakeLinkResult(uint32_t link, const LinkMeter& meter) const
{
    LinkResult result;
    result.name = m_topology.links[link].name;
    result.utilisation = meter.GetUtilisation();
    const auto duration = static_cast<double>(meter.GetDurationNs());
    if (duration > 0)
    {
        result.meanQueuePackets = static_cast<double>(meter.GetWaitedNs()) / duration;
    }
    result.drops = meter.GetDrops();
    if (UsesEcn(m_scenario))
    {
        result.marks = meter.GetMarks();
    }
    result.maxQueuePackets = meter.GetMost();
    return result;
}

TransferResult
SegmentSimulation::GetResult() const
{
    TransferResult result;
    for (const auto& application : m_applications)
    {
        application->AddTo(m_events.GetNow(), result);
    }
    result.links.push_back(MakeLinkResult(m_topology.measured, m_meter));
    if (m_reverseMeter)
    {
        result.links.push_back(MakeLinkResult(GetReverse(m_topology.measured), *m_reverseMeter));
    }
    if (m_delays)
    {
        DelayHistogram delays = m_delays->GetMarked();
        delays.Add(m_skipped.delays);
        result.links.front().queueDelay = delays.GetFigures();
    }
    if (m_reverseDelays)
    {
        result.links.back().queueDelay = m_reverseDelays->GetMarked().GetFigures();
    }
    for (uint32_t i = 0; i < m_topology.links.size(); ++i)
    {
        const LinkSpec& spec = m_topology.links[i];
        if (spec.limit.IsSet())
        {
            result.limits.push_back({spec.name, m_network.GetQueued(i).GetLimiter()->GetDrops()});
        }
    }
    m_hostMeter.AddTo(result);
    result.cost.events = GetEventCount();
    result.cost.skippedEvents = m_skipped.events;
    result.cost.skippedChunks = m_skippedChunks;
    ConcludeResult(m_scenario, result);
    return result;
}

} // namespace ns3::gridftp
