/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * What does this path do to the packets of real hosts? The dumbbell of gridftp-transfer in real
 * time, with a tap device of Linux in the place of the client's stack and one in the server's.
 *
 * usage: gridftp-twin-network CLIENT-TAP SERVER-TAP [--name=VALUE ...], the options being those of
 * gridftp-transfer --engine=ns3 --links=ns3. It makes the taps in the network namespace in which it
 * was started, prints a line of JSON that says which addresses belong to their hosts, and forwards
 * packets until SIGTERM or SIGINT; then it prints one that says what the bottleneck did and how
 * late the simulation was. Needs root. Exit status: 0 done, 1 ns-3 gave up, 2 bad command line.
 */

#include "gridftp-bottleneck-observer.h"
#include "gridftp-json-writer.h"
#include "gridftp-network-helper.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-option-table.h"
#include "gridftp-program.h"
#include "gridftp-scenario-json.h"
#include "gridftp-tap-creator.h"
#include "gridftp-text-file.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/global-value.h"
#include "ns3/mac48-address.h"
#include "ns3/realtime-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tap-bridge.h"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr std::string_view PROGRAM = "gridftp-twin-network";

volatile std::sig_atomic_t g_isOver = 0; //!< whether a signal has asked for the end

void
HandleSignal(int /* number */)
{
    g_isOver = 1;
}

/** The network between two hosts that are none of ns-3's. */
class Twin
{
  public:
    /** @param scenario of one session @param taps names of the client's and of the server's */
    Twin(const Scenario& scenario, const std::vector<std::string>& taps)
        : m_network(MakeTopology(scenario),
                    LinkKind::NS3,
                    static_cast<uint32_t>(scenario.path.packetSize)),
          m_bottleneck(m_network.GetQueue(m_network.GetTopology().measured),
                       m_network.GetTopology(),
                       m_network.GetTopology().measured),
          m_taps(taps)
    {
        const HostPair& pair = m_network.GetTopology().pairs.front();
        m_hosts = {pair.client, pair.server};
        for (size_t i = 0; i < m_hosts.size(); ++i)
        {
            Bridge(m_hosts[i], m_taps[i]);
        }
    }

    /** Runs until a signal comes. @return the line that says what happened */
    std::string Run()
    {
        Simulator::Schedule(TICK, &Twin::Begin, this);
        Simulator::Run();
        m_bottleneck.Mark();
        return Report();
    }

  private:
    /** How often it looks for a signal, and how late it is. */
    static inline const Time TICK = MilliSeconds(1);

    /** @param host of the topology @return the link on which it sends */
    uint32_t LinkOf(uint32_t host) const
    {
        return FindLinksFrom(m_network.GetTopology(), host).front();
    }

    /** Puts a tap in the place of a host's stack. */
    void Bridge(uint32_t host, const std::string& tap)
    {
        const auto bridge = CreateObjectWithAttributes<TapBridge>("DeviceName",
                                                                  StringValue(tap),
                                                                  "Mode",
                                                                  EnumValue(TapBridge::USE_LOCAL));
        const auto node = m_network.GetNode(host);
        node->AddDevice(bridge);
        bridge->SetBridgedNetDevice(m_network.GetDevice(LinkOf(host)));
    }

    /** The taps are there. */
    void Begin()
    {
        m_bottleneck.Begin();
        JsonWriter json;
        json.BeginObject().Key("hosts").BeginArray();
        for (size_t i = 0; i < m_hosts.size(); ++i)
        {
            const auto text = [](const auto& address) {
                std::ostringstream stream;
                stream << address;
                return stream.str();
            };
            const uint32_t link = LinkOf(m_hosts[i]);
            const auto device = m_network.GetDevice(link);
            const Topology& topology = m_network.GetTopology();
            json.BeginObject().Key("tap").String(m_taps[i]);
            json.Key("address").String(text(m_network.GetNodeAddress(m_hosts[i])));
            json.Key("gateway").String(text(Ipv4Address(GetAddress(topology, GetReverse(link)))));
            json.Key("mac").String(text(Mac48Address::ConvertFrom(device->GetAddress())));
            json.Key("gateway_mac")
                .String(text(Mac48Address::ConvertFrom(
                    m_network.GetDevice(GetReverse(link))->GetAddress())));
            json.EndObject();
        }
        std::cout << json.EndArray().EndObject().GetText() << std::endl;
        Tick();
    }

