/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-quantity.h"

#include "gridftp-decimal.h"

#include <algorithm>
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

/** A number and the text behind it. */
struct Quantity
{
    Decimal number;          //!< what stands in front of the unit; its exponent is 0 or below
    std::string_view suffix; //!< the rest of the text
};

constexpr int MAX_EXPONENT = 22;  // powers of ten up to this one are doubles
constexpr size_t MAX_DIGITS = 19; // ParseDecimal() rounds what has more

/** Reads digits[.digits]; unlike numbers of other programs, an option has no sign and no ".5". */
Expected<Quantity>
ReadQuantity(std::string_view text)
{
    constexpr std::string_view DIGITS = "0123456789";
    const size_t point = std::min(text.find_first_not_of(DIGITS), text.size());
    const bool hasPoint = text.substr(point).starts_with('.');
    const size_t end = hasPoint ? text.find_first_not_of(DIGITS, point + 1) : point;
    const std::string_view number = text.substr(0, end);
    if (point == 0 || number.ends_with('.'))
    {
        return Error{"is not a number"};
    }
    const size_t leading = std::min(number.find_first_not_of("0."), number.size());
    const size_t significant = number.size() - leading - (hasPoint && leading < point ? 1 : 0);
    const size_t places = hasPoint ? number.size() - point - 1 : 0;
    if (significant > MAX_DIGITS || places > MAX_DIGITS)
    {
        return Error{"has too many digits"};
    }
    return Quantity{*ParseDecimal(number), text.substr(number.size())};
}

} // namespace

Expected<int64_t>
ParseWhole(std::string_view text, Dimension dimension)
{
    const auto quantity = ReadQuantity(text);
    if (!quantity)
    {
        return quantity.GetError();
    }
    const std::string_view suffix = quantity->suffix;
    for (const auto& unit : UnitsOf(dimension))
    {
        if (unit.name != suffix)
        {
            continue;
        }
        uint64_t factor = static_cast<uint64_t>(unit.factor);
        uint64_t digits = quantity->number.digits;
        for (int places = -quantity->number.exponent; places > 0; --places)
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
    return Error{suffix.empty() ? std::string("lacks a unit")
                                : "has an unknown unit '" + std::string(suffix) + "'"};
}

Expected<double>
ParseReal(std::string_view text)
{
    const auto quantity = ReadQuantity(text);
    if (!quantity)
    {
        return quantity.GetError();
    }
    const auto number = ParseDecimal(text);
    if (!number)
    {
        return Error{"is not a number"};
    }
    // Digits below 2^53 and powers of ten up to 10^22 are exact, so the one operation rounds once.
    constexpr uint64_t EXACT = 1ULL << 53;
    if (number->digits >= EXACT)
    {
        return Error{"has too many digits"};
    }
    const int power = number->exponent;
    if (std::abs(power) > MAX_EXPONENT)
    {
        const bool hasExponent = !quantity->suffix.empty();
        return Error{hasExponent ? "has too large an exponent" : "has too many digits"};
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
