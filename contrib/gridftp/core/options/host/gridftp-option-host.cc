/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-host.h"

#include "gridftp-host-file.h"
#include "gridftp-option-row.h"
#include "gridftp-scenario.h"

#include <array>
#include <deque>
#include <string>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t MOST_RATE = 1'000'000'000'000'000;
constexpr int64_t MOST_TIME = 1'000'000'000'000;
constexpr int64_t MOST_COUNT = 1'000'000;
constexpr int64_t MOST_CORES = 256;
constexpr int64_t MOST_BUFFER = (int64_t{1} << 31) - 1;
constexpr int64_t MOST_BACKLOG = MOST_BUFFER; // what Linux takes, an int

/** The one list, in the order of --help. */
constexpr std::array PARAMETERS{
    HostParameter{"cores",
                  "cores",
                  "1",
                  "cores of its CPU",
                  Dimension::COUNT,
                  1,
                  MOST_CORES,
                  &HostSpec::cores},
    HostParameter{"queues",
                  "queues",
                  "1",
                  "queues of its network interface, each served by one core",
                  Dimension::COUNT,
                  1,
                  MOST_CORES,
                  &HostSpec::queues},
    HostParameter{"nic",
                  "nic_bps",
                  "0Mbps",
                  "rate of its network interface; 0Mbps: that of its access link",
                  Dimension::RATE,
                  0,
                  MOST_RATE / 100,
                  &HostSpec::nic},
    HostParameter{"backlog",
                  "backlog_packets",
                  "0p",
                  "packets from the network that may wait for a core; 0p: any number",
                  Dimension::PACKETS,
                  0,
                  MOST_BACKLOG,
                  &HostSpec::backlog},
    HostParameter{"interrupt-delay",
                  "interrupt_delay_s",
                  "0ms",
                  "longest wait of a packet before an interrupt",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::interruptDelay},
    HostParameter{"interrupt-after",
                  "interrupt_after_packets",
                  "0p",
                  "packets that cause an interrupt at once; 0p: only after the delay",
                  Dimension::PACKETS,
                  0,
                  MOST_COUNT,
                  &HostSpec::interruptAfter},
    HostParameter{"interrupt-cpu",
                  "interrupt_cpu_s",
                  "0ms",
                  "driver: CPU time of each interrupt",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::interruptCpu},
    HostParameter{"packet-cpu",
                  "packet_cpu_s",
                  "0ms",
                  "driver: CPU time of each packet, in or out",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::packetCpu},
    HostParameter{"segment-cpu",
                  "segment_cpu_s",
                  "0ms",
                  "TCP: CPU time of each packet with data, in or out",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::segmentCpu},
    HostParameter{"ack-cpu",
                  "ack_cpu_s",
                  "0ms",
                  "TCP: CPU time of each packet without data, in or out",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::ackCpu},
    HostParameter{"stream-cpu",
                  "stream_cpu_s",
                  "0ms",
                  "TCP: CPU time of a packet of another connection than the last",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::streamCpu},
    HostParameter{"connection-cpu",
                  "connection_cpu_s",
                  "0ms",
                  "TCP: CPU time of setting up a connection",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::connectionCpu},
    HostParameter{"copy-rate",
                  "copy_rate_bps",
                  "0Mbps",
                  "TCP: rate at which a core copies data, in or out; 0Mbps: no limit",
                  Dimension::RATE,
                  0,
                  MOST_RATE,
                  &HostSpec::copyRate},
    HostParameter{"call-cpu",
                  "call_cpu_s",
                  "0ms",
                  "application: CPU time of each system call that moves data",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::callCpu},
    HostParameter{"call-size",
                  "call_size_bytes",
                  "0B",
                  "application: bytes per system call; 0B: a block",
                  Dimension::BYTES,
                  0,
                  MOST_BUFFER,
                  &HostSpec::callSize},
    HostParameter{"file-cpu",
                  "file_cpu_s",
                  "0ms",
                  "file system: CPU time of each block, unless the storage is memory",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::fileCpu},
    HostParameter{"file-rate",
                  "file_rate_bps",
                  "0Mbps",
                  "file system: rate at which a core moves bytes; 0Mbps: no limit",
                  Dimension::RATE,
                  0,
                  MOST_RATE,
                  &HostSpec::fileRate},
    HostParameter{"rpc-cpu",
                  "rpc_cpu_s",
                  "0ms",
                  "RPC: CPU time of each call of a network file system",
                  Dimension::TIME,
                  0,
                  MOST_TIME,
                  &HostSpec::rpcCpu},
    HostParameter{"rmem-max",
                  "rmem_max_bytes",
                  "0B",
                  "net.core.rmem_max, limit of a fixed window; 0B: no limit",
                  Dimension::BYTES,
                  0,
                  MOST_BUFFER,
                  &HostSpec::rmemMax,
                  HostEnds::RECEIVER},
    HostParameter{"tcp-rmem-default",
                  "tcp_rmem_default_bytes",
                  "0B",
                  "tcp_rmem, second value: initial dynamic window; 0B: --window",
                  Dimension::BYTES,
                  0,
                  MOST_BUFFER,
                  &HostSpec::tcpRmemDefault,
                  HostEnds::RECEIVER},
    HostParameter{"tcp-rmem-max",
                  "tcp_rmem_max_bytes",
                  "0B",
                  "tcp_rmem, third value: largest dynamic window; 0B: --max-buffer",
                  Dimension::BYTES,
                  0,
                  MOST_BUFFER,
                  &HostSpec::tcpRmemMax,
                  HostEnds::RECEIVER},
    HostParameter{"adv-win-scale",
                  "adv_win_scale",
                  "1",
                  "tcp_adv_win_scale: 1/2^this of a buffer is not part of the window",
                  Dimension::COUNT,
                  LEAST_WIN_SCALE,
                  MOST_WIN_SCALE,
                  &HostSpec::advWinScale,
                  HostEnds::RECEIVER},
    HostParameter{"wmem-max",
                  "wmem_max_bytes",
                  "0B",
                  "net.core.wmem_max, limit of a fixed send buffer; 0B: no limit",
                  Dimension::BYTES,
                  0,
                  MOST_BUFFER,
                  &HostSpec::wmemMax,
                  HostEnds::SENDER},
    HostParameter{"tcp-wmem-max",
                  "tcp_wmem_max_bytes",
                  "0B",
                  "tcp_wmem, third value: limit of dynamic send buffers; 0B: no limit",
                  Dimension::BYTES,
                  0,
                  MOST_BUFFER,
                  &HostSpec::tcpWmemMax,
                  HostEnds::SENDER}};

