/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-file.h"

#include "gridftp-option-host.h"
#include "gridftp-option-row.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** Where a number of a key of Linux goes. */
struct SysctlTarget
{
    int64_t HostSpec::* member{}; //!< null: nowhere
};

/** A key of Linux that changes something. */
struct SysctlKey
{
    std::string_view name;             //!< of the key
    std::vector<SysctlTarget> numbers; //!< that it has
    int64_t least{0};                  //!< each is at least that
};

/** What the model has a part for (Linux, Documentation/networking/ip-sysctl.rst, and
 * Documentation/admin-guide/sysctl/net.rst). */
const std::vector<SysctlKey>&
GetModelledKeys()
{
    static const std::vector<SysctlKey> keys{
        {"net.core.rmem_max", {{&HostSpec::rmemMax}}, 1},
        {"net.core.wmem_max", {{&HostSpec::wmemMax}}, 1},
        {"net.ipv4.tcp_rmem", {{}, {&HostSpec::tcpRmemDefault}, {&HostSpec::tcpRmemMax}}, 1},
        {"net.ipv4.tcp_wmem", {{}, {}, {&HostSpec::tcpWmemMax}}, 1},
        {"net.ipv4.tcp_adv_win_scale", {{&HostSpec::advWinScale}}, 1},
        {"net.core.netdev_max_backlog", {{&HostSpec::backlog}}, 1}};
    return keys;
}

/** Keys of the network that Linux has, and the model no part for. */
constexpr std::array WITHOUT_EFFECT{std::string_view("net.core.default_qdisc"),
                                    std::string_view("net.core.rmem_default"),
                                    std::string_view("net.core.wmem_default"),
                                    std::string_view("net.core.optmem_max"),
                                    std::string_view("net.core.somaxconn"),
                                    std::string_view("net.core.dev_weight"),
                                    std::string_view("net.core.netdev_budget"),
                                    std::string_view("net.core.netdev_budget_usecs"),
                                    std::string_view("net.core.netdev_tstamp_prequeue"),
                                    std::string_view("net.core.busy_poll"),
                                    std::string_view("net.core.busy_read"),
                                    std::string_view("net.core.rps_sock_flow_entries"),
                                    std::string_view("net.ipv4.ip_forward"),
                                    std::string_view("net.ipv4.ip_local_port_range"),
                                    std::string_view("net.ipv4.ip_no_pmtu_disc"),
                                    std::string_view("net.ipv4.udp_mem"),
                                    std::string_view("net.ipv4.udp_rmem_min"),
                                    std::string_view("net.ipv4.udp_wmem_min"),
                                    std::string_view("net.ipv4.tcp_mem"),
                                    std::string_view("net.ipv4.tcp_abc"),
                                    std::string_view("net.ipv4.tcp_app_win"),
                                    std::string_view("net.ipv4.tcp_autocorking"),
                                    std::string_view("net.ipv4.tcp_congestion_control"),
                                    std::string_view("net.ipv4.tcp_available_congestion_control"),
                                    std::string_view("net.ipv4.tcp_allowed_congestion_control"),
                                    std::string_view("net.ipv4.tcp_dsack"),
                                    std::string_view("net.ipv4.tcp_early_retrans"),
                                    std::string_view("net.ipv4.tcp_ecn"),
                                    std::string_view("net.ipv4.tcp_fack"),
                                    std::string_view("net.ipv4.tcp_fastopen"),
                                    std::string_view("net.ipv4.tcp_fin_timeout"),
                                    std::string_view("net.ipv4.tcp_frto"),
                                    std::string_view("net.ipv4.tcp_keepalive_intvl"),
                                    std::string_view("net.ipv4.tcp_keepalive_probes"),
                                    std::string_view("net.ipv4.tcp_keepalive_time"),
                                    std::string_view("net.ipv4.tcp_limit_output_bytes"),
                                    std::string_view("net.ipv4.tcp_low_latency"),
                                    std::string_view("net.ipv4.tcp_max_syn_backlog"),
                                    std::string_view("net.ipv4.tcp_max_tw_buckets"),
                                    std::string_view("net.ipv4.tcp_min_tso_segs"),
                                    std::string_view("net.ipv4.tcp_moderate_rcvbuf"),
                                    std::string_view("net.ipv4.tcp_mtu_probing"),
                                    std::string_view("net.ipv4.tcp_no_metrics_save"),
                                    std::string_view("net.ipv4.tcp_notsent_lowat"),
                                    std::string_view("net.ipv4.tcp_orphan_retries"),
                                    std::string_view("net.ipv4.tcp_pacing_ca_ratio"),
                                    std::string_view("net.ipv4.tcp_pacing_ss_ratio"),
                                    std::string_view("net.ipv4.tcp_recovery"),
                                    std::string_view("net.ipv4.tcp_reordering"),
                                    std::string_view("net.ipv4.tcp_retries1"),
                                    std::string_view("net.ipv4.tcp_retries2"),
                                    std::string_view("net.ipv4.tcp_rfc1337"),
                                    std::string_view("net.ipv4.tcp_sack"),
                                    std::string_view("net.ipv4.tcp_slow_start_after_idle"),
                                    std::string_view("net.ipv4.tcp_syn_retries"),
                                    std::string_view("net.ipv4.tcp_synack_retries"),
                                    std::string_view("net.ipv4.tcp_syncookies"),
                                    std::string_view("net.ipv4.tcp_thin_linear_timeouts"),
                                    std::string_view("net.ipv4.tcp_timestamps"),
                                    std::string_view("net.ipv4.tcp_tso_win_divisor"),
                                    std::string_view("net.ipv4.tcp_tw_recycle"),
                                    std::string_view("net.ipv4.tcp_tw_reuse"),
                                    std::string_view("net.ipv4.tcp_window_scaling"),
                                    std::string_view("net.ipv4.tcp_workaround_signed_windows")};

