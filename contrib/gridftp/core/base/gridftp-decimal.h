/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DECIMAL_H
#define GRIDFTP_DECIMAL_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A number as other programs write it, in 19 significant digits: digits x 10^exponent.
 */
struct Decimal
{
    bool isNegative{false}; //!< it has a minus sign
    uint64_t digits{0};     //!< all of its significant digits
    int exponent{0};        //!< power of ten

    /** @return whether it is 0, with or without a sign */
    bool IsZero() const
    {
        return digits == 0;
    }
};

/**
 * @ingroup gridftp
 * Reads a number such as "12", "-0.5", ".5", "1.", "1.000000000000000000e+00". Digits beyond the
 * 19th significant one are rounded.
 *
 * @param text the number alone, without white space
 * @param point the decimal separator: '.' or ','
 * @return the number, or nothing where the text is none; "nan" and "inf" are none
 */
std::optional<Decimal> ParseDecimal(std::string_view text, char point = '.');

/**
 * @ingroup gridftp
 * @param number to convert
 * @param unit that it counts, in smallest units; above 0
 * @return number x unit, rounded to the nearest whole number, or nothing where that has no int64_t
 */
std::optional<int64_t> ToWhole(const Decimal& number, int64_t unit);

} // namespace ns3::gridftp

#endif // GRIDFTP_DECIMAL_H
