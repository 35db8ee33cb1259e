/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NAMED_VALUES_H
#define GRIDFTP_NAMED_VALUES_H

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Numbers by name: a struct that is given values need not have a member for each.
 *
 * Whoever declares a name says what its number means. A whole number is exact up to 2^53; a word of
 * a list is its index. There are a few of them, so that they are looked for one by one.
 */
class NamedValues
{
  public:
    NamedValues() = default;

    /** @param values each name once; see Set() */
    NamedValues(std::initializer_list<std::pair<std::string_view, double>> values)
        : m_values(values)
    {
    }

    /** @param name of a value @return the value, 0 where there is none of this name */
    double Get(std::string_view name) const
    {
        const auto at = std::ranges::find(m_values, name, &Entry::first);
        return at == m_values.end() ? 0 : at->second;
    }

    /** @param name that stays where it is, as a literal does @param value the new one */
    void Set(std::string_view name, double value)
    {
        const auto at = std::ranges::find(m_values, name, &Entry::first);
        if (at == m_values.end())
        {
            m_values.emplace_back(name, value);
        }
        else
        {
            at->second = value;
        }
    }

    /** @return whether both have the same values, set in the same order */
    bool operator==(const NamedValues&) const = default;

  private:
    using Entry = std::pair<std::string_view, double>; //!< name and value

    std::vector<Entry> m_values; //!< in the order in which they were first set
};

} // namespace ns3::gridftp

#endif // GRIDFTP_NAMED_VALUES_H
