/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-quantity.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>

namespace ns3::gridftp
{

namespace
{

/** A unit: its name and how many of the smallest unit it holds. */
struct UnitName
{
    std::string_view name; //!< as written behind the number
    int64_t factor;        //!< in smallest units
};

constexpr int64_t KIBI = 1024;

/** Largest unit first, so that FormatWhole() finds the one that divides. */
constexpr std::array BYTE_UNITS{
    UnitName{"PB", 1'000'000'000'000'000},
    UnitName{"TiB", KIBI* KIBI* KIBI* KIBI},
    UnitName{"TB", 1'000'000'000'000},
    UnitName{"GiB", KIBI* KIBI* KIBI},
    UnitName{"GB", 1'000'000'000},
    UnitName{"MiB", KIBI* KIBI},
    UnitName{"MB", 1'000'000},
    UnitName{"KiB", KIBI},
    UnitName{"KB", 1'000},
    UnitName{"kB", 1'000},
    UnitName{"B", 1},
    UnitName{"", 1},
};

constexpr std::array RATE_UNITS{
    UnitName{"Tbps", 1'000'000'000'000},
    UnitName{"Tbit/s", 1'000'000'000'000},
    UnitName{"Gbps", 1'000'000'000},
    UnitName{"Gbit/s", 1'000'000'000},
    UnitName{"Mbps", 1'000'000},
    UnitName{"Mbit/s", 1'000'000},
    UnitName{"kbps", 1'000},
    UnitName{"Kbps", 1'000},
    UnitName{"kbit/s", 1'000},
    UnitName{"bps", 1},
    UnitName{"bit/s", 1},
};

constexpr std::array TIME_UNITS{
    UnitName{"s", 1'000'000'000},
    UnitName{"ms", 1'000'000},
    UnitName{"us", 1'000},
    UnitName{"ns", 1},
};

constexpr std::array PACKET_UNITS{UnitName{"p", 1}, UnitName{"", 1}};
constexpr std::array BARE_UNITS{UnitName{"", 1}};

std::span<const UnitName>
UnitsOf(Dimension dimension)
{
    switch (dimension)
    {
    case Dimension::BYTES:
        return BYTE_UNITS;
    case Dimension::RATE:
        return RATE_UNITS;
    case Dimension::TIME:
        return TIME_UNITS;
    case Dimension::PACKETS:
        return PACKET_UNITS;
    default:
        return BARE_UNITS;
    }
}

/** A decimal number as an integer and a number of decimal places, and what stands behind it. */
struct Decimal
{
    uint64_t digits{0};      //!< all digits, without the point
    int places{0};           //!< how many of them stand behind the point
    std::string_view suffix; //!< the rest of the text
};

constexpr int MAX_EXPONENT = 22; // powers of ten up to this one are doubles
constexpr int MAX_DIGITS = 19;   // more would not fit into the digits of a Decimal

/** Reads digits[.digits]; nothing else starts a number. */
Expected<Decimal>
ReadDecimal(std::string_view text)
{
    Decimal number;
    size_t at = 0;
    int significant = 0;
    bool any = false;
    bool point = false;
    for (; at < text.size(); ++at)
    {
        const char c = text[at];
        if (c == '.' && !point)
        {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
        {
            break;
        }
        any = true;
        if (significant > 0 || c != '0')
        {
            ++significant;
        }
        if (significant > MAX_DIGITS || number.places >= MAX_DIGITS)
        {
            return Error{"has too many digits"};
        }
        number.digits = number.digits * 10 + static_cast<uint64_t>(c - '0');
        number.places += point ? 1 : 0;
    }
    if (!any || text[0] == '.' || text[at - 1] == '.')
    {
        return Error{"is not a number"};
    }
    number.suffix = text.substr(at);
    return number;
}

/** Reads e or E, a sign or none, and one to three digits. @return none for any other text */
std::optional<int>
ReadExponent(std::string_view text)
{
    if (text.empty() || (text[0] != 'e' && text[0] != 'E'))
    {
        return std::nullopt;
    }
    text.remove_prefix(1);
    const bool isNegative = text.starts_with('-');
    text.remove_prefix(isNegative || text.starts_with('+') ? 1 : 0);
    int exponent = 0;
    const char* const last = text.data() + text.size();
    const bool isRight = !text.empty() && text.size() <= 3 && text[0] >= '0' && text[0] <= '9' &&
                         std::from_chars(text.data(), last, exponent).ptr == last;
    return isRight ? std::optional(isNegative ? -exponent : exponent) : std::nullopt;
}

} // namespace

Expected<int64_t>
ParseWhole(std::string_view text, Dimension dimension)
{
    auto number = ReadDecimal(text);
    if (!number)
    {
        return number.GetError();
    }
    for (const auto& unit : UnitsOf(dimension))
    {
        if (unit.name != number->suffix)
        {
            continue;
        }
        uint64_t factor = static_cast<uint64_t>(unit.factor);
        uint64_t digits = number->digits;
        for (int i = 0; i < number->places; ++i)
        {
            // Take each decimal place off whichever side still has a factor of ten.
            if (digits % 10 == 0)
            {
                digits /= 10;
            }
            else if (factor % 10 == 0)
            {
                factor /= 10;
            }
            else if (digits % 5 == 0 && factor % 2 == 0)
            {
                digits /= 5;
                factor /= 2;
            }
            else
            {
                return Error{"is finer than the smallest unit"};
            }
        }
        constexpr auto LIMIT = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        if (digits != 0 && factor > LIMIT / digits)
        {
            return Error{"is too large"};
        }
        return static_cast<int64_t>(digits * factor);
    }
    return Error{number->suffix.empty()
                     ? std::string("lacks a unit")
                     : "has an unknown unit '" + std::string(number->suffix) + "'"};
}

Expected<double>
ParseReal(std::string_view text)
{
    auto number = ReadDecimal(text);
    if (!number)
    {
        return number.GetError();
    }
    const auto exponent = number->suffix.empty() ? std::optional(0) : ReadExponent(number->suffix);
    if (!exponent)
    {
        return Error{"is not a number"};
    }
    // Digits below 2^53 and powers of ten up to 10^22 are exact, so the one operation rounds once.
    constexpr uint64_t EXACT = 1ULL << 53;
    if (number->digits >= EXACT)
    {
        return Error{"has too many digits"};
    }
    const int power = *exponent - number->places;
    if (std::abs(power) > MAX_EXPONENT)
    {
        return Error{*exponent == 0 ? "has too many digits" : "has too large an exponent"};
    }
    double factor = 1;
    for (int i = 0; i < std::abs(power); ++i)
    {
        factor *= 10;
    }
    const auto digits = static_cast<double>(number->digits);
    return power < 0 ? digits / factor : digits * factor;
}

std::string_view
DescribeDimension(Dimension dimension)
{
    switch (dimension)
    {
    case Dimension::BYTES:
        return "a size such as 64KiB or 10GB";
    case Dimension::RATE:
        return "a rate such as 100Mbps";
    case Dimension::TIME:
        return "a time such as 10ms";
    case Dimension::PACKETS:
        return "a number of packets such as 100p";
    case Dimension::SEGMENTS:
        return "a number of segments such as 2";
    case Dimension::COUNT:
        return "a whole number";
    case Dimension::REAL:
        return "a number such as 0.8";
    }
    return "";
}

std::string_view
KeySuffix(Dimension dimension)
{
    switch (dimension)
    {
    case Dimension::BYTES:
        return "_bytes";
    case Dimension::RATE:
        return "_bps";
    case Dimension::TIME:
        return "_s";
    case Dimension::PACKETS:
        return "_packets";
    case Dimension::SEGMENTS:
        return "_segments";
    default:
        return "";
    }
}

std::string
FormatWhole(int64_t value, Dimension dimension)
{
    for (const auto& unit : UnitsOf(dimension))
    {
        if (value % unit.factor == 0 && (value != 0 || unit.factor == 1))
        {
            return std::to_string(value / unit.factor) + std::string(unit.name);
        }
    }
    return std::to_string(value);
}

std::string
FormatReal(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return std::string(text.data(), end.ptr);
}

} // namespace ns3::gridftp
