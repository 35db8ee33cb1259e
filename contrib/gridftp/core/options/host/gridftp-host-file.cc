/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-file.h"

#include "gridftp-option-host.h"
#include "gridftp-option-row.h"
#include "gridftp-sysctl-text.h"
#include "gridftp-sysctl-value.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** A key of Linux whose numbers are parameters of a host. */
struct SysctlKey
{
    std::string_view name;                    //!< of the key
    std::vector<std::string_view> parameters; //!< of GetHostParameters(), for each of its numbers;
                                              //!< empty: the model has no part for that number
    int64_t least{1};                         //!< each number is at least that
    int64_t floor{1};                         //!< a lower one counts as that
};

/** Keys that the model has a part for (Linux, Documentation/networking/ip-sysctl.rst, and
 * Documentation/admin-guide/sysctl/net.rst). Each range ends where that of the parameter ends. */
const std::vector<SysctlKey>&
GetModelledKeys()
{
    static const std::vector<SysctlKey> keys{
        {"net.core.rmem_max", {"rmem-max"}},
        {"net.core.wmem_max", {"wmem-max"}},
        {"net.ipv4.tcp_rmem", {"", "tcp-rmem-default", "tcp-rmem-max"}},
        {"net.ipv4.tcp_wmem", {"", "", "tcp-wmem-max"}},
        {"net.ipv4.tcp_adv_win_scale", {"adv-win-scale"}, LEAST_WIN_SCALE, LEAST_WIN_SCALE},
        {"net.core.netdev_max_backlog", {"backlog"}, 0}}; // with 0 Linux queues one packet
    return keys;
}

/** Keys that Linux has and the model has no part for. All such keys are accepted; these are so like
 * modelled ones that they might be taken for misspelled. */
