/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-simulation.h"

#include "gridftp-buffer-settings.h"
#include "gridftp-stripes.h"
#include "gridftp-tuning-parameter.h"
#include "lab-presence.h"
#include "lab-rows.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

double
KindOf(const PacketStay& stay)
{
    const PacketKind kind = stay.packet.GetContent();
    if (kind == PacketKind::SEGMENT)
    {
        return stay.hasData ? 0 : 1;
    }
    const bool isData = kind == PacketKind::DATA || kind == PacketKind::BOTH_DATA;
    return isData ? 0 : kind == PacketKind::ACK || kind == PacketKind::BOTH_ACK ? 1 : 2;
}

/** @return whether the kernel sizes the windows, so that no W holds */
bool
IsTunedByKernel(const Scenario& scenario, const BufferSpec& buffers)
{
    return scenario.tcp.stack == TcpStack::LINUX && MakeBufferSettings(buffers, 1).AreMoving();
}

/** @return G by Eq. (1); not a number where the model says nothing of so many connections */
double
GoodputOf(const FluidPath& path, uint32_t parallelism)
{
    if (!path.IsValid())
    {
        return UNKNOWN;
    }
    const auto point = FluidModel(path).At(parallelism);
    return point.networkLimitBps ? point.goodputBps : UNKNOWN;
}

/** @param path whose bottleneck @return what it takes at most to carry all that waits there, in the
 * direction in which that takes longer, s */
double
LongestWait(const PathSpec& path)
{
    constexpr double BITS = 8;
    const double packetBits = Real(path.packetSize) * BITS;
    const double bits = Real(path.queue) * packetBits;
    if (path.schedule.IsEmpty())
    {
        return std::max(bits / Real(path.bandwidth),
                        Real(path.reverseQueue) * packetBits / Real(path.reverseBandwidth));
    }
    const auto& rows = path.schedule.GetRows();
    const int64_t period = path.schedule.GetPeriodNs();
    double still = 0;
    double moving = 0;
    double slowest = Real(path.bandwidth);
    for (size_t i = 0; i < rows.size(); ++i)
    {
        const int64_t end = i + 1 < rows.size() ? rows[i + 1].startNs : period;
        const double lasts = end > 0 ? Seconds(end - rows[i].startNs) : 0;
        (rows[i].rateBps > 0 ? moving : still) += lasts;
        slowest = rows[i].rateBps > 0 ? std::min(slowest, Real(rows[i].rateBps)) : slowest;
    }
    const double carries = bits / slowest;
    return carries + (period > 0 ? carries / moving + 1 : 1) * still;
}

/** @param path whose bottleneck @return how much longer than its least its delay ever is, s */
double
DelayBeyondLeast(const PathSpec& path)
{
    int64_t most = path.delay;
    for (const auto& row : path.schedule.GetRows())
    {
        most = std::max(most, row.delayNs);
    }
    return Seconds(most - path.delay);
}

/** @param axis of the charts @return that of goodputs: packets come in bursts, once a round trip
 * and connection, and what is shorter than that shows these, and not who gets how much */
TimeAxis
MakeFlowAxis(const TimeAxis& axis)
{
    constexpr size_t BINS = 16; // of the charts, to an interval
    const size_t intervals = std::max<size_t>(1, axis.GetCapacity() / (2 * BINS)) * 2;
    const int64_t begin = axis.GetBeginNs(0);
    return {axis.GetKind(),
            begin,
            axis.GetBeginNs(static_cast<int64_t>(axis.GetCapacity())) - begin,
            intervals};
}

} // namespace

LabSimulation::LabSimulation(const Scenario& scenario, const TimeAxis& axis)
    : m_scenario(scenario),
      m_simulator(scenario),
      m_recorder(axis, DoWindowsMove() && scenario.tcp.stack != TcpStack::LINUX),
      m_flows(MakeFlowAxis(axis))
{
    m_simulator.SetObserver(m_recorder);
    Advance(0); // sessions that start at once know their N then
}

bool
LabSimulation::DoWindowsMove() const
{
    const auto moves = [](const auto& spec) {
        return MakeBufferSettings(spec.buffers, 1).AreMoving();
    };
    return m_scenario.tcp.stack == TcpStack::LINUX ||
           std::ranges::any_of(m_scenario.sessions, moves) ||
           std::ranges::any_of(m_scenario.background, moves);
}

