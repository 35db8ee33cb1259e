/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-session.h"

#include "gridftp-arrivals.h"
#include "gridftp-buffer-policy.h"
#include "gridftp-congestion-control.h"
#include "gridftp-file-sizes.h"
#include "gridftp-option-effect.h"
#include "gridftp-option-host.h"
#include "gridftp-option-pipelining.h"
#include "gridftp-option-processing.h"
#include "gridftp-option-reliability.h"
#include "gridftp-option-row.h"
#include "gridftp-option-security.h"
#include "gridftp-option-storage.h"
#include "gridftp-option-tcp.h"
#include "gridftp-option-tools.h"
#include "gridftp-option-tuning.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-text.h"

#include <string>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND = 1'000'000'000;
constexpr int64_t PETA = 1'000'000'000'000'000;
constexpr int64_t GIBI = 1LL << 30;

/** Reserved for the rows of a session, more than there are: a vector that grows moves its rows. */
constexpr size_t ROOM_FOR_ROWS = 256;

/** @return what --tcp may be; rows keep views of it */
std::string_view
GetTcpPlaceholder()
{
    static const std::string placeholder =
        Join(NamesOf(GetCongestionControls()), "|") + "|ns3::TypeId";
    return placeholder;
}

void
AddTransfer(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::SESSION;
    t.push_back(WholeRow("file-size",
                         "file_size_bytes",
                         scope,
                         BYTES,
                         "10GB",
                         {1, PETA},
                         BindMember<&SessionSpec::fileSize>(),
                         "size of the file"));
    t.push_back(WholeRow("chunk-size",
                         "chunk_size_bytes",
                         scope,
                         BYTES,
                         "100MB",
                         {1, PETA},
                         BindMember<&SessionSpec::chunkSize>(),
                         "X, size of a chunk"));
    t.push_back(WholeRow("block-size",
                         "block_size_bytes",
                         scope,
                         BYTES,
                         "1MiB",
                         {1, PETA},
                         BindMember<&SessionSpec::blockSize>(),
                         "payload of a MODE E block"));
    t.push_back(WordRow(OptionKind::NAME,
                        "tcp",
                        "tcp",
                        scope,
                        "reno",
                        GetTcpPlaceholder(),
                        {},
                        BindMember<&SessionSpec::tcp>(),
                        "TCP of the data connections: a name, or a TypeId of ns-3"));
    t.back().segmentChoices = NamesOf(GetCongestionControls());
    t.push_back(WordRow(OptionKind::CHOICE,
                        "direction",
                        "direction",
                        scope,
                        "upload",
                        "upload|download|third-party",
                        {"upload", "download", "third-party"},
                        BindMember<&SessionSpec::direction>(),
                        "direction of the file: to the server, from it, or between two servers"));
    t.push_back(WholeRow("client-delay",
                         "client_delay_s",
                         scope,
                         TIME,
                         "that of the access links",
                         {0, 10 * SECOND},
                         BindMember<&SessionSpec::clientDelay>(),
                         "third-party: delay of the client's own access link, one way"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "data-channels",
                        "data_channels",
                        scope,
                        "fresh",
                        "fresh|cached",
                        {"fresh", "cached"},
                        BindMember<&SessionSpec::dataChannels>(),
                        "new data connections for each chunk, or cached ones"));
    AddPipeliningRow(t);
    t.push_back(WordRow(OptionKind::CHOICE,
                        "layout",
                        "layout",
                        scope,
                        "dynamic",
                        "dynamic|static",
                        {"dynamic", "static"},
                        BindMember<&SessionSpec::layout>(),
                        "blocks go to any connection with free buffer space, or in equal parts"));
    t.push_back(WholeRow("start-jitter",
                         "start_jitter_s",
                         scope,
                         TIME,
                         "0ms",
                         {0, 1000 * SECOND},
                         BindMember<&SessionSpec::startJitter>(),
                         "random delay before each new data connection, uniform from 0 to this"));
    t.push_back(WholeRow("start",
                         "start_s",
                         scope,
                         TIME,
                         "0s",
                         {0, 1'000'000 * SECOND},
                         BindMember<&SessionSpec::start>(),
                         "time when the client connects"));
    t.push_back(
        WordRow(OptionKind::CHOICE,
                "server-host",
                "server_host",
                scope,
                "own",
                "own|shared",
                {"own", "shared"},
                BindMember<&SessionSpec::server>(),
                "a host of its own, or (download) the first session's, with storage and CPU"));
    t.push_back(WholeRow("server-memory",
                         "server_memory_bytes",
                         scope,
                         Dimension::BYTES,
                         "0B",
                         {0, PETA},
                         BindMember<&SessionSpec::serverMemory>(),
                         "memory that the server allocates while this client is connected"));
}

