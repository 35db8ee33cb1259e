/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-random.h"
#include "gridftp-sysctl-text.h"
#include "gridftp-sysctl-value.h"
#include "gridftp-test-cases.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A profile of TuneD.
constexpr std::string_view PROFILE = "[main]\n"
                                     "summary=Streaming; on 40G+\n"
                                     "include=throughput-performance, balanced\n"
                                     "[variables]\n"
                                     "most=33554432 # bytes\n"
                                     "cores=${f:calc_isolated_cores:1}\n"
                                     "[cpu]\n"
                                     "governor=performance\n"
                                     "a.b=1\n"
                                     "[sysctl]\n"
                                     "net.ipv4.tcp_rmem=\"4096 131072 ${most}\"\n"
                                     "net.core.somaxconn=>2048\n"
                                     "[more]\n"
                                     "type=sysctl\n"
                                     "net.core.wmem_max=${cores}\n"
                                     "[off]\n"
                                     "type=sysctl\n"
                                     "enabled=false\n"
                                     "net.core.rmem_max=1\n"
                                     "[script]\n"
                                     "script=script.sh\n";

/// A script.
constexpr std::string_view SCRIPT =
    "#!/bin/sh\n"
    "MOST=33554432; export OTHER='x y'\n"
    "if [ \"$1\" = start ]; then sudo /sbin/sysctl -q -w net.core.rmem_max=$MOST; fi\n"
    "sysctl -w \"net.ipv4.tcp_rmem=4096 87380 ${MOST}\" net.ipv4.tcp_sack=1 || echo failed\n"
    "sysctl -w net.ipv4.tcp_wmem = 4096 65536 $MOST # as in notes\n"
    "echo 0 > /proc/sys/net/ipv4/tcp_timestamps\n"
    "echo '4096 5 6' | sudo tee -a /proc/sys/net/ipv4/tcp_wmem > /dev/null\n"
    "echo 'net.core.wmem_max = 7' >> /etc/sysctl.conf\n"
    "printf \"net.core.default_qdisc=fq\\nnet.ipv4.tcp_congestion_control=bbr\\n\" \\\n"
    "  | tee /etc/sysctl.d/9.conf\n"
    "cat <<EOF > /etc/sysctl.d/10.conf\n"
    "net.core.netdev_max_backlog = 5000\n"
    "EOF\n"
    "# sysctl -w net.core.rmem_max=1\n"
    "sysctl -w kernel.x=$(nproc)\n"
    "sysctl -p\n"
    "ip link set eth0 txqueuelen 10000 mtu 9000\n";

/// The forms that settings have.
class SysctlTextTest : public TestCase
{
  public:
    SysctlTextTest()
        : TestCase("host file: forms of sysctl, TuneD and scripts")
    {
    }