    void Tick()
    {
        const auto simulator = DynamicCast<RealtimeSimulatorImpl>(Simulator::GetImplementation());
        m_lateS.push_back((simulator->RealtimeNow() - Simulator::Now()).GetSeconds());
        if (g_isOver)
        {
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(TICK, &Twin::Tick, this);
    }

    std::string Report()
    {
        const LinkResult link = m_bottleneck.GetResult();
        JsonWriter json;
        json.BeginObject().Key("bottleneck").BeginObject();
        json.Key("bytes").Integer(static_cast<int64_t>(m_bottleneck.GetForwardedBytes()));
        json.Key("drops").Integer(static_cast<int64_t>(link.drops));
        json.Key("max_queue_packets").Integer(static_cast<int64_t>(link.maxQueuePackets));
        json.EndObject().Key("late").BeginObject();
        std::ranges::sort(m_lateS);
        const double sum = std::accumulate(m_lateS.begin(), m_lateS.end(), 0.0);
        json.Key("mean_s").Number(sum / static_cast<double>(m_lateS.size()));
        json.Key("p99_s").Number(m_lateS[m_lateS.size() * 99 / 100]);
        json.Key("max_s").Number(m_lateS.back());
        return json.EndObject().EndObject().GetText();
    }

    NetworkHelper m_network;         //!< the scenario's
    BottleneckObserver m_bottleneck; //!< watches its queue
    std::vector<std::string> m_taps; //!< their names
    std::vector<uint32_t> m_hosts;   //!< nodes that they stand for
    std::vector<double> m_lateS;     //!< how late each tick was, s
};

/** @param scenario to run @return nothing, or what real hosts cannot do */
Done
CheckTwin(const Scenario& scenario)
{
    const SessionSpec& session = scenario.sessions.front();
    const auto refuse = [](std::string_view what) {
        return Error{std::string(what) + "; allowed: one session of GridFTP between two hosts"};
    };
    if (scenario.sessions.size() != 1 || !scenario.background.empty() || !scenario.faults.empty())
    {
        return refuse("--session, --arrivals, --background and --fault are not supported here");
    }
    if (session.direction == Direction::THIRD_PARTY)
    {
        return refuse("--direction=third-party is not supported here");
    }
    if (MakeTopology(scenario).nodes.size() != 4)
    {
        return refuse("--stripes is not supported here");
    }
    return std::monostate{};
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto arguments = GetArguments(argc, argv);
    if (arguments.size() < 2)
    {
        return Refuse(PROGRAM, {"two names of taps are missing: the client's and the server's"});
    }
    const std::vector<std::string> taps(arguments.begin(), arguments.begin() + 2);
    std::vector<std::string_view> options{"--engine=ns3", "--links=ns3"};
    options.insert(options.end(), arguments.begin() + 2, arguments.end());
    const auto request = ParseTransfer(options, &ReadTextFile);
    if (!request)
    {
        return Refuse(PROGRAM, request.GetError());
    }
    PrintNotes(PROGRAM, request->notes);
    if (const auto checked = CheckTwin(request->scenario); !checked)
    {
        return Refuse(PROGRAM, checked.GetError());
    }
    if (const auto checked = CheckNs3Scenario(request->scenario); !checked)
    {
        return Refuse(PROGRAM, checked.GetError());
    }
    if (request->output.resolve)
    {
        std::cout << ScenarioToJson(request->scenario) << std::endl;
        return 0;
    }
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RealtimeSimulatorImpl"));
    // Linux drops packets with a wrong checksum, and each router writes a new one.
    ApplyNs3Defaults(request->scenario, true);
    std::signal(SIGTERM, &HandleSignal);
    std::signal(SIGINT, &HandleSignal);
    std::string report;
    {
        Twin twin(request->scenario, taps);
        report = twin.Run();
    }
    Simulator::Destroy();
    std::cout << report << std::endl;
    return 0;
}