void
AddStripes(std::vector<Option>& t)
{
    const auto scope = OptionScope::SESSION;
    t.push_back(WordRow(OptionKind::NAME,
                        "stripes",
                        "stripes",
                        scope,
                        "1x1",
                        "MxN",
                        {},
                        BindMember<&SessionSpec::stripesText>(),
                        "hosts that send the data, and hosts that receive it, 1 to 64 each"));
    t.push_back(
        WordRow(OptionKind::CHOICE,
                "stripe-layout",
                "stripe_layout",
                scope,
                "blocked",
                "blocked|partitioned",
                {"blocked", "partitioned"},
                BindMember<&SessionSpec::stripeLayout>(),
                "blocks go to the stripes in rotation, or each stripe gets a part of a chunk"));
    t.push_back(WholeRow("stripe-block",
                         "stripe_block_bytes",
                         scope,
                         Dimension::BYTES,
                         "1MiB",
                         {1, PETA},
                         BindMember<&SessionSpec::stripeBlock>(),
                         "stripe-layout blocked: size of its blocks"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "stripe-tuning",
                        "stripe_tuning",
                        scope,
                        "whole",
                        "whole|each",
                        {"whole", "each"},
                        BindMember<&SessionSpec::stripeTuning>(),
                        "one tuner for all pairs of stripes, or one for each"));
}

void
AddBuffers(std::vector<Option>& t)
{
    using enum Dimension;
    using S = SessionSpec;
    const auto scope = OptionScope::SESSION;
    t.push_back(
        WholeRow("window",
                 "window_bytes",
                 scope,
                 BYTES,
                 "64KiB",
                 {1, GIBI},
                 BindMember<&S::buffers, &BufferSpec::window>(),
                 "W, receive buffer of each data connection, at first; at least one segment"));
    t.push_back(WordRow(OptionKind::NAME,
                        "buffers",
                        "buffers",
                        scope,
                        GetBufferPolicies().front().name,
                        "POLICY",
                        NamesOf(GetBufferPolicies()),
                        BindMember<&S::buffers, &BufferSpec::policy>(),
                        "how socket buffers of data connections are sized"));
    t.push_back(WholeRow("max-buffer",
                         "max_buffer_bytes",
                         scope,
                         BYTES,
                         "16MiB",
                         {1, GIBI},
                         BindMember<&S::buffers, &BufferSpec::most>(),
                         "largest receive buffer to which --buffers grows"));
    t.push_back(
        WholeRow("send-buffer",
                 "send_buffer_bytes",
                 scope,
                 BYTES,
                 "0B",
                 {0, 2 * GIBI},
                 BindMember<&S::buffers, &BufferSpec::sendBuffer>(),
                 "send buffer of each data connection; 0B: twice the window, drs by SBUF: once"));
    t.push_back(
        WholeRow("buffer-interval",
                 "buffer_interval_s",
                 scope,
                 TIME,
                 "1s",
                 {SECOND / 1000, 1000 * SECOND},
                 BindMember<&S::buffers, &BufferSpec::interval>(),
                 "drs-ftp, drs-gridftp: interval over which the receiver measures its rate"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "buffer-peer",
                        "buffer_peer",
                        scope,
                        "drs",
                        "drs|stock",
                        {"drs", "stock"},
                        BindMember<&S::buffers, &BufferSpec::peer>(),
                        "drs-ftp: whether the sender accepts SBUF while data flow"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "buffer-rtt",
                        "buffer_rtt",
                        scope,
                        "last",
                        "last|least",
                        {"last", "least"},
                        BindMember<&S::buffers, &BufferSpec::rtt>(),
                        "drs-ftp, drs-gridftp: round-trip time that the receiver uses"));
    t.push_back(
        WholeRow("send-pool",
                 "send_pool_bytes",
                 scope,
                 BYTES,
                 "0B",
                 {0, PETA},
                 BindMember<&S::buffers, &BufferSpec::sendPool>(),
                 "memory that the send buffers of a host share, each 2 to 4 cwnd; 0B: none"));
    t.push_back(WholeRow("read-rate",
                         "read_rate_bps",
                         scope,
                         RATE,
                         "0Mbps",
                         {0, PETA},
                         BindMember<&S::buffers, &BufferSpec::readRate>(),
                         "rate at which the application reads each data connection; 0Mbps: no "
                         "limit"));
    t.push_back(WholeRow("write-rate",
                         "write_rate_bps",
                         scope,
                         RATE,
                         "0Mbps",
                         {0, PETA},
                         BindMember<&S::buffers, &BufferSpec::writeRate>(),
                         "rate at which the application writes each data connection; 0Mbps: no "
                         "limit"));
}

/** The delay of a session's or background connection's own path. */
Option
DelayRow(OptionBinding binding)
{
    return WholeRow("delay",
                    "delay_s",
                    OptionScope::SESSION,
                    Dimension::TIME,
                    "that of the path",
                    {0, 10 * SECOND},
                    binding,
                    "one-way delay, at least --delay; the excess is on its access link");
}

