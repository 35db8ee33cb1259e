/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_QUANTITY_H
#define GRIDFTP_QUANTITY_H

#include "gridftp-expected.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a number counts, and with that the units it may be written in.
 *
 * KB, MB, GB, TB, PB are powers of ten; KiB, MiB, GiB, TiB powers of two.
 */
enum class Dimension
{
    BYTES,    //!< whole bytes: "64KiB", "10GB", "1500B"; a bare number is bytes
    RATE,     //!< whole bits per second: "100Mbps", "622Mbit/s"
    TIME,     //!< whole nanoseconds: "10ms", "0.2s", "10us"
    PACKETS,  //!< whole packets: "100p" or "100"
    SEGMENTS, //!< whole TCP segments: "2"
    COUNT,    //!< a whole number without a unit: "8"
    REAL      //!< a real number without a unit: "0.8"
};

/**
 * @ingroup gridftp
 * Reads a whole quantity exactly, without going through floating point.
 *
 * @param text e.g. "1.5Gbps"; white space, a sign, inf and nan are refused
 * @param dimension any but Dimension::REAL
 * @return the quantity in the smallest unit of its dimension (bytes, bits per second,
 *         nanoseconds, packets, ...), or what is wrong with the text; values above 9.2e18 and
 *         fractions of the smallest unit are errors
 */
Expected<int64_t> ParseWhole(std::string_view text, Dimension dimension);

/**
 * @ingroup gridftp
 * Reads a real number, correctly rounded for up to 15 significant digits.
 *
 * @param text e.g. "0.8" or "5e-5"; white space, a sign in front, inf and nan are refused, and so
 *        is a number whose last digit is worth less than 1e-22 or more than 1e22
 * @return the number, or what is wrong with the text
 */
Expected<double> ParseReal(std::string_view text);

/**
 * @ingroup gridftp
 * @param dimension a dimension
 * @return an example and the units, for error messages: "a rate such as 100Mbps (...)"
 */
std::string_view DescribeDimension(Dimension dimension);

/**
 * @ingroup gridftp
 * @param dimension a dimension
 * @return the ending of the key under which its values stand in JSON: "_bps", "_s", "" ...
 */
std::string_view KeySuffix(Dimension dimension);

/**
 * @ingroup gridftp
 * Writes a whole quantity as a person would, so that ParseWhole() reads the same back.
 *
 * @param value in the smallest unit of the dimension, not negative
 * @param dimension any but Dimension::REAL
 * @return e.g. "100Mbps"
 */
std::string FormatWhole(int64_t value, Dimension dimension);

/**
 * @ingroup gridftp
 * @param value a number
 * @return the shortest text that reads back as the same double (std::to_chars)
 */
std::string FormatReal(double value);

} // namespace ns3::gridftp

#endif // GRIDFTP_QUANTITY_H
