/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-adler32.h"
#include "gridftp-checksum-text.h"
#include "gridftp-control-text-tools.h"
#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"

#include <string>
#include <string_view>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param text any @param piece bytes added at a time @return its checksum
uint32_t
ComputeChecksum(std::string_view text, size_t piece = SIZE_MAX)
{
    Adler32 checksum;
    for (size_t i = 0; i < text.size(); i += std::min(piece, text.size()))
    {
        const std::string_view part = text.substr(i, piece);
        checksum.Add(reinterpret_cast<const uint8_t*>(part.data()), part.size());
    }
    return checksum.GetValue();
}

/// Adler-32 of known texts, of pieces and of zeros.
class Adler32Test : public TestCase
{
  public:
    Adler32Test()
        : TestCase("Adler-32: known values, pieces and zeros")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(ComputeChecksum(""), 1, "nothing");
        NS_TEST_EXPECT_MSG_EQ(ComputeChecksum("Wikipedia"), 0x11e60398, "an example of Wikipedia");
        NS_TEST_EXPECT_MSG_EQ(ComputeChecksum("hello\n"), 0x084b021f, "as GCT 6.2 has it");
        // The sums are the largest that there can be before they are reduced
        const std::string high(100'000, '\xff');
        uint32_t a = 1;
        uint32_t b = 0;
        for (size_t i = 0; i < high.size(); ++i)
        {
            a = (a + 255) % 65521;
            b = (b + a) % 65521;
        }
        NS_TEST_EXPECT_MSG_EQ(ComputeChecksum(high), (b << 16 | a), "large bytes");
        NS_TEST_EXPECT_MSG_EQ(ComputeChecksum(high, 777), (b << 16 | a), "in pieces");

        Adler32 zeros;
        zeros.AddZeros(uint64_t{30} << 30);
        NS_TEST_EXPECT_MSG_EQ(zeros.GetValue(), 0x86900001, "a sparse file, as GCT 6.2 has it");
        Adler32 mixed;
        mixed.Add(reinterpret_cast<const uint8_t*>("hello"), 5);
        mixed.AddZeros(70'000);
        NS_TEST_EXPECT_MSG_EQ(mixed.GetValue(),
                              ComputeChecksum("hello" + std::string(70'000, '\0')),
                              "zeros behind other bytes");
    }
};

/// CKSM and its reply.
class ChecksumTextTest : public TestCase
{
  public:
    ChecksumTextTest()
        : TestCase("control text: CKSM and its reply")
    {
    }

  private:
    void DoRun() override
    {
        const ChecksumOrder whole{0, std::nullopt, "/a b"};
        const ChecksumOrder part{7, 20, "/f"};
        NS_TEST_EXPECT_MSG_EQ(FormatChecksumOrder(whole), "ADLER32 0 -1 /a b", "a whole file");
        NS_TEST_EXPECT_MSG_EQ(FormatChecksumOrder(part), "ADLER32 7 20 /f", "a range");
        for (const ChecksumOrder& order : {whole, part})
        {
            const auto read = ParseChecksumOrder(FormatChecksumOrder(order));
            NS_TEST_EXPECT_MSG_EQ((Or(read, {}) == order), true, order.path);
        }
        NS_TEST_EXPECT_MSG_EQ(Code(ParseChecksumOrder("adler32 0 -1 /f")), 0, "lower case");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseChecksumOrder("CRC32 0 -1 /f")), 500, "unknown");
        for (const auto bad : {"ADLER32",
                               "ADLER32 0",
                               "ADLER32 0 -1",
                               "ADLER32 0 -1 ",
                               "ADLER32 -1 -1 /f",
                               "ADLER32 0 -2 /f",
                               "ADLER32 x 1 /f",
                               "ADLER32 0 18446744073709551616 /f"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseChecksumOrder(bad)), 501, bad);
        }
        NS_TEST_EXPECT_MSG_EQ(FormatReply(MakeChecksumReply(0x084b021f)),
                              "213 084b021f\r\n",
                              "as GCT 6.2 answers");
        NS_TEST_EXPECT_MSG_EQ(Or(ParseChecksumReply({213, {"084B021f"}}), 0U), 0x084b021f, "read");
        for (const auto bad : {"", "84b021f", "0084b021f", "0x84b021", "-84b021f", "084b021g"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseChecksumReply({213, {bad}})), 501, bad);
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new Adler32Test, new ChecksumTextTest};
});

} // namespace ns3::gridftp