/** A row of a session with another binding and default. */
Option
Rebound(std::string_view name,
        OptionBinding binding,
        std::string_view defaultText,
        std::string_view help)
{
    Option option = *FindOption(GetFlatSessionRows(), name);
    option.binding = binding;
    option.defaultText = defaultText;
    option.help = help;
    return option;
}

} // namespace

std::span<const Option>
GetFlatSessionRows()
{
    static const auto& rows = KeepRows([] {
        std::vector<Option> made;
        made.reserve(ROOM_FOR_ROWS);
        AddToolRows(made);
        AddTuningRows(made);
        AddTransfer(made);
        AddFileRows(made);
        AddStripes(made);
        AddBuffers(made);
        AddStorageRows(made);
        AddProcessingRows(made);
        AddHostRows(made);
        AddReliabilityRows(made);
        AddSecurityRows(made);
        AddNeeds(made);
        AddStackVariants(made);
        return made;
    }());
    return rows;
}

std::span<const Option>
GetSessionRows()
{
    static const auto& rows = KeepRows([] {
        const auto flat = GetFlatSessionRows();
        std::vector<Option> made(flat.begin(), flat.end());
        made.push_back(DelayRow(BindMember<&SessionSpec::delay>()));
        made.push_back(MakeFilesOfRow());
        made.push_back(WholeRow("access-bandwidth",
                                "access_bandwidth_bps",
                                OptionScope::SESSION,
                                Dimension::RATE,
                                "that of the path",
                                {1000, PETA / 100},
                                BindMember<&SessionSpec::accessBandwidth>(),
                                "bandwidth of its client's access link"));
        AddTcpKeys<&SessionSpec::hostTcp>(made);
        return made;
    }());
    return rows;
}

std::span<const Option>
GetArrivalRows()
{
    static const auto& rows = KeepRows([] {
        constexpr auto SCOPE = OptionScope::TRAFFIC;
        const auto session = GetSessionRows();
        std::vector<Option> made(session.begin(), session.end());
        made.push_back(WholeRow("count",
                                "count",
                                SCOPE,
                                Dimension::COUNT,
                                "10",
                                {1, MOST_PAIRS},
                                BindMember<&Arrivals::count>(),
                                "number of sessions that arrive"));
        made.push_back(WholeRow("interval",
                                "interval_s",
                                SCOPE,
                                Dimension::TIME,
                                "10s",
                                {0, 1000 * SECOND},
                                BindMember<&Arrivals::interval>(),
                                "mean time between arrivals"));
        made.push_back(WordRow(OptionKind::CHOICE,
                               "process",
                               "process",
                               SCOPE,
                               "poisson",
                               "poisson|fixed",
                               {"poisson", "fixed"},
                               BindMember<&Arrivals::process>(),
                               "exponential (poisson) or constant (fixed) intervals"));
        return made;
    }());
    return rows;
}

std::span<const Option>
GetBackgroundRows()
{
    static const auto& rows = KeepRows([] {
        std::vector<Option> made{
            RealRow("load",
                    "load",
                    OptionScope::SESSION,
                    "0",
                    {0, 1, false, false},
                    BindMember<&BackgroundSpec::load>(),
                    "datagrams instead of TCP, with this share of the bottleneck; 0: TCP"),
            Rebound("tcp",
                    BindMember<&BackgroundSpec::tcp>(),
                    "that of the first session",
                    "its TCP: a name, or a TypeId of ns-3"),
            WordRow(OptionKind::CHOICE,
                    "direction",
                    "direction",
                    OptionScope::SESSION,
                    "that of the first session",
                    "upload|download",
                    {"upload", "download"},
                    BindMember<&BackgroundSpec::direction>(),
                    "direction of its data: to the server's side of the bottleneck, or from it"),
            DelayRow(BindMember<&BackgroundSpec::delay>()),
            Rebound("window",
                    BindMember<&BackgroundSpec::buffers, &BufferSpec::window>(),
                    "that of the first session",
                    "its receive buffer, at first; at least one segment"),
            Rebound("buffers",
                    BindMember<&BackgroundSpec::buffers, &BufferSpec::policy>(),
                    "that of the first session",
                    "how its socket buffers are sized"),
            Rebound("max-buffer",
                    BindMember<&BackgroundSpec::buffers, &BufferSpec::most>(),
                    "that of the first session",
                    "largest receive buffer to which buffers grows"),
            Rebound("start", BindMember<&BackgroundSpec::start>(), "0s", "when it connects"),
            WholeRow("stop",
                     "stop_s",
                     OptionScope::SESSION,
                     Dimension::TIME,
                     "0s",
                     {0, 1'000'000 * SECOND},
                     BindMember<&BackgroundSpec::stop>(),
                     "when it ends; 0s: with the last session")};
        AddTcpKeys<&BackgroundSpec::hostTcp>(made);
        return made;
    }());
    return rows;
}

} // namespace ns3::gridftp