constexpr std::array NO_MISSPELLINGS{std::string_view("net.core.default_qdisc"),
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

constexpr std::string_view OWN = "host."; //!< before our own keys

constexpr std::string_view FORMS =
    "a file as sysctl.conf, the output of sysctl -a, a profile of TuneD, a script of sysctl -w";

/** A setting of the file, or of one that it includes. */
struct PlacedSetting
{
    SysctlSetting setting; //!< it
    std::string place;     //!< option, file and line, for messages
};

/** @param name of a parameter that there is @return it */
const HostParameter&
GetParameter(std::string_view name)
{
    return *std::ranges::find(GetHostParameters(), name, &HostParameter::name);
}

/** @return whether a name or a value is that of a shell, of TuneD or of a template */
bool
IsComputed(std::string_view text)
{
    return text.find_first_of("$`") != text.npos || text.find("{{") != text.npos ||
           text.find("<%") != text.npos;
}

/** The host of a file that is being read. */
class HostFile
{
  public:
    HostFile(HostSpec& host,
             bool isSender,
             const FileReader& read,
             std::span<const std::string_view> reported,
             HostFileReport& report)
        : m_host(host),
          m_isSender(isSender),
          m_read(read),
          m_reported(reported),
          m_report(report)
    {
    }

    /** @param name of the file @return done, or what is wrong */
    Done Read(const std::string& name)
    {
        const std::string shown = Show(name);
        const auto content =
            m_read ? m_read(name)
                   : Expected<std::string>(Error{"cannot be read here, without access to files"});
        if (!content)
        {
            return Error{shown + " " + content.GetError().message +
                         "; allowed: none, or a file as sysctl.conf"};
        }
        const size_t notes = m_report.notes.size();
        if (auto done = Collect(name, *content, 0); !done)
        {
            return done;
        }
        if (m_settings.empty() && !m_isBlank && m_report.notes.size() == notes)
        {
            m_report.notes.push_back(shown + " sets no key; allowed: " + std::string(FORMS));
        }
        for (const auto& each : Choose())
        {
            if (auto done = Take(each); !done)
            {
                return Error{each.place + ": " + done.GetError().message};
            }
        }
        return std::monostate{};
    }

  private:
    /** @param name of a file @return it with the option that names it */
    std::string Show(const std::string& name) const
    {
        return "--" + std::string(GetHostFileOption(m_isSender)) + "=" + Printable(name);
    }

    /** Collects the settings of a file, behind those of the profiles that it includes. */
    Done Collect(const std::string& name, const std::string& content, int depth)
    {
        auto text = ReadSysctlText(content);
        const std::string shown = Show(name);
        if (!text)
        {
            return Error{shown + " " + text.GetError().message};
        }
        for (const auto& profile : text->includes)
        {
            if (auto done = Include(name, profile, text->includeLine, depth); !done)
            {
                return done;
            }
        }
        m_isBlank = m_isBlank && text->isBlank;
        for (auto& setting : text->settings)
        {
            std::string place = shown + " line " + std::to_string(setting.line);
            m_settings.push_back({std::move(setting), std::move(place)});
        }
        return std::monostate{};
    }

    /** Collects the settings of a profile of TuneD: ../PROFILE/tuned.conf. */
    Done Include(const std::string& name, const std::string& profile, size_t line, int depth)
    {
        constexpr int DEEPEST = 8;
        const std::string file =
            name.substr(0, name.rfind('/') + 1) + "../" + profile + "/tuned.conf";
        const bool isName = profile.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR"
                                                      "STUVWXYZ0123456789_.-") == profile.npos;
        const auto content =
            isName && depth < DEEPEST ? m_read(file) : Expected<std::string>(Error{});
        if (!content)
        {
            m_report.notes.push_back(Show(name) + " line " + std::to_string(line) +
                                     ": the included profile '" + Printable(profile) +
                                     "' is not read; allowed: its file as " + Printable(file));
            return std::monostate{};
        }
        return Collect(file, *content, depth + 1);
    }

    /** @return for each key the setting that counts */
    std::vector<PlacedSetting> Choose() const
    {
        std::vector<PlacedSetting> chosen;
        std::map<std::string_view, size_t> places;
        std::set<std::string_view> exceptions;
        for (const auto& each : m_settings)
        {
            const auto& setting = each.setting;
            if (setting.isException)
            {
                exceptions.insert(setting.key);
                continue;
            }
            const auto [place, isNew] = places.try_emplace(setting.key, chosen.size());
            if (isNew)
            {
                chosen.push_back(each);
            }
            else if (Replaces(setting, chosen[place->second].setting))
            {
                chosen[place->second] = each;
            }
        }
        std::vector<PlacedSetting> all;
        for (const auto& each : chosen)
        {
            if (!IsKeyPattern(each.setting.key))
            {
                all.push_back(each);
                continue;
            }
            for (const auto key : ListLinuxKeys())
            {
                if (MatchesKey(each.setting.key, key) && !places.contains(key) &&
                    !exceptions.contains(key))
                {
                    all.push_back(each);
                    all.back().setting.key = key;
                }
            }
        }
        return all;
    }

    /** Whether a later setting of a key replaces an earlier one: TuneD's > and < compare. */
    static bool Replaces(const SysctlSetting& later, const SysctlSetting& earlier)
    {
        const auto before = ReadSysctlNumber(earlier.value);
        const auto after = ReadSysctlNumber(later.value);
        if (later.modifier == 0 || !before || !after)
        {
            return true;
        }
        return later.modifier == '>' ? *after > *before : *after < *before;
    }

    /** @return the keys of Linux that mean something here */
    std::vector<std::string_view> ListLinuxKeys() const
    {
        std::vector<std::string_view> names = NamesOf(GetModelledKeys());
        names.insert(names.end(), m_reported.begin(), m_reported.end());
        return names;
    }

    /** Takes a setting. */
    Done Take(const PlacedSetting& each)
    {
        const auto& [setting, place] = each;
        const std::string_view key = setting.key;
        if (key.starts_with(OWN))
        {
            return TakeOwn(setting);
        }
        const bool isReported = std::ranges::find(m_reported, key) != m_reported.end();
        const auto& keys = GetModelledKeys();
        const auto modelled = std::ranges::find(keys, key, &SysctlKey::name);
        if (!isReported && modelled == keys.end())
        {
            NoteMisspelling(each);
            return std::monostate{};
        }
        if (IsComputed(setting.value))
        {
            if (isReported || IsOfThisEnd(GetParameter(modelled->parameters.back())))
            {
                m_report.notes.push_back(place + ": '" + setting.key + " = " +
                                         ShowSysctlValue(setting.value) +
                                         "' has no effect, as its value is computed elsewhere; "
                                         "allowed: the value itself");
            }
            return std::monostate{};
        }
        if (setting.value.empty())
        {
            return std::monostate{};
        }
        if (modelled != keys.end())
        {
            if (auto done = TakeNumbers(*modelled, setting.value); !done)
            {
                return done;
            }
        }
        if (isReported)
        {
            m_report.settings.push_back({setting.key, setting.value, place, m_isSender});
        }
        return std::monostate{};
    }

    /** Takes one of our own keys. */
    Done TakeOwn(const SysctlSetting& setting)
    {
        const auto parameters = GetHostParameters();
        const auto name = std::string_view(setting.key).substr(OWN.size());
        const auto it = std::ranges::find(parameters, name, &HostParameter::name);
        if (it == parameters.end())
        {
            const auto nearest = NearestWord(name, NamesOf(parameters));
            return Error{"'" + Printable(setting.key) + "' is unknown; " +
                         (nearest.empty()
                              ? "allowed: host.NAME with a parameter such as cores"
                              : "did you mean '" + std::string(OWN) + std::string(nearest) + "'?")};
        }
        const Option row = WholeRow(it->name,
                                    it->key,
                                    OptionScope::SESSION,
                                    it->dimension,
                                    it->defaultText,
                                    {it->minimum, it->maximum},
                                    {},
                                    it->help);
        const auto read = row.Parse(setting.value);
        if (!read)
        {
            return Error{"'" + setting.key + " = " + Printable(setting.value) + "' " +
                         Printable(read.GetError().message) +
                         "; allowed: " + row.DescribeAllowed()};
        }
        Set(*it, *std::get_if<int64_t>(&*read));
        return std::monostate{};
    }

    /** Takes the numbers of a key of Linux, which may have fewer than there are: the others stay.
     */
    Done TakeNumbers(const SysctlKey& key, std::string_view value)
    {
        const int64_t most = GetParameter(key.parameters.back()).maximum;
        const auto numbers = ReadSysctlNumbers(value);
        const auto isFit = [&](int64_t number) { return number >= key.least && number <= most; };
        if (!numbers || numbers->size() > key.parameters.size() ||
            !std::ranges::all_of(*numbers, isFit))
        {
            const bool isOne = key.parameters.size() == 1;
            return Error{"'" + std::string(key.name) + " = " + ShowSysctlValue(value) + "' is " +
                         (isOne ? "not a whole number; allowed: "
                                : "not a list of up to three numbers; allowed: minimum, default "
                                  "and maximum, each ") +
                         std::to_string(key.least) + " to " + std::to_string(most)};
        }
        for (size_t i = 0; i < numbers->size(); ++i)
        {
            if (!key.parameters[i].empty())
            {
                Set(GetParameter(key.parameters[i]), std::max((*numbers)[i], key.floor));
            }
        }
        return std::monostate{};
    }

    /** @param parameter of a host @return whether this host has it */
    bool IsOfThisEnd(const HostParameter& parameter) const
    {
        return parameter.ends == HostEnds::BOTH ||
               (parameter.ends == HostEnds::SENDER) == m_isSender;
    }

    /** Sets a parameter, if this host has it. */
    void Set(const HostParameter& parameter, int64_t value)
    {
        if (IsOfThisEnd(parameter))
        {
            m_host.*(parameter.member) = value;
        }
    }

    /** @param key that means nothing here @return the one that it may be; empty: none */
    std::string_view FindMeant(std::string_view key) const
    {
        constexpr size_t LONGEST = 64; // longer than every key here, and its edits cost time
        const auto lastPart = [](std::string_view name) {
            return name.substr(name.rfind('.') + 1);
        };
        std::string_view nearest;
        size_t least = 3; // edits
        for (const auto name : ListLinuxKeys())
        {
            if (lastPart(name) == lastPart(key))
            {
                return name;
            }
            const size_t edits = key.size() <= LONGEST ? CountEdits(name, key) : least;
            if (edits < least)
            {
                least = edits;
                nearest = name;
            }
        }
        return nearest;
    }

    /** Notes a key that may be a misspelled one: few letters differ, or its folder does. */
    void NoteMisspelling(const PlacedSetting& each)
    {
        const std::string_view key = each.setting.key;
        if (std::ranges::find(NO_MISSPELLINGS, key) != NO_MISSPELLINGS.end())
        {
            return;
        }
        const auto meant = FindMeant(key);
        if (IsComputed(key))
        {
            m_report.notes.push_back(each.place + ": '" + Printable(key) +
                                     "' has no effect, as its name is computed elsewhere; allowed: "
                                     "the name itself");
        }
        else if (!meant.empty())
        {
            m_report.notes.push_back(each.place + ": '" + Printable(key) +
                                     "' has no effect; did you mean '" + std::string(meant) + "'?");
        }
        else if (key.find('.') == key.npos || key.find_first_of(" \t") != key.npos)
        {
            m_report.notes.push_back(each.place + ": '" + Printable(key) +
                                     "' is no key of Linux and has no effect");
        }
    }

    HostSpec& m_host;                             //!< what is set
    bool m_isSender;                              //!< it sends
    const FileReader& m_read;                     //!< reads a file
    std::span<const std::string_view> m_reported; //!< keys for the report
    HostFileReport& m_report;                     //!< what else there is
    std::vector<PlacedSetting> m_settings;        //!< of the file and those that it includes
    bool m_isBlank{true};                         //!< they have nothing but comments
};

} // namespace

std::string_view
GetHostFileOption(bool isSender)
{
    return isSender ? "sender-host" : "receiver-host";
}

Done
ReadHostFile(HostSpec& host,
             bool isSender,
             std::string_view name,
             const FileReader& read,
             std::span<const std::string_view> reported,
             HostFileReport& report)
{
    if (name.empty() || name == NO_HOST_FILE)
    {
        return std::monostate{};
    }
    return HostFile(host, isSender, read, reported, report).Read(std::string(name));
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
                         " is a file, which only the first session can name; allowed for others: "
                         "none, they use the first session's"};
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
