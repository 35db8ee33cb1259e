/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-host-settings.h"
#include "gridftp-option-host.h"
#include "gridftp-option-session.h"
#include "gridftp-test-cases.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Files of hosts by their names, as one test has them.
using Files = std::map<std::string, std::string>;

/// @param files there are @return reads them
FileReader
Reading(const Files& files)
{
    return [files](const std::string& name) {
        const auto found = files.find(name);
        return found == files.end() ? Expected<std::string>(Error{"cannot be read"})
                                    : Expected<std::string>(found->second);
    };
}

/// @param sender file of the host that sends @param receiver of the other one @param more options
/// @return what they ask for
Expected<TransferRequest>
Parse(const std::string& sender, const std::string& receiver, std::vector<std::string_view> more)
{
    more.emplace_back("--sender-host=./s");
    more.emplace_back("--receiver-host=./r");
    return ParseTransfer(more, Reading({{"./s", sender}, {"./r", receiver}}));
}

/// Settings that become options, and notes about those that do not.
class HostSettingsTest : public TestCase
{
  public:
    HostSettingsTest()
        : TestCase("host file: settings that have an option, and notes")
    {
    }

  private:
    void DoRun() override
    {
        CheckOptions();
        CheckNotes();
        CheckLinuxStack();
        CheckAgreement();
        CheckPatterns();
        CheckProfiles();
        CheckBatch();
        CheckRanges();
    }

    /// @param request with notes @return these, one behind the other
    static std::string NotesOf(const Expected<TransferRequest>& request)
    {
        std::string all;
        for (const auto& note : request ? request->notes : Notes{Reason(request)})
        {
            all += note + "|";
        }
        return all;
    }

