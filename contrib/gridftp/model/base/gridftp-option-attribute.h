/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_ATTRIBUTE_H
#define GRIDFTP_OPTION_ATTRIBUTE_H

#include "gridftp-option-table.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * ns-3 attributes made from rows of the option table: help, default and bounds stand there alone.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param name of an option @return its help and unit, for an attribute */
inline std::string
OptionHelp(std::string_view name)
{
    const Option& option = GetOption(name);
    std::string help(option.help);
    if (option.kind == OptionKind::WHOLE && option.dimension == Dimension::BYTES)
    {
        help += ", bytes";
    }
    return help;
}

/** @ingroup gridftp @param name of a WHOLE option @return its default */
inline UintegerValue
OptionUinteger(std::string_view name)
{
    return UintegerValue(static_cast<uint64_t>(GetDefaultWhole(name)));
}

/** @ingroup gridftp @param name of a WHOLE option @return a checker with its bounds */
inline Ptr<const AttributeChecker>
OptionUintegerChecker(std::string_view name)
{
    const Option& option = GetOption(name);
    return MakeUintegerChecker<uint64_t>(
        static_cast<uint64_t>(*std::get_if<int64_t>(&option.minimum)),
        static_cast<uint64_t>(*std::get_if<int64_t>(&option.maximum)));
}

/** @ingroup gridftp @param name of a REAL option @return its default */
inline DoubleValue
OptionDouble(std::string_view name)
{
    return DoubleValue(GetDefaultReal(name));
}

/** @ingroup gridftp @param name of a REAL option @return a checker with its bounds */
inline Ptr<const AttributeChecker>
OptionDoubleChecker(std::string_view name)
{
    const Option& option = GetOption(name);
    constexpr double INF = std::numeric_limits<double>::infinity();
    double low = *std::get_if<double>(&option.minimum);
    double high = *std::get_if<double>(&option.maximum);
    // ns-3's checkers know closed intervals only.
    low = option.openMinimum ? std::nextafter(low, INF) : low;
    high = option.openMaximum ? std::nextafter(high, -INF) : high;
    return MakeDoubleChecker<double>(low, high);
}

/** @ingroup gridftp @param name of a TIME option @return its default */
inline TimeValue
OptionTime(std::string_view name)
{
    return TimeValue(NanoSeconds(GetDefaultWhole(name)));
}

/** @ingroup gridftp @param name of a TIME option @return a checker with its bounds */
inline Ptr<const AttributeChecker>
OptionTimeChecker(std::string_view name)
{
    const Option& option = GetOption(name);
    return MakeTimeChecker(NanoSeconds(*std::get_if<int64_t>(&option.minimum)),
                           NanoSeconds(*std::get_if<int64_t>(&option.maximum)));
}

/** @ingroup gridftp @param name of a TIME option @return a checker with its greatest value, and 0,
 * which is no limit */
inline Ptr<const AttributeChecker>
OptionTimeOrZeroChecker(std::string_view name)
{
    return MakeTimeChecker(Time(0), NanoSeconds(*std::get_if<int64_t>(&GetOption(name).maximum)));
}

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_ATTRIBUTE_H