/** A host of a session. */
struct HostEnd
{
    std::string_view name;         //!< before its parameters
    HostEnds ends;                 //!< what else it has
    HostSpec BufferSpec::* member; //!< where it is
};

/** Both of them. */
constexpr std::array ENDS{HostEnd{"sender", HostEnds::SENDER, &BufferSpec::sender},
                          HostEnd{"receiver", HostEnds::RECEIVER, &BufferSpec::receiver}};

/** Texts that rows keep views of. @param text one of them @return it, for good */
std::string_view
Keep(std::string text)
{
    static std::deque<std::string> kept;
    return kept.emplace_back(std::move(text));
}

/** The row of a parameter at an end. */
Option
ParameterRow(const HostEnd& end, const HostParameter& parameter)
{
    const auto place = end.member;
    const auto member = parameter.member;
    const OptionBinding binding{
        .set =
            [place, member](void* spec, const OptionValue& value) {
                static_cast<SessionSpec*>(spec)->buffers.*place.*member =
                    *std::get_if<int64_t>(&value);
            },
        .get =
            [place, member](const void* spec) {
                return OptionValue(static_cast<const SessionSpec*>(spec)->buffers.*place.*member);
            }};
    const std::string name(end.name);
    return WholeRow(Keep(name + "-" + std::string(parameter.name)),
                    Keep(name + "_" + std::string(parameter.key)),
                    OptionScope::SESSION,
                    parameter.dimension,
                    parameter.defaultText,
                    {parameter.minimum, parameter.maximum},
                    binding,
                    Keep(name + ": " + std::string(parameter.help)));
}

/** The row of the file of a host. */
Option
FileRow(const HostEnd& end)
{
    const bool isSender = end.ends == HostEnds::SENDER;
    const std::string name(end.name);
    Option row = WordRow(
        OptionKind::NAME,
        GetHostFileOption(isSender),
        Keep(name + "_host"),
        OptionScope::SESSION,
        NO_HOST_FILE,
        "none|FILE",
        {NO_HOST_FILE},
        isSender ? BindMember<&SessionSpec::senderHost>()
                 : BindMember<&SessionSpec::receiverHost>(),
        Keep(name + ": file of settings: sysctl.conf, sysctl -a, TuneD, script, host.NAME"));
    row.mayBeFile = true;
    return row;
}

} // namespace

std::span<const HostParameter>
GetHostParameters()
{
    return PARAMETERS;
}

void
AddHostRows(std::vector<Option>& rows)
{
    for (const auto& end : ENDS)
    {
        rows.push_back(FileRow(end));
        for (const auto& parameter : PARAMETERS)
        {
            if (parameter.ends == HostEnds::BOTH || parameter.ends == end.ends)
            {
                rows.push_back(ParameterRow(end, parameter));
            }
        }
    }
}

} // namespace ns3::gridftp
