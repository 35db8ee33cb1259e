/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-parameter.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

Done
TuningParameter::Check(const NamedValues& values) const
{
    const double value = Of(values);
    const double last = choices.empty() ? maximum : static_cast<double>(choices.size()) - 1;
    const bool above = openMinimum ? value > minimum : value >= minimum;
    const bool below = openMaximum ? value < last : value <= last;
    const bool whole = IsWhole() || !choices.empty();
    if (above && below && (!whole || value == static_cast<double>(static_cast<int64_t>(value))))
    {
        return std::monostate{};
    }
    return Error{std::string(name) + " " + FormatReal(value) + " is not " +
                 (whole ? "a whole number " : "") + (openMinimum ? "above " : "from ") +
                 FormatReal(minimum) + (openMaximum ? " to below " : " to ") + FormatReal(last)};
}

} // namespace ns3::gridftp