void
LabSimulation::SetWatched(bool watched)
{
    m_simulator.SetPacketObserver(watched ? &m_packets : nullptr);
    m_shownNs = m_simulator.GetNow();
}

bool
LabSimulation::Advance(int64_t untilNs)
{
    const auto getNext = [this] {
        return std::min(m_flows.GetNextNs(), m_recorder.GetNextSampleNs());
    };
    for (auto next = getNext(); next <= untilNs && !m_hasEnded; next = getNext())
    {
        m_hasEnded = m_simulator.Advance(next);
        if (m_simulator.GetNow() != next)
        {
            break; // all has ended before
        }
        if (m_recorder.GetNextSampleNs() == next)
        {
            m_recorder.Sample(next, m_simulator.GetConnections());
        }
        if (m_flows.GetNextNs() == next)
        {
            m_flows.Add(m_simulator.GetFlows());
        }
    }
    m_hasEnded = m_simulator.Advance(untilNs);
    m_recorder.Reach(m_simulator.GetNow());
    return m_hasEnded;
}

FluidPath
LabSimulation::GetFluidPath(size_t session) const
{
    const auto& spec = m_scenario.sessions[session];
    return {.bandwidthBps = Real(GetBandwidth(m_scenario, spec.direction)),
            .rttS = Seconds(GetRoundTripNs(m_scenario.path, spec.delay)),
            .windowBytes =
                IsTunedByKernel(m_scenario, spec.buffers) ? UNKNOWN : Real(spec.buffers.window),
            .segmentBytes = GetSegmentBytes()};
}

double
LabSimulation::GetSegmentBytes() const
{
    return Real(gridftp::GetSegmentBytes(m_scenario));
}

double
LabSimulation::GetPassage() const
{
    int64_t delay = 0;
    for (const auto& session : m_scenario.sessions)
    {
        delay = std::max(delay, session.delay);
    }
    for (const auto& background : m_scenario.background)
    {
        delay = std::max(delay, background.delay);
    }
    const PathSpec& path = m_scenario.path;
    const double roundTrip = Seconds(GetRoundTripNs(path, delay)) + 2 * DelayBeyondLeast(path);
    return 2 * (roundTrip + LongestWait(path));
}

std::vector<double>
LabSimulation::MakeState() const
{
    const auto bottleneck = m_simulator.GetBottleneck();
    const auto count = m_scenario.sessions.size();
    bool ended = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto state = m_simulator.GetSession(i).state;
        ended = ended && (state == SessionState::DONE || state == SessionState::FAILED);
    }
    return {Seconds(m_simulator.GetNow()),
            Real(ended),
            Real(bottleneck.queuePackets),
            Real(bottleneck.drops),
            Real(bottleneck.forwardedBytes),
            Real(m_simulator.GetEventCount()),
            bottleneck.utilisation,
            Real(m_recorder.CountMarks())};
}

std::vector<double>
LabSimulation::MakeSessions() const
{
    const auto open = m_simulator.GetConnections();
    std::vector<double> rows;
    for (uint32_t i = 0; i < m_scenario.sessions.size(); ++i)
    {
        const auto session = m_simulator.GetSession(i);
        uint64_t bytes = 0;
        for (const auto& connection : open)
        {
            const bool isOurs = connection.label.session == i && session.transferring;
            bytes += isOurs ? connection.chunkBytes : 0;
        }
        const auto& records = *session.records;
        const auto path = GetFluidPath(i);
        const uint32_t connections =
            CountConnections(session,
                             static_cast<uint32_t>(GetPairs(m_scenario.sessions[i].stripes)));
        const double rtt = session.rttS > 0 ? session.rttS : UNKNOWN;
        AddRow(rows,
               {Real(static_cast<int>(session.state)),
                Real(session.transferring),
                Real(session.chunk),
                Real(session.parallelism),
                Seconds(session.chunkStartNs),
                Real(bytes),
                records.empty() ? 0 : Real(records.back().offset + records.back().bytes),
                rtt,
                path.windowBytes,
                Real(connections) * path.windowBytes * 8 / rtt,
                GoodputOf(path, connections),
                Real(session.totals.segments),
                Real(session.totals.retransmissions),
                Real(session.totals.timeouts),
                Real(records.size()),
                Real(session.movedBytes),
                session.endNs < 0 ? UNKNOWN : Seconds(session.endNs)});
    }
    return rows;
}