/** Beginnings of keys of other parts of a system (sysctl(8)). */
constexpr std::array ELSEWHERE{std::string_view("abi."),
                               std::string_view("crypto."),
                               std::string_view("debug."),
                               std::string_view("dev."),
                               std::string_view("fs."),
                               std::string_view("kernel."),
                               std::string_view("net.bridge."),
                               std::string_view("net.ipv4.conf."),
                               std::string_view("net.ipv4.icmp_"),
                               std::string_view("net.ipv4.igmp_"),
                               std::string_view("net.ipv4.neigh."),
                               std::string_view("net.ipv4.route."),
                               std::string_view("net.ipv6."),
                               std::string_view("net.netfilter."),
                               std::string_view("net.nf_conntrack_max"),
                               std::string_view("net.unix."),
                               std::string_view("sunrpc."),
                               std::string_view("user."),
                               std::string_view("vm.")};

constexpr std::string_view OWN = "host."; //!< before our own keys

/** A line of the file that says something. */
struct HostLine
{
    std::string key;          //!< with dots
    std::string_view value;   //!< behind the =
    bool mayBeUnknown{false}; //!< it began with -
};

/** Reads a line. @param line without spaces around it; not empty @return what it says */
Expected<HostLine>
SplitLine(std::string_view line)
{
    const size_t equals = line.find('=');
    if (equals == line.npos)
    {
        return Error{"'" + Printable(line) + "' is no line of sysctl.conf; allowed: KEY = VALUE"};
    }
    HostLine read;
    std::string_view key = Trim(line.substr(0, equals));
    read.mayBeUnknown = key.starts_with('-');
    key = read.mayBeUnknown ? Trim(key.substr(1)) : key;
    read.key = key;
    std::ranges::replace(read.key, '/', '.');
    read.value = Trim(line.substr(equals + 1));
    if (key.empty() || read.value.empty())
    {
        return Error{"'" + Printable(line) + "' lacks a " + (key.empty() ? "key" : "value") +
                     "; allowed: KEY = VALUE"};
    }
    return read;
}

/** Reads whole numbers with spaces between them. @return none where something else is there */
std::optional<std::vector<int64_t>>
ReadNumbers(std::string_view text)
{
    std::vector<int64_t> numbers;
    while (!(text = Trim(text)).empty())
    {
        const size_t end = std::min(text.find_first_of(" \t"), text.size());
        int64_t number = 0;
        const char* const last = text.data() + end;
        const auto [at, error] = std::from_chars(text.data(), last, number);
        if (error != std::errc() || at != last)
        {
            return std::nullopt;
        }
        numbers.push_back(number);
        text.remove_prefix(end);
    }
    return numbers;
}

/** Takes a key of Linux that changes something. */
Done
TakeSysctl(HostSpec& host, const SysctlKey& key, std::string_view value)
{
    constexpr int64_t MOST = std::numeric_limits<int32_t>::max();
    const auto numbers = ReadNumbers(value);
    const auto isFit = [&key](int64_t number) { return number >= key.least && number <= MOST; };
    const bool isRight = numbers && numbers->size() == key.numbers.size() &&
                         std::ranges::all_of(*numbers, isFit) && std::ranges::is_sorted(*numbers);
    if (!isRight)
    {
        const bool isOne = key.numbers.size() == 1;
        return Error{"'" + std::string(key.name) + " = " + Printable(value) + "' is " +
                     (isOne ? "no whole number there; allowed: "
                            : "not its three numbers; allowed: least, default and most, each ") +
                     std::to_string(key.least) + " to " + std::to_string(MOST)};
    }
    for (size_t i = 0; i < numbers->size(); ++i)
    {
        if (const auto member = key.numbers[i].member)
        {
            host.*member = (*numbers)[i];
        }
    }
    return std::monostate{};
}

