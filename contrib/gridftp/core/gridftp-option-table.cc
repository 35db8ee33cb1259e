/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-table.h"

#include "gridftp-tuning-policy.h"

#include <limits>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t MILLISECOND = 1'000'000;
constexpr int64_t SECOND = 1'000'000'000;
constexpr int64_t KILO = 1'000;
constexpr int64_t TERA = 1'000'000'000'000;
constexpr int64_t PETA = 1'000'000'000'000'000;
constexpr int64_t GIBI = 1LL << 30;

/** A host has 16,384 ephemeral ports, and the control connection takes one. */
constexpr int64_t MOST_CONNECTIONS = 16000;

/** ns-3's generator, MRG32k3a, takes seeds below its second modulus, 2^32 - 22853. */
constexpr int64_t LARGEST_SEED = (1LL << 32) - 22853 - 1;

/** Range of a whole quantity. */
struct Range
{
    int64_t minimum; //!< least
    int64_t maximum; //!< largest
};

Option
Whole(std::string_view name,
      std::string_view key,
      OptionScope scope,
      Dimension dimension,
      std::string_view defaultText,
      Range range,
      OptionBinding binding,
      std::string_view help)
{
    Option option;
    option.name = name;
    option.key = key;
    option.kind = OptionKind::WHOLE;
    option.dimension = dimension;
    option.scope = scope;
    option.defaultText = defaultText;
    option.minimum = range.minimum;
    option.maximum = range.maximum;
    option.engines = "ns3";
    option.help = help;
    option.binding = binding;
    switch (dimension)
    {
    case Dimension::BYTES:
        option.placeholder = "SIZE";
        break;
    case Dimension::RATE:
        option.placeholder = "RATE";
        break;
    case Dimension::TIME:
        option.placeholder = "TIME";
        break;
    default:
        option.placeholder = "N";
    }
    return option;
}

/** Range of a real number. */
struct Interval
{
    double minimum;   //!< least
    double maximum;   //!< largest
    bool openMinimum; //!< without the least
    bool openMaximum; //!< without the largest
};

Option
Real(std::string_view name,
     std::string_view key,
     OptionScope scope,
     std::string_view defaultText,
     Interval interval,
     OptionBinding binding,
     std::string_view help)
{
    Option option;
    option.name = name;
    option.key = key;
    option.kind = OptionKind::REAL;
    option.dimension = Dimension::REAL;
    option.scope = scope;
    option.defaultText = defaultText;
    option.minimum = interval.minimum;
    option.maximum = interval.maximum;
    option.openMinimum = interval.openMinimum;
    option.openMaximum = interval.openMaximum;
    option.placeholder = "X";
    option.engines = "ns3";
    option.help = help;
    option.binding = binding;
    return option;
}

Option
Word(OptionKind kind,
     std::string_view name,
     std::string_view key,
     OptionScope scope,
     std::string_view defaultText,
     std::string_view placeholder,
     std::vector<std::string_view> choices,
     OptionBinding binding,
     std::string_view help)
{
    Option option;
    option.name = name;
    option.key = key;
    option.kind = kind;
    option.scope = scope;
    option.defaultText = defaultText;
    option.placeholder = placeholder;
    option.choices = std::move(choices);
    option.engines = "ns3";
    option.help = help;
    option.binding = binding;
    return option;
}

std::vector<std::string_view>
ModeNames()
{
    std::vector<std::string_view> names;
    for (const auto& mode : GetTuningModes())
    {
        names.push_back(mode.name);
    }
    return names;
}

void
AddPath(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    t.push_back(Whole("bandwidth",
                      "bandwidth_bps",
                      scope,
                      RATE,
                      "100Mbps",
                      {KILO, TERA},
                      BindMember<&PathSpec::bandwidth>(),
                      "B, bandwidth of the bottleneck"));
    t.push_back(Whole("delay",
                      "delay_s",
                      scope,
                      TIME,
                      "10ms",
                      {0, 10 * SECOND},
                      BindMember<&PathSpec::delay>(),
                      "tau, delay of the bottleneck, one way"));
    t.push_back(Whole("queue",
                      "queue_packets",
                      scope,
                      PACKETS,
                      "100p",
                      {1, 1'000'000},
                      BindMember<&PathSpec::queue>(),
                      "DropTail buffer: packets waiting, without the one in service"));
    t.push_back(Whole("packet-size",
                      "packet_size_bytes",
                      scope,
                      BYTES,
                      "1500B",
                      {41, 65535},
                      BindMember<&PathSpec::packetSize>(),
                      "IP packet of a full segment"));
    t.push_back(Whole("access-bandwidth",
                      "access_bandwidth_bps",
                      scope,
                      RATE,
                      "max(10Gbps, 10 x bandwidth)",
                      {KILO, 10 * TERA},
                      BindMember<&PathSpec::accessBandwidth>(),
                      "bandwidth of the access links"));
    t.push_back(Whole("access-delay",
                      "access_delay_s",
                      scope,
                      TIME,
                      "10us",
                      {0, 10 * SECOND},
                      BindMember<&PathSpec::accessDelay>(),
                      "delay of each access link, one way"));
    t.push_back(Real("random-loss",
                     "random_loss",
                     scope,
                     "0",
                     {0, 1, false, true},
                     BindMember<&PathSpec::randomLoss>(),
                     "independent loss of data packets behind the bottleneck"));
}