std::vector<double>
LabSimulation::MakeBackground() const
{
    std::vector<double> rows;
    for (const auto& background : m_simulator.GetBackground())
    {
        AddRow(rows,
               {background.GetGoodputBps(),
                Real(background.tcp.totals.segments),
                Real(background.tcp.totals.retransmissions),
                Real(background.tcp.totals.timeouts)});
    }
    return rows;
}

std::vector<double>
LabSimulation::MakeChunks(uint32_t session, size_t from) const
{
    std::vector<double> rows;
    const auto view = m_simulator.GetSession(session);
    for (size_t i = from; i < view.records->size(); ++i)
    {
        const auto& chunk = (*view.records)[i];
        AddRow(rows,
               {Seconds(chunk.startNs),
                Seconds(chunk.endNs),
                Real(chunk.bytes),
                Real(chunk.parallelism),
                Real(chunk.nextParallelism),
                chunk.goodputBps,
                chunk.rttS});
    }
    return rows;
}

const RetryResult&
LabSimulation::GetTries(uint32_t session)
{
    if (const int64_t now = m_simulator.GetNow(); m_triesNs != now)
    {
        m_tries.clear();
        for (const auto& result : m_simulator.GetResult().sessions)
        {
            m_tries.push_back(result.retries.value_or(RetryResult{}));
        }
        m_triesNs = now;
    }
    return m_tries[session];
}

std::vector<double>
LabSimulation::MakeRestarts(uint32_t session)
{
    if (m_scenario.sessions[session].retries == 0)
    {
        return {};
    }
    const RetryResult& retries = GetTries(session);
    // What is stored past the last marker is sent again only if this try ends, too
    const bool isDone = m_simulator.GetSession(session).state == SessionState::DONE;
    std::vector<double> rows{isDone ? Real(retries.bytesResent) : UNKNOWN};
    for (const auto& restart : retries.restarts)
    {
        AddRow(rows, {Seconds(restart.timeNs), Real(restart.heldBytes), Seconds(restart.waitNs)});
    }
    return rows;
}

std::vector<double>
LabSimulation::MakeConnections() const
{
    std::vector<double> rows;
    for (const auto& connection : m_simulator.GetConnections())
    {
        AddRow(rows,
               {Real(connection.label.session),
                Real(connection.label.chunk),
                Real(connection.label.connection),
                Real(connection.connected),
                Real(connection.cwndBytes),
                connection.ssthreshBytes ? Real(*connection.ssthreshBytes) : UNKNOWN,
                Real(connection.flightBytes),
                Real(connection.acknowledgedBytes),
                Real(static_cast<int>(connection.state)),
                Seconds(connection.rttNs)});
    }
    return rows;
}

std::vector<double>
LabSimulation::MakePackets()
{
    std::vector<double> rows;
    const auto now = m_simulator.GetNow();
    m_packets.Forget(std::min(now, m_shownNs));
    m_packets.ForEach(now, m_shownNs, [&rows](const PacketLog::Entry& entry) {
        const auto& stay = entry.stay;
        AddRow(rows,
               {Real(static_cast<int>(stay.place)),
                Seconds(stay.beginNs),
                Seconds(stay.endNs),
                entry.label ? Real(entry.label->session) : -1,
                entry.label ? Real(entry.label->connection) : -1,
                KindOf(stay),
                entry.label ? Real(entry.label->pair) : 0,
                Real(stay.packet.IsMarked())});
    });
    m_shownNs = now;
    return rows;
}

std::vector<double>
LabSimulation::MakeDrops()
{
    std::vector<double> rows;
    for (const auto& drop : m_recorder.GetLatestDrops())
    {
        AddRow(rows,
               {Seconds(drop.timeNs),
                drop.label ? Real(drop.label->session) : -1,
                drop.label ? Real(drop.label->connection) : -1});
    }
    m_recorder.ForgetDrops();
    return rows;
}

std::vector<double>
LabSimulation::MakeModel(uint32_t largest) const
{
    const auto path = GetFluidPath(0);
    if (!path.IsValid())
    {
        return {path.rttS, UNKNOWN};
    }
    const auto most = MAX_PARALLELISM.CountOf(m_scenario.sessions.front().tuning);
    std::vector<double> row{path.rttS, Real(FluidModel(path).Optimum(most).parallelism)};
    for (uint32_t n = 1; n <= largest; ++n)
    {
        row.push_back(GoodputOf(path, n));
    }
    return row;
}

} // namespace ns3::gridftp