  private:
    void DoRun() override
    {
        Expect("# a\n; b\n  net/core/rmem_max=1 # c\nnet.core.wmem_max = \"2\" ; d\n"
               "-kernel.core_pattern =\n-net.ipv4.conf.lo.rp_filter\nsysctl: permission denied on "
               "key 'fs.x'\n* Applying /etc/sysctl.conf ...\nnet.ipv4.tcp_rmem = 1\t2\t3\n",
               "3 net.core.rmem_max=1|4 net.core.wmem_max=2|5 kernel.core_pattern=|"
               "6 net.ipv4.conf.lo.rp_filter!|9 net.ipv4.tcp_rmem=1\t2\t3|");
        Expect(PROFILE,
               "11 net.ipv4.tcp_rmem=4096 131072 33554432|12 net.core.somaxconn=>2048|"
               "15 net.core.wmem_max=${f:calc_isolated_cores:1}|");
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlText(PROFILE)->includes.size(), 2, "two profiles");
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlText(PROFILE)->includes[1], "balanced", "the second");
        Expect(SCRIPT,
               "3 net.core.rmem_max=33554432|4 net.ipv4.tcp_rmem=4096 87380 33554432|"
               "4 net.ipv4.tcp_sack=1|5 net.ipv4.tcp_wmem=4096 65536 33554432|"
               "6 net.ipv4.tcp_timestamps=0|7 net.ipv4.tcp_wmem=4096 5 6|8 net.core.wmem_max=7|"
               "9 net.core.default_qdisc=fq|9 net.ipv4.tcp_congestion_control=bbr|"
               "12 net.core.netdev_max_backlog=5000|15 kernel.x=$(nproc)|");
        Expect("$ sysctl net.core.rmem_max\nnet.core.rmem_max = 212992\n",
               "2 net.core.rmem_max=212992|");
        NS_TEST_EXPECT_MSG_EQ(
            Reason(ReadSysctlText("a.b = 1\nwhat is this")),
            "line 2: 'what is this' is not a line of sysctl.conf; allowed: KEY = VALUE",
            "no setting");
        NS_TEST_EXPECT_MSG_EQ(Reason(ReadSysctlText("[sysctl]\nnet.core.rmem_max 5")),
                              "line 2: 'net.core.rmem_max 5' is not a setting of section [sysctl]; "
                              "allowed: KEY = VALUE",
                              "nor here");
        CheckValues();
        CheckDamaged();
        CheckDoubling();
    }

    /// A variable that repeats itself line by line.
    void CheckDoubling()
    {
        std::string script = "#!/bin/sh\nA=12345678\n";
        for (int line = 0; line < 60; ++line)
        {
            script += "A=$A$A\n";
        }
        const auto text = ReadSysctlText(script + "sysctl -w net.core.rmem_max=$A\n");
        NS_TEST_ASSERT_MSG_EQ(text->settings.size(), 1, "the command");
        NS_TEST_EXPECT_MSG_EQ((text->settings[0].value.size() <= 4100), true, "it ends");
    }

    /// @param content of a file @param expected its settings
    void Expect(std::string_view content, const std::string& expected)
    {
        const auto text = ReadSysctlText(content);
        NS_TEST_ASSERT_MSG_EQ(Reason(text), "no error", content);
        std::string shown;
        for (const auto& each : text->settings)
        {
            shown += std::to_string(each.line) + " " + each.key;
            shown += each.isException ? "!" : "=";
            shown += (each.modifier ? std::string(1, each.modifier) : "") + each.value + "|";
        }
        NS_TEST_EXPECT_MSG_EQ(shown, expected, content);
    }

    /// Numbers and patterns.
    void CheckValues()
    {
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlNumber("0x10").value_or(0), 16, "hexadecimal");
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlNumber("010").value_or(0), 8, "octal");
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlNumber("-2").value_or(0), -2, "negative");
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlNumber("--2").has_value(), false, "no number");
        NS_TEST_EXPECT_MSG_EQ(ReadSysctlNumbers(" 1\t 2 ")->size(), 2, "two");
        const std::string key = "net.core.rmem_max";
        for (const char* pattern : {"net.core.?mem_max",
                                    "net.*",
                                    "*max",
                                    "net.core.[rw]mem_*",
                                    "net.core.[!w]mem_max",
                                    "net.core.[a-s]mem_max",
                                    "*m*m*m*"})
        {
            NS_TEST_EXPECT_MSG_EQ(MatchesKey(pattern, key), true, pattern);
        }
        for (const char* pattern : {"net.core", "net.core.[!r]mem_max", "*_min", "?", ""})
        {
            NS_TEST_EXPECT_MSG_EQ(MatchesKey(pattern, key), false, pattern);
        }
    }

    /// Nothing that is damaged ends the program, and what is wrong is one line.
    void CheckDamaged()
    {
        constexpr std::string_view SIGNS = "=[]'\"$\\\n #;|>{}-*";
        for (uint32_t i = 0; i < CountDraws(4000); ++i)
        {
            std::string text(i % 2 == 0 ? PROFILE : SCRIPT);
            for (uint64_t change = 0; change < 4; ++change)
            {
                const auto at = UniformBelow(KeyedRandom({i, change, 0}), text.size());
                text[at] = SIGNS[UniformBelow(KeyedRandom({i, change, 1}), SIGNS.size())];
            }
            const auto read = ReadSysctlText(text);
            NS_TEST_EXPECT_MSG_EQ(Contains(Reason(read), "\n"), false, text);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new SysctlTextTest}; });

} // namespace