void
AddTcp(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::TCP;
    t.push_back(Whole("initial-window",
                      "initial_window_segments",
                      scope,
                      SEGMENTS,
                      "2",
                      {1, 1000},
                      BindMember<&TcpSpec::initialWindow>(),
                      "initial congestion window"));
    t.push_back(Whole("min-rto",
                      "min_rto_s",
                      scope,
                      TIME,
                      "200ms",
                      {MILLISECOND, 60 * SECOND},
                      BindMember<&TcpSpec::minRto>(),
                      "least retransmission timeout"));
    t.push_back(Whole("delayed-ack",
                      "delayed_ack_segments",
                      scope,
                      SEGMENTS,
                      "1",
                      {1, 100},
                      BindMember<&TcpSpec::delayedAck>(),
                      "segments per ACK; 1 acknowledges each"));
    t.push_back(Word(OptionKind::SWITCH,
                     "sack",
                     "sack",
                     scope,
                     "off",
                     "on|off",
                     {},
                     BindMember<&TcpSpec::sack>(),
                     "selective acknowledgments, RFC 2018"));
    t.push_back(Word(OptionKind::SWITCH,
                     "timestamps",
                     "timestamps",
                     scope,
                     "off",
                     "on|off",
                     {},
                     BindMember<&TcpSpec::timestamps>(),
                     "timestamps, RFC 7323"));
    t.push_back(Word(OptionKind::SWITCH,
                     "limited-transmit",
                     "limited_transmit",
                     scope,
                     "off",
                     "on|off",
                     {},
                     BindMember<&TcpSpec::limitedTransmit>(),
                     "limited transmit, RFC 3042"));
}

void
AddTuning(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::SESSION;
    t.push_back(Word(OptionKind::NAME,
                     "mode",
                     "mode",
                     scope,
                     "mi",
                     "MODE",
                     ModeNames(),
                     BindMember<&SessionSpec::mode>(),
                     "how the parallelism is tuned"));
    t.push_back(Whole("parallelism",
                      "parallelism",
                      scope,
                      COUNT,
                      "1",
                      {1, MOST_CONNECTIONS},
                      BindMember<&SessionSpec::parallelism>(),
                      "N of --mode=fixed"));
    t.push_back(Whole("initial-parallelism",
                      "initial_parallelism",
                      scope,
                      COUNT,
                      "1",
                      {1, MOST_CONNECTIONS},
                      BindMember<&SessionSpec::initialParallelism>(),
                      "N0, connections of the first chunk (mi, mi-plus, aimd)"));
    t.push_back(Whole("max-parallelism",
                      "max_parallelism",
                      scope,
                      COUNT,
                      "1024",
                      {1, MOST_CONNECTIONS},
                      BindMember<&SessionSpec::maxParallelism>(),
                      "N is never raised above this (mi, mi-plus, aimd)"));
    t.push_back(Real("eta",
                     "eta",
                     scope,
                     "0.8",
                     {0, 1, true, false},
                     BindMember<&SessionSpec::eta>(),
                     "N grows while G > eta N W / R (mi, mi-plus, aimd)"));
    t.push_back(Real("gamma",
                     "gamma",
                     scope,
                     "2",
                     {1, 1024, true, false},
                     BindMember<&SessionSpec::gamma>(),
                     "factor of increase (mi, mi-plus)"));
    t.push_back(Real("alpha",
                     "alpha",
                     scope,
                     "1",
                     {1, 1024, false, false},
                     BindMember<&SessionSpec::alpha>(),
                     "connections added (aimd)"));
    t.push_back(Real("beta",
                     "beta",
                     scope,
                     "0.5",
                     {0, 1, true, true},
                     BindMember<&SessionSpec::beta>(),
                     "share of the connections taken off (aimd)"));
    t.push_back(Whole("rtt-samples",
                      "rtt_samples",
                      scope,
                      COUNT,
                      "10",
                      {1, 10000},
                      BindMember<&SessionSpec::rttSamples>(),
                      "M, command response times averaged into R"));
}