/** The names of keys that somebody may have meant. */
std::vector<std::string_view>
ListKeys()
{
    std::vector<std::string_view> names(WITHOUT_EFFECT.begin(), WITHOUT_EFFECT.end());
    for (const auto& key : GetModelledKeys())
    {
        names.push_back(key.name);
    }
    static const std::vector<std::string> own = [] {
        std::vector<std::string> made;
        for (const auto& parameter : GetHostParameters())
        {
            made.push_back(std::string(OWN) + std::string(parameter.name));
        }
        return made;
    }();
    names.insert(names.end(), own.begin(), own.end());
    return names;
}

/** What is wrong with a key that there is not. */
Error
MakeUnknownKey(const std::string& key)
{
    const auto nearest = NearestWord(key, ListKeys());
    return Error{"'" + Printable(key) + "' is unknown; " +
                 (nearest.empty() ? "allowed: keys of Linux, and host.NAME for a parameter"
                                  : "did you mean '" + std::string(nearest) + "'?")};
}

/** Takes one of our own keys. */
Done
TakeOwn(HostSpec& host, bool isSender, const std::string& key, std::string_view value)
{
    const auto parameters = GetHostParameters();
    const auto name = std::string_view(key).substr(OWN.size());
    const auto it = std::ranges::find(parameters, name, &HostParameter::name);
    if (it == parameters.end())
    {
        return MakeUnknownKey(key);
    }
    const Option row = WholeRow(it->name,
                                it->key,
                                OptionScope::SESSION,
                                it->dimension,
                                it->defaultText,
                                {it->minimum, it->maximum},
                                {},
                                it->help);
    const auto read = row.Parse(value);
    if (!read)
    {
        return Error{"'" + key + " = " + Printable(value) + "' " +
                     Printable(read.GetError().message) + "; allowed: " + row.DescribeAllowed()};
    }
    if (it->ends == HostEnds::BOTH || (it->ends == HostEnds::SENDER) == isSender)
    {
        host.*(it->member) = *std::get_if<int64_t>(&*read);
    }
    return std::monostate{};
}

/** Takes a line. */
Done
TakeLine(HostSpec& host, bool isSender, std::string_view line, std::map<std::string, size_t>& seen)
{
    const auto read = SplitLine(line);
    if (!read)
    {
        return read.GetError();
    }
    if (const auto [before, isNew] = seen.try_emplace(read->key, seen.size()); !isNew)
    {
        return Error{"'" + Printable(read->key) + "' is there twice; allowed: once"};
    }
    if (read->key.starts_with(OWN))
    {
        return TakeOwn(host, isSender, read->key, read->value);
    }
    const auto& keys = GetModelledKeys();
    if (const auto it = std::ranges::find(keys, read->key, &SysctlKey::name); it != keys.end())
    {
        return TakeSysctl(host, *it, read->value);
    }
    const auto begins = [&read](std::string_view name) { return read->key.starts_with(name); };
    const bool isKnown = std::ranges::find(WITHOUT_EFFECT, read->key) != WITHOUT_EFFECT.end() ||
                         std::ranges::any_of(ELSEWHERE, begins);
    return isKnown || read->mayBeUnknown ? Done(std::monostate{}) : MakeUnknownKey(read->key);
}

} // namespace

std::string_view
GetHostFileOption(bool isSender)
{
    return isSender ? "sender-host" : "receiver-host";
}

Done
ReadHostFile(HostSpec& host, bool isSender, std::string_view name, const HostFileReader& read)
{
    if (name.empty() || name == NO_HOST_FILE)
    {
        return std::monostate{};
    }
    const std::string shown =
        "--" + std::string(GetHostFileOption(isSender)) + "=" + Printable(name);
    const auto content =
        read ? read(std::string(name)) : Expected<std::string>(Error{"there are no files here"});
    if (!content)
    {
        return Error{shown + " " + content.GetError().message +
                     "; allowed: none, or a file as sysctl.conf"};
    }
    std::string_view rest = *content;
    std::map<std::string, size_t> seen;
    for (size_t number = 1; !rest.empty(); ++number)
    {
        const size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = Trim(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty() || line.starts_with('#') || line.starts_with(';'))
        {
            continue;
        }
        if (auto done = TakeLine(host, isSender, line, seen); !done)
        {
            return Error{shown + " line " + std::to_string(number) + ": " +
                         done.GetError().message};
        }
    }
    return std::monostate{};
}

Done
CheckHostFiles(const SessionSpec& session,
               const std::function<std::string(const std::string&)>& quote)
{
    for (const bool isSender : {true, false})
    {
        const std::string& name = isSender ? session.senderHost : session.receiverHost;
        if (name != NO_HOST_FILE)
        {
            return Error{quote(std::string(GetHostFileOption(isSender)) + "=" + Printable(name)) +
                         " is a file, which the first session alone can name; allowed for "
                         "others: none, they have what that has"};
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
