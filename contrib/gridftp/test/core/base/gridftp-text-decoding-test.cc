/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-calendar-time.h"
#include "gridftp-core-test.h"
#include "gridftp-decimal.h"
#include "gridftp-test-cases.h"
#include "gridftp-text-decoding.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;
using namespace std::string_view_literals;

namespace
{

/// Bytes of files become text, or are named.
class TextDecodingTest : public TestCase
{
  public:
    TextDecodingTest()
        : TestCase("text: encodings and line ends of files")
    {
    }

  private:
    void DoRun() override
    {
        Expect("a\r\nb\rc\n"sv, "a\nb\nc\n");
        Expect("\xef\xbb\xbf"
               "a = 1\r\n"sv,
               "a = 1\n");
        Expect("\xff\xfe"
               "a\0\r\0\n\0"
               "b\0"sv,
               "a\nb");
        Expect("\xfe\xff\0a\0=\0\xe4"sv, "a=\xc3\xa4");
        Expect("a\0=\0"
               "1\0\n\0"sv,
               "a=1\n");
        Expect("\0a\0=\0"
               "1\0\n"sv,
               "a=1\n");
        Expect("\xff\xfe\x3d\xd8\x00\xde\x3d\xd8"sv, "\xf0\x9f\x98\x80\xef\xbf\xbd");
        Expect("caf\xe9 # Latin-1"sv, "caf\xe9 # Latin-1");
        Expect(""sv, "");
        Refuse("\x1f\x8b\x08\0"sv, "is compressed by gzip, not text (gunzip)");
        Refuse("\xfd"
               "7zXZ\0"sv,
               "is compressed by xz, not text (unxz)");
        Refuse("BZh91AY"sv, "is compressed by bzip2, not text (bunzip2)");
        Refuse("PK\x03\x04"sv,
               "is a ZIP archive or a spreadsheet, not text (unzip, or the export as CSV)");
        Refuse("\x93NUMPY\x01"sv, "is a NumPy array, not text (numpy.savetxt)");
        Refuse("net.core\0x"sv, "is binary, not text: byte 9 is 0");
    }

    /// @param bytes of a file @param text that they are
    void Expect(std::string_view bytes, const std::string& text)
    {
        const auto decoded = DecodeText(std::string(bytes));
        NS_TEST_ASSERT_MSG_EQ(Reason(decoded), "no error", text);
        NS_TEST_EXPECT_MSG_EQ(*decoded, text, "the text");
    }

    /// @param bytes of a file @param message what they are
    void Refuse(std::string_view bytes, const std::string& message)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(DecodeText(std::string(bytes))), message, "named");
    }
};

/// Numbers and dates of other programs.
class ForeignNumbersTest : public TestCase
{
  public:
    ForeignNumbersTest()
        : TestCase("text: decimal numbers and dates of other programs")
    {
    }

  private:
    void DoRun() override
    {
        Expect("1.000000000000000000e+00", 1'000'000'000, 1'000'000'000);
        Expect("4.0729", 1'000'000, 4'072'900);
        Expect("-.5", 10, -5);
        Expect("1.", 3, 3);
        Expect("+2E-3", 1'000'000, 2'000);
        Expect("1634467200.123456789", 1'000'000'000, 1'634'467'200'123'456'789);
        Expect("0.0000000005", 1'000'000'000, 1);
        Expect("1e-400", 1, 0);
        Expect("123456789012345678901e-2", 1, 1'234'567'890'123'456'789);
        for (const char* none : {"", ".", "e5", "1e", "nan", "inf", "1.2.3", "0x10", "1 ", "--1"})
        {
            NS_TEST_EXPECT_MSG_EQ(ParseDecimal(none).has_value(), false, none);
        }
        NS_TEST_EXPECT_MSG_EQ(ToWhole(*ParseDecimal("1e300"), 1).has_value(), false, "too large");
        // As NumPy writes a half and a little less, of a unit that is not divided
        NS_TEST_EXPECT_MSG_EQ(ToWhole(*ParseDecimal("5.000000000000000000e-01"), 1).value_or(-1),
                              1,
                              "a half");
        NS_TEST_EXPECT_MSG_EQ(ToWhole(*ParseDecimal("-9.200000000000000000e-01"), 1).value_or(9),
                              -1,
                              "below 0");
        NS_TEST_EXPECT_MSG_EQ(ToWhole(*ParseDecimal("4.999999999999999999e-01"), 1).value_or(-1),
                              0,
                              "less than a half");
        NS_TEST_EXPECT_MSG_EQ(ToWhole(*ParseDecimal("1,5", ','), 1'000).value_or(0),
                              1'500,
                              "comma");
        const int64_t noon = 1'634'472'000'500'000'000; // date -u -d "2021-10-17 12:00:00" +%s
        for (const char* date : {"2021-10-17T12:00:00.5",
                                 "2021-10-17 12:00:00.500Z",
                                 "2021-10-17T14:00:00.5+02:00",
                                 "2021.10.17_12.00.00.5",
                                 "17.10.2021 12:00:00,5",
                                 "2021/10/17 12:00:00.5 UTC"})
        {
            NS_TEST_EXPECT_MSG_EQ(ParseCalendarTime(date).value_or(0), noon, date);
        }
        NS_TEST_EXPECT_MSG_EQ(ParseCalendarTime("2024-02-29 00:00:00").value_or(0),
                              1'709'164'800'000'000'000,
                              "a leap day");
        for (const char* none : {"2023-02-29 00:00:00",
                                 "2021-10-17",
                                 "12:00:00",
                                 "2021-10-17 25:00:00",
                                 "1.5",
                                 "17.10.21 12:00:00",
                                 "2021-10-17 12.00",
                                 "10/17/2021 12:00:00"})
        {
            NS_TEST_EXPECT_MSG_EQ(ParseCalendarTime(none).has_value(), false, none);
        }
        NS_TEST_EXPECT_MSG_EQ(ParseCalendarTime("2021-10-17 12:00").value_or(0),
                              noon - 500'000'000,
                              "without seconds");
        NS_TEST_EXPECT_MSG_EQ(ParseClockTime("01:00:00.25").value_or(0), 3'600'250'000'000, "one");
        NS_TEST_EXPECT_MSG_EQ(ParseClockTime("1:00:00").value_or(0), 3'600'000'000'000, "short");
        for (const char* none : {"01:00", "24:00:00", "1.00.00", "01:00:00 AM", "101:00:00", ""})
        {
            NS_TEST_EXPECT_MSG_EQ(ParseClockTime(none).has_value(), false, none);
        }
    }

    /// @param text of a number @param unit of it @param whole what it is in smallest units
    void Expect(std::string_view text, int64_t unit, int64_t whole)
    {
        const auto number = ParseDecimal(text);
        NS_TEST_ASSERT_MSG_EQ(number.has_value(), true, text);
        NS_TEST_EXPECT_MSG_EQ(ToWhole(*number, unit).value_or(-1), whole, text);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TextDecodingTest, new ForeignNumbersTest};
});

} // namespace