void
AddTransfer(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::SESSION;
    t.push_back(Whole("file-size",
                      "file_size_bytes",
                      scope,
                      BYTES,
                      "10GB",
                      {1, PETA},
                      BindMember<&SessionSpec::fileSize>(),
                      "size of the file"));
    t.push_back(Whole("chunk-size",
                      "chunk_size_bytes",
                      scope,
                      BYTES,
                      "100MB",
                      {1, PETA},
                      BindMember<&SessionSpec::chunkSize>(),
                      "X, size of a chunk"));
    t.push_back(Whole("block-size",
                      "block_size_bytes",
                      scope,
                      BYTES,
                      "1MiB",
                      {1, PETA},
                      BindMember<&SessionSpec::blockSize>(),
                      "payload of a MODE E block"));
    t.push_back(Whole("window",
                      "window_bytes",
                      scope,
                      BYTES,
                      "64KiB",
                      {1, GIBI},
                      BindMember<&SessionSpec::window>(),
                      "W, socket buffer of each data connection, at least one segment"));
    t.push_back(Word(OptionKind::NAME,
                     "tcp",
                     "tcp",
                     scope,
                     "reno",
                     "reno|newreno|ns3::TypeId",
                     {},
                     BindMember<&SessionSpec::tcp>(),
                     "TCP of the data connections: reno, newreno, or a TypeId of ns-3"));
    t.push_back(Word(OptionKind::CHOICE,
                     "direction",
                     "direction",
                     scope,
                     "upload",
                     "upload|download",
                     {"upload", "download"},
                     BindMember<&SessionSpec::direction>(),
                     "which way the file goes"));
    t.push_back(Word(OptionKind::CHOICE,
                     "data-channels",
                     "data_channels",
                     scope,
                     "fresh",
                     "fresh|cached",
                     {"fresh", "cached"},
                     BindMember<&SessionSpec::dataChannels>(),
                     "data connections opened anew for each chunk, or kept"));
    t.push_back(Word(OptionKind::CHOICE,
                     "layout",
                     "layout",
                     scope,
                     "dynamic",
                     "dynamic|static",
                     {"dynamic", "static"},
                     BindMember<&SessionSpec::layout>(),
                     "blocks go to whichever connection has room, or in equal parts"));
    t.push_back(Whole("start-jitter",
                      "start_jitter_s",
                      scope,
                      TIME,
                      "0ms",
                      {0, 1000 * SECOND},
                      BindMember<&SessionSpec::startJitter>(),
                      "each fresh data connection starts uniformly this much late"));
}

void
AddMeasure(std::vector<Option>& t)
{
    const auto scope = OptionScope::MEASURE;
    t.push_back(Word(OptionKind::CHOICE,
                     "engine",
                     "engine",
                     scope,
                     "ns3",
                     "segment|ns3",
                     {"segment", "ns3"},
                     BindMember<&RunSpec::engine>(),
                     "what moves the data: TCP by the segment, or ns-3's TCP/IP stack"));
    t.push_back(Word(OptionKind::CHOICE,
                     "links",
                     "links",
                     scope,
                     "lean",
                     "lean|ns3",
                     {"lean", "ns3"},
                     BindMember<&RunSpec::links>(),
                     "devices: our own with one event per hop, or ns-3's point-to-point"));
    t.push_back(Whole("seed",
                      "seed",
                      scope,
                      Dimension::COUNT,
                      "1",
                      {1, LARGEST_SEED},
                      BindMember<&RunSpec::seed>(),
                      "seed of the random draws, as ns-3's RngSeed"));
    t.push_back(Whole("run",
                      "run",
                      scope,
                      Dimension::COUNT,
                      "1",
                      {0, std::numeric_limits<int64_t>::max()},
                      BindMember<&RunSpec::run>(),
                      "number of the replication, as ns-3's RngRun"));
    t.push_back(Word(OptionKind::LIST,
                     "set",
                     "set",
                     scope,
                     "",
                     "ns3::Type::Attribute=VALUE",
                     {},
                     BindMember<&RunSpec::attributes>(),
                     "default of any ns-3 attribute; may be repeated"));
}