    /// What takes effect.
    void CheckOptions()
    {
        const std::string file = "net.ipv4.tcp_congestion_control = cubic\n"
                                 "net.ipv4.tcp_sack = 1\nnet.ipv4.tcp_timestamps = 1\n"
                                 "net.ipv4.tcp_rto_min_us = 5000\nnet.ipv4.tcp_window_scaling=0\n";
        const auto on = Parse(file, "", {"--window=1MiB"});
        NS_TEST_ASSERT_MSG_EQ(NotesOf(on), "", "all of it has an effect");
        NS_TEST_EXPECT_MSG_EQ(on->scenario.sessions[0].tcp, "cubic", "the sender's");
        NS_TEST_EXPECT_MSG_EQ(on->scenario.tcp.sack, true, "RFC 2018");
        NS_TEST_EXPECT_MSG_EQ(on->scenario.tcp.timestamps, true, "RFC 7323");
        NS_TEST_EXPECT_MSG_EQ(on->scenario.tcp.minRto, 5'000'000, "in us");
        NS_TEST_EXPECT_MSG_EQ(on->scenario.sessions[0].buffers.window, 1'048'576, "as given");
        const auto given = Parse(file, "", {"--sack=off", "--tcp=newreno", "--min-rto=1s"});
        NS_TEST_EXPECT_MSG_EQ(given->scenario.tcp.sack, false, "an option wins");
        NS_TEST_EXPECT_MSG_EQ(given->scenario.sessions[0].tcp, "newreno", "as here");
        NS_TEST_EXPECT_MSG_EQ(given->scenario.tcp.minRto, 1'000'000'000, "and here");
        NS_TEST_EXPECT_MSG_EQ(given->scenario.sessions[0].buffers.window, 65'535, "not scaled");
        const auto further = Parse(file, "", {"--session=start=1s", "--sack=off"});
        NS_TEST_EXPECT_MSG_EQ(further->scenario.sessions[1].tcp, "cubic", "further sessions too");
    }

    /// What has no effect.
    void CheckNotes()
    {
        const std::string at = "--receiver-host=./r line ";
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("", "net.ipv4.tcp_sack=1\nnet.ipv4.tcp_fack=1", {})),
                              "",
                              "taken, and known to have no effect on TCP");
        const std::string fixed =
            "' has no effect, as buffers are fixed; allowed: --buffers=drs-kernel or "
            "linux-receiver|";
        const std::string rmem = "net.ipv4.tcp_rmem = 4096 87380 4194304";
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("", rmem, {})), at + "1: '" + rmem + fixed, "fixed");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse(rmem, "", {})), "", "of the other direction");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("", rmem, {"--buffers=linux-receiver"})), "", "moving");
        const std::string bbr = "net.ipv4.tcp_congestion_control = bbr";
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse(bbr, "", {})),
                              "--sender-host=./s line 1: '" + bbr +
                                  "' has no effect, as --tcp has no such value; allowed: reno, "
                                  "newreno, highspeed, cubic|",
                              "no such TCP");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("", bbr, {})),
                              at + "1: '" + bbr +
                                  "' has no effect, as the sender decides; allowed: --tcp, or the "
                                  "key in --sender-host|",
                              "of the receiver");
        NS_TEST_EXPECT_MSG_EQ(
            NotesOf(Parse("net.ipv4.tcp_slow_start_after_idle = 0", "", {})),
            "--sender-host=./s line 1: 'net.ipv4.tcp_slow_start_after_idle = 0' has no effect, as "
            "--tcp=reno uses slow start after idle; allowed: --tcp=newreno, highspeed, cubic|",
            "RFC 2581, Section 4.1");
        const std::string idle = "net.ipv4.tcp_slow_start_after_idle = 1";
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse(idle, "", {})), "", "as reno does");
        const auto same =
            NotesOf(Parse("net.core.default_qdisc=fq", "net.core.default_qdisc=fq", {}));
        NS_TEST_EXPECT_MSG_EQ(std::ranges::count(same, '|'), 1, "one line for each key");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("net.core.default_qdisc=pfifo_fast", "", {})),
                              "",
                              "ok");
        CheckMisspelled();
    }

    /// Hosts of --stack=linux have more of what a file may say.
    void CheckLinuxStack()
    {
        const std::string file = "net.ipv4.tcp_congestion_control = bbr\n"
                                 "net.core.default_qdisc = fq\nnet.ipv4.tcp_sack = 1\n"
                                 "net.ipv4.tcp_timestamps = 1\n"
                                 "net.ipv4.tcp_slow_start_after_idle = 1\n"
                                 "net.ipv4.tcp_wmem = 4096 16384 8388608\n";
        const auto all = Parse(file, "net.core.default_qdisc = fq", {"--stack=linux"});
        NS_TEST_ASSERT_MSG_EQ(NotesOf(all), "", "all of it has an effect");
        NS_TEST_EXPECT_MSG_EQ(all->scenario.sessions[0].tcp, "bbr", "in place of cubic");
        NS_TEST_EXPECT_MSG_EQ((all->scenario.tcp.pacing == Pacing::FQ), true, "the sender's");
        const auto received = Parse("", "net.core.default_qdisc = fq", {"--stack=linux"});
        NS_TEST_EXPECT_MSG_EQ((received->scenario.tcp.pacing == Pacing::AUTO),
                              true,
                              "a receiver sends ACKs alone");
        const auto off =
            Parse("net.ipv4.tcp_sack = 0", "net.ipv4.tcp_timestamps = 0", {"--stack=linux"});
        NS_TEST_EXPECT_MSG_EQ(NotesOf(off), "", "both have an effect");
        NS_TEST_EXPECT_MSG_EQ(off->scenario.tcp.sack, false, "no host has it that the other lacks");
        NS_TEST_EXPECT_MSG_EQ(off->scenario.tcp.timestamps, false, "likewise");
        NS_TEST_EXPECT_MSG_EQ(
            NotesOf(Parse("net.ipv4.tcp_congestion_control = vegas", "", {"--stack=linux"})),
            "--sender-host=./s line 1: 'net.ipv4.tcp_congestion_control = vegas' has no effect, "
            "as --tcp has no such value; allowed: cubic, reno, bbr, bbr3|",
            "of the Linux stack");
        NS_TEST_EXPECT_MSG_EQ(
            NotesOf(Parse("net.ipv4.tcp_slow_start_after_idle = 0", "", {"--stack=linux"})),
            "--sender-host=./s line 1: 'net.ipv4.tcp_slow_start_after_idle = 0' has no effect, as "
            "hosts of --stack=linux use slow start after idle; allowed: 1|",
            "cwnd restarts");
    }

    /// Keys that are like others.
    void CheckMisspelled()
    {
        const std::string at = "--sender-host=./s line 1: '";
        for (const std::string key :
             {"net.core.wmem_maxx", "net.ipv4.wmem_max", "net.core.wmem.max", "wmem_max"})
        {
            NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse(key + " = 1", "", {})),
                                  at + key + "' has no effect; did you mean 'net.core.wmem_max'?|",
                                  key);
        }
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("zzz = 1", "", {})),
                              at + "zzz' is no key of Linux and has no effect|",
                              "nonsense");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("net.ipv4.tcp_mem = 1 2 3\nnet.core.optmem_max = 1\n"
                                            "net.ipv4.tcp_max_orphans = 1\nkernel.pid_max = 1\n"
                                            "net.netfilter.nf_conntrack_max = 1\nvm.swappiness=1\n"
                                            "net.core.bpf_jit_harden = 2\nlnet.x = 1\n",
                                            "",
                                            {})),
                              "",
                              "keys of Linux");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(Parse("net.core.wmem_max = $(cat x)", "", {})),
                              at + "net.core.wmem_max = $(cat x)' has no effect, as its value is "
                                   "computed elsewhere; allowed: the value itself|",
                              "not known here");
    }

    /// What TCP negotiates is on where both hosts have it on.
    void CheckAgreement()
    {
        const auto request = Parse("net.ipv4.tcp_sack = 1", "net.ipv4.tcp_sack = 0", {});
        NS_TEST_EXPECT_MSG_EQ(request->scenario.tcp.sack, false, "the receiver has it off");
        NS_TEST_EXPECT_MSG_EQ(NotesOf(request),
                              "--sender-host=./s line 1: 'net.ipv4.tcp_sack = 1' has no effect, "
                              "as it is off at --receiver-host=./r line 1, and TCP needs it at "
                              "both hosts|",
                              "said");
    }

    /// The last one counts, and what a line names counts more than a pattern.
    void CheckPatterns()
    {
        const auto hostOf = [](const std::string& text) {
            return Parse("", text, {})->scenario.sessions[0].buffers.receiver;
        };
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.rmem_max=1\nnet/core/rmem_max=2").rmemMax,
                              2,
                              "last");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.*mem_max=7").rmemMax, 7, "a pattern");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.rmem_max=2\nnet.core.*mem_max=7").rmemMax,
                              2,
                              "named");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.*=7\n-net.core.rmem_max").rmemMax,
                              0,
                              "an exception");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.rmem_max =").rmemMax, 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.rmem_max = 0x1000").rmemMax, 4096, "hexadecimal");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.ipv4.tcp_rmem=1 2").tcpRmemDefault, 2, "two of three");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.ipv4.tcp_rmem=3 2 1").tcpRmemMax, 1, "in any order");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.core.netdev_max_backlog=0").backlog, 1, "one waits");
        NS_TEST_EXPECT_MSG_EQ(hostOf("net.ipv4.tcp_adv_win_scale=-2").advWinScale, -2, "negative");
        NS_TEST_EXPECT_MSG_EQ(hostOf("host.cores = 2\nhost.cores = 3 # x").cores, 3, "ours, too");
    }

    /// A profile of TuneD includes another one of the same folder.
    void CheckProfiles()
    {
        const std::string profile = "[main]\ninclude=base\n[sysctl]\nnet.core.rmem_max=>100\n"
                                    "net.core.netdev_max_backlog=<100\n";
        const std::vector<std::string_view> words{"--receiver-host=t/mine/tuned.conf"};
        Files files{{"t/mine/tuned.conf", profile}};
        const auto alone = ParseTransfer(words, Reading(files));
        NS_TEST_EXPECT_MSG_EQ(NotesOf(alone),
                              "--receiver-host=t/mine/tuned.conf line 2: the included profile "
                              "'base' is not read; allowed: its file as "
                              "t/mine/../base/tuned.conf|",
                              "it is not there");
        NS_TEST_EXPECT_MSG_EQ(alone->scenario.sessions[0].buffers.receiver.rmemMax, 100, "its own");
        files["t/mine/../base/tuned.conf"] = "[main]\ninclude=mine\n[sysctl]\n"
                                             "net.core.rmem_max=200\n"
                                             "net.core.netdev_max_backlog=200\n";
        files["t/mine/../base/../mine/tuned.conf"] = "[main]\nsummary=x\n";
        const auto both = ParseTransfer(words, Reading(files));
        NS_TEST_EXPECT_MSG_EQ(NotesOf(both), "", "all is read");
        const HostSpec& host = both->scenario.sessions[0].buffers.receiver;
        NS_TEST_EXPECT_MSG_EQ(host.rmemMax, 200, "larger already");
        NS_TEST_EXPECT_MSG_EQ(host.backlog, 100, "smaller now");
    }

    /// A line of a batch does the same.
    void CheckBatch()
    {
        const auto read = Reading({{"./s", "net.ipv4.tcp_congestion_control=cubic\nx=1"}});
        Notes notes;
        const auto own = ParseScenarioJson(R"({"sender-host": "./s"})", read, &notes);
        NS_TEST_ASSERT_MSG_EQ(Reason(own), "no error", "it is right");
        NS_TEST_EXPECT_MSG_EQ(own->sessions[0].tcp, "cubic", "from the file");
        NS_TEST_EXPECT_MSG_EQ(notes.size(), 1, "x");
        const auto given = ParseScenarioJson(R"({"sender-host": "./s", "tcp": "reno"})", read);
        NS_TEST_EXPECT_MSG_EQ(given->sessions[0].tcp, "reno", "as given");
    }

    /// A value that a file may have is one that the option may have: a sweep passes it on.
    void CheckRanges()
    {
        const std::map<std::string_view, std::string_view> keys{
            {"backlog", "net.core.netdev_max_backlog"},
            {"rmem-max", "net.core.rmem_max"},
            {"adv-win-scale", "net.ipv4.tcp_adv_win_scale"}};
        for (const auto& parameter : GetHostParameters())
        {
            const auto key = keys.find(parameter.name);
            if (key == keys.end())
            {
                continue;
            }
            const Option& option =
                *FindOption(GetSessionRows(), "receiver-" + std::string(parameter.name));
            for (const int64_t value : {parameter.minimum, parameter.maximum})
            {
                NS_TEST_EXPECT_MSG_EQ(option.IsInRange(value), true, parameter.name);
                const std::string line = std::string(key->second) + "=" + std::to_string(value);
                const bool isUnset = value == 0; // of rmem-max, which Linux refuses
                const auto request = Parse("", line, {});
                NS_TEST_EXPECT_MSG_EQ((bool(request) || isUnset), true, line);
            }
            const auto beyond = std::to_string(parameter.maximum + 1);
            const auto refused = Parse("", std::string(key->second) + "=" + beyond, {});
            NS_TEST_EXPECT_MSG_EQ(bool(refused), false, beyond);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new HostSettingsTest}; });

} // namespace
