/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-quantity.h"
#include "gridftp-test-cases.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <string_view>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using namespace std::string_view_literals;
using enum Dimension;

constexpr int64_t LARGEST = std::numeric_limits<int64_t>::max();

/// All dimensions of whole quantities.
constexpr std::array WHOLE_DIMENSIONS{BYTES, RATE, TIME, PACKETS, SEGMENTS, COUNT};

/// A text and the quantity that it stands for.
struct Written
{
    std::string_view text; //!< as on a command line
    Dimension dimension;   //!< what it counts
    int64_t value;         //!< in smallest units
};

/**
 * @ingroup gridftp
 * Every unit, and exactness where floating point would not be exact.
 */
class QuantityUnitsTest : public TestCase
{
  public:
    QuantityUnitsTest()
        : TestCase("quantities: every unit, exactly")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t SECOND = 1'000'000'000;
        constexpr std::array KNOWN{
            Written{"7", BYTES, 7},
            Written{"7B", BYTES, 7},
            Written{"7kB", BYTES, 7'000},
            Written{"7KB", BYTES, 7'000},
            Written{"7KiB", BYTES, 7'168},
            Written{"7MB", BYTES, 7'000'000},
            Written{"7MiB", BYTES, 7'340'032},
            Written{"7GB", BYTES, 7'000'000'000},
            Written{"7GiB", BYTES, 7'516'192'768},
            Written{"7TB", BYTES, 7'000'000'000'000},
            Written{"7TiB", BYTES, 7'696'581'394'432},
            Written{"1PB", BYTES, 1'000'000'000'000'000},
            Written{"64KiB", BYTES, 65'536},
            Written{"7bps", RATE, 7},
            Written{"7bit/s", RATE, 7},
            Written{"7kbps", RATE, 7'000},
            Written{"7Kbps", RATE, 7'000},
            Written{"7kbit/s", RATE, 7'000},
            Written{"7Mbps", RATE, 7'000'000},
            Written{"7Mbit/s", RATE, 7'000'000},
            Written{"7Gbps", RATE, 7'000'000'000},
            Written{"7Gbit/s", RATE, 7'000'000'000},
            Written{"7Tbps", RATE, 7'000'000'000'000},
            Written{"7Tbit/s", RATE, 7'000'000'000'000},
            Written{"7ns", TIME, 7},
            Written{"7us", TIME, 7'000},
            Written{"7ms", TIME, 7'000'000},
            Written{"7s", TIME, 7 * SECOND},
            Written{"7", PACKETS, 7},
            Written{"7p", PACKETS, 7},
            Written{"7", SEGMENTS, 7},
            Written{"7", COUNT, 7},
            // Fractions that end at the smallest unit.
            Written{"1.5Gbps", RATE, 1'500'000'000},
            Written{"622.08Mbit/s", RATE, 622'080'000},
            Written{"0.1us", TIME, 100},
            Written{"0.2s", TIME, 200'000'000},
            Written{"1.000000001s", TIME, SECOND + 1},
            Written{"0.5KiB", BYTES, 512},
            Written{"0.25KiB", BYTES, 256},
            Written{"1.50KiB", BYTES, 1'536},
            Written{"0.0009765625KiB", BYTES, 1}, // 2^-10
            Written{"0.05KB", BYTES, 50},
            Written{"2.000000001GB", BYTES, 2'000'000'001},
            Written{"3.0", COUNT, 3},
            Written{"007", COUNT, 7},
            Written{"0B", BYTES, 0},
            // The largest: 2^63 - 1; 2^63 / 2^40 - 1 TiB; 9223 PB and no more whole one.
            Written{"9223372036854775807", COUNT, LARGEST},
            Written{"9223372036854775807bps", RATE, LARGEST},
            Written{"8388607TiB", BYTES, (int64_t{8388607} << 40)},
            Written{"9223PB", BYTES, 9'223'000'000'000'000'000},
        };
        for (const auto& known : KNOWN)
        {
            const auto read = ParseWhole(known.text, known.dimension);
            NS_TEST_EXPECT_MSG_EQ(Reason(read), "no error", known.text);
            NS_TEST_EXPECT_MSG_EQ((read ? *read : -1), known.value, known.text);
        }
    }
};

/// A text that is refused, and why.
struct Refused
{
    std::string_view text;   //!< as on a command line
    Dimension dimension;     //!< what it should count
    std::string_view reason; //!< the message
};

/**
 * @ingroup gridftp
 * What is not a quantity, or not one of this dimension.
 */
class QuantityErrorsTest : public TestCase
{
  public:
    QuantityErrorsTest()
        : TestCase("quantities: what is refused, and why")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::string_view NONE = "is not a number";
        constexpr std::string_view FINE = "is finer than the smallest unit";
        constexpr std::string_view LARGE = "is too large";
        constexpr std::string_view LONG = "has too many digits";
        constexpr std::string_view BARE = "lacks a unit";
        constexpr std::array REFUSED{
            Refused{"", BYTES, NONE},
            Refused{"Mbps", RATE, NONE},
            Refused{"-1B", BYTES, NONE},
            Refused{"-0", COUNT, NONE},
            Refused{"+1B", BYTES, NONE},
            Refused{" 1B", BYTES, NONE},
            Refused{"nan", RATE, NONE},
            Refused{"NaNMbps", RATE, NONE},
            Refused{"inf", TIME, NONE},
            Refused{"-infinity", TIME, NONE},
            Refused{".", COUNT, NONE},
            Refused{".5s", TIME, NONE},
            Refused{"5.s", TIME, NONE},
            Refused{"5..5s", TIME, NONE},
            Refused{"\xd9\xa3", COUNT, NONE}, // a three, but an Arabic one
            Refused{"1.2.3s", TIME, "has an unknown unit '.3s'"},
            Refused{"1B ", BYTES, "has an unknown unit 'B '"},
            Refused{"1 B", BYTES, "has an unknown unit ' B'"},
            Refused{"1B\0"sv, BYTES, "has an unknown unit 'B\0'"sv},
            Refused{"1e3", COUNT, "has an unknown unit 'e3'"},
            Refused{"1e3Mbps", RATE, "has an unknown unit 'e3Mbps'"},
            Refused{"0x10", COUNT, "has an unknown unit 'x10'"},
            Refused{"1,000", COUNT, "has an unknown unit ',000'"},
            Refused{"1mbps", RATE, "has an unknown unit 'mbps'"},
            Refused{"1MBps", RATE, "has an unknown unit 'MBps'"},
            Refused{"1MB", RATE, "has an unknown unit 'MB'"},
            Refused{"1Mbps", BYTES, "has an unknown unit 'Mbps'"},
            Refused{"1b", BYTES, "has an unknown unit 'b'"},
            Refused{"1kib", BYTES, "has an unknown unit 'kib'"},
            Refused{"1min", TIME, "has an unknown unit 'min'"},
            Refused{"1p", COUNT, "has an unknown unit 'p'"},
            Refused{"1B", SEGMENTS, "has an unknown unit 'B'"},
            Refused{"100", RATE, BARE},
            Refused{"10", TIME, BARE},
            Refused{"0", TIME, BARE},
            Refused{"0.5B", BYTES, FINE},
            Refused{"0.1KiB", BYTES, FINE}, // 102.4 bytes
            Refused{"0.00005KB", BYTES, FINE},
            Refused{"0.5p", PACKETS, FINE},
            Refused{"1.5", COUNT, FINE},
            Refused{"0.1ns", TIME, FINE},
            Refused{"1.0000000001s", TIME, FINE},
            Refused{"9223372036854775808", COUNT, LARGE}, // 2^63
            Refused{"8388608TiB", BYTES, LARGE},          // 2^23 2^40
            Refused{"9224PB", BYTES, LARGE},
            Refused{"9999999999999999999s", TIME, LARGE},
            Refused{"10000000000000000000", COUNT, LONG},
            Refused{"1.00000000000000000000s", TIME, LONG},
        };
        for (const auto& refused : REFUSED)
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(ParseWhole(refused.text, refused.dimension)),
                                  refused.reason,
                                  refused.text);
        }
    }
};

/**
 * @ingroup gridftp
 * ParseWhole(FormatWhole(x)) == x, and the texts a person would write.
 */
class QuantityFormatTest : public TestCase
{
  public:
    QuantityFormatTest()
        : TestCase("quantities: written and read back, they are the same")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::array KNOWN{
            Written{"100Mbps", RATE, 100'000'000},
            Written{"1500Mbps", RATE, 1'500'000'000},
            Written{"64KiB", BYTES, 65'536},
            Written{"1500B", BYTES, 1'500},
            Written{"10GB", BYTES, 10'000'000'000},
            Written{"1MiB", BYTES, 1'048'576},
            Written{"10ms", TIME, 10'000'000},
            Written{"1000001us", TIME, 1'000'001'000},
            Written{"100p", PACKETS, 100},
            Written{"2", SEGMENTS, 2},
            Written{"0B", BYTES, 0},
            Written{"0bps", RATE, 0},
            Written{"0ns", TIME, 0},
            Written{"0p", PACKETS, 0},
            Written{"9223372036854775807ns", TIME, LARGEST},
        };
        for (const auto& known : KNOWN)
        {
            NS_TEST_EXPECT_MSG_EQ(FormatWhole(known.value, known.dimension),
                                  known.text,
                                  "of " << known.value);
        }
        for (const auto dimension : WHOLE_DIMENSIONS)
        {
            for (int i = 0; i < 3000; ++i)
            {
                CheckSame(DrawWhole(), dimension);
            }
            CheckSame(LARGEST, dimension);
        }
    }

    /// @return a random whole number of any size, every second one a multiple of some unit
    int64_t DrawWhole()
    {
        constexpr std::array<int64_t, 6> UNITS{1'000,
                                               1'024,
                                               1'000'000,
                                               1 << 20,
                                               1 << 30,
                                               1LL << 40};
        const auto value = static_cast<int64_t>(m_random() >> (1 + m_random() % 63));
        const int64_t unit = UNITS[m_random() % UNITS.size()];
        return m_random() % 2 == 0 ? value : value / unit * unit;
    }

    /**
     * Writes a number and reads it.
     * @param value the number
     * @param dimension what it counts
     */
    void CheckSame(int64_t value, Dimension dimension)
    {
        const std::string text = FormatWhole(value, dimension);
        const auto read = ParseWhole(text, dimension);
        NS_TEST_ASSERT_MSG_EQ(Reason(read), "no error", text);
        NS_TEST_ASSERT_MSG_EQ(*read, value, text);
    }

    std::mt19937_64 m_random{20080519}; //!< the standard fixes its sequence
};

/**
 * @ingroup gridftp
 * Real numbers, against the C library.
 */
class RealNumberTest : public TestCase
{
  public:
    RealNumberTest()
        : TestCase("real numbers: correctly rounded, with or without an exponent")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random{20080519};
        for (int i = 0; i < 20000; ++i)
        {
            // Up to 15 digits, with the point anywhere in or before them.
            std::string text = std::to_string(random() % 1'000'000'000'000'000 >> random() % 50);
            const size_t places = random() % 18;
            text.insert(0, places >= text.size() ? places + 1 - text.size() : 0, '0');
            text.insert(text.size() - places, places > 0 ? "." : "");
            const auto read = ParseReal(text);
            NS_TEST_ASSERT_MSG_EQ(Reason(read), "no error", text);
            NS_TEST_ASSERT_MSG_EQ(*read, std::strtod(text.c_str(), nullptr), text);
            NS_TEST_ASSERT_MSG_EQ(std::strtod(FormatReal(*read).c_str(), nullptr), *read, text);
            // What a result echoes can be given again
            NS_TEST_ASSERT_MSG_EQ(*ParseReal(FormatReal(*read)), *read, text);
            text += std::string(1, "eE"[random() % 2]) + std::to_string(5 - int(random() % 10));
            const auto scaled = ParseReal(text);
            if (Reason(scaled) == "no error")
            {
                NS_TEST_ASSERT_MSG_EQ(*scaled, std::strtod(text.c_str(), nullptr), text);
            }
            else
            {
                NS_TEST_ASSERT_MSG_EQ(Reason(scaled), "has too large an exponent", text);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(*ParseReal("5e-5"), 0.00005, "a probability as people write it");
        NS_TEST_EXPECT_MSG_EQ(*ParseReal("1.5E+02"), 150.0, "as printf() writes it");
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseReal("1e23")), "has too large an exponent", "");
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseReal("1e1000")), "has too large an exponent", "");
        NS_TEST_EXPECT_MSG_EQ(FormatReal(0.1),
                              "0.1",
                              "the shortest text, not 0.1000000000000000056");
        // 2^53 is the first whole number after which doubles leave some out.
        NS_TEST_EXPECT_MSG_EQ(*ParseReal("9007199254740991"), 9007199254740991.0, "2^53 - 1");
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseReal("9007199254740993")), "has too many digits", "");
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseReal("0.00000000000000000001")),
                              "has too many digits",
                              "");
        for (const auto text :
             {"",    "-1", "+1", "1e",  "e3", "1e+", "1e--3", "1e 3", "1e3.5", "1em", "nan",
              "inf", ".5", "5.", "1,5", " 1", "1 ",  "0x1",   "1%",   "1.2.3", "one"})
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(ParseReal(text)), "is not a number", text);
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new QuantityUnitsTest,
            new QuantityErrorsTest,
            new QuantityFormatTest,
            new RealNumberTest};
});

} // namespace ns3::gridftp