void
AddOutput(std::vector<Option>& t)
{
    const auto scope = OptionScope::OUTPUT;
    t.push_back(Word(OptionKind::FLAG,
                     "json",
                     "json",
                     scope,
                     "",
                     "",
                     {},
                     BindMember<&OutputSpec::json>(),
                     "print the result as one JSON object"));
    t.push_back(Word(OptionKind::FLAG,
                     "describe",
                     "describe",
                     scope,
                     "",
                     "",
                     {},
                     BindMember<&OutputSpec::describe>(),
                     "print this table as JSON and stop"));
    t.push_back(Word(OptionKind::FLAG,
                     "resolve",
                     "resolve",
                     scope,
                     "",
                     "",
                     {},
                     BindMember<&OutputSpec::resolve>(),
                     "print the scenario in SI numbers and stop"));
    t.push_back(Word(OptionKind::FLAG,
                     "help",
                     "help",
                     scope,
                     "",
                     "",
                     {},
                     BindMember<&OutputSpec::help>(),
                     "print this help and stop"));
    t.push_back(Word(OptionKind::CHOICE,
                     "progress",
                     "progress",
                     scope,
                     "auto",
                     "auto|json|off",
                     {"auto", "json", "off"},
                     BindMember<&OutputSpec::progress>(),
                     "progress on standard error; auto: on a terminal only"));
    t.push_back(Word(OptionKind::NAME,
                     "trace",
                     "trace",
                     scope,
                     "",
                     "DIR",
                     {},
                     BindMember<&OutputSpec::trace>(),
                     "write cwnd.csv, queue.csv, drops.csv"));
    t.push_back(Word(OptionKind::NAME,
                     "pcap",
                     "pcap",
                     scope,
                     "",
                     "PREFIX",
                     {},
                     BindMember<&OutputSpec::pcap>(),
                     "capture the packets of both hosts; turns checksums on"));
}

void*
TargetOf(void* request, OptionScope scope)
{
    auto* transfer = static_cast<TransferRequest*>(request);
    switch (scope)
    {
    case OptionScope::PATH:
        return &transfer->scenario.path;
    case OptionScope::TCP:
        return &transfer->scenario.tcp;
    case OptionScope::SESSION:
        return &transfer->scenario.sessions.front();
    case OptionScope::MEASURE:
        return &transfer->scenario.measure;
    case OptionScope::OUTPUT:
        break;
    }
    return &transfer->output;
}

/** A number that only one mode reads, given with another mode, is a mistake worth telling. */
Done
CheckModeOptions(std::span<const std::string_view> arguments, std::string_view mode)
{
    for (const auto argument : arguments)
    {
        if (mode != "fixed" && argument.starts_with("--parallelism="))
        {
            return Error{std::string(argument) + " is only used with --mode=fixed, not --mode=" +
                         std::string(mode) + "; allowed here: --initial-parallelism=N"};
        }
    }
    return std::monostate{};
}

} // namespace

std::span<const Option>
GetOptionTable()
{
    static const std::vector<Option> table = [] {
        std::vector<Option> rows;
        AddPath(rows);
        AddTcp(rows);
        AddTuning(rows);
        AddTransfer(rows);
        AddMeasure(rows);
        AddOutput(rows);
        return rows;
    }();
    return table;
}

const Option&
GetOption(std::string_view name)
{
    return *FindOption(GetOptionTable(), name);
}

int64_t
GetDefaultWhole(std::string_view name)
{
    const Option& option = GetOption(name);
    return *std::get_if<int64_t>(&*option.Parse(option.defaultText));
}

double
GetDefaultReal(std::string_view name)
{
    const Option& option = GetOption(name);
    return *std::get_if<double>(&*option.Parse(option.defaultText));
}

std::string
GetDefaultText(std::string_view name)
{
    return std::string(GetOption(name).defaultText);
}

Expected<TransferRequest>
ParseTransfer(std::span<const std::string_view> arguments)
{
    TransferRequest request;
    request.scenario.sessions.emplace_back();
    ApplyDefaults(GetOptionTable(), &request, &TargetOf);
    if (auto done = ParseArguments(GetOptionTable(), arguments, &request, &TargetOf); !done)
    {
        return done.GetError();
    }
    if (auto done = CheckModeOptions(arguments, request.scenario.sessions.front().mode); !done)
    {
        return done.GetError();
    }
    auto resolved = ResolveScenario(std::move(request.scenario));
    if (!resolved)
    {
        return resolved.GetError();
    }
    request.scenario = std::move(*resolved);
    return request;
}

} // namespace ns3::gridftp
