/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_ROW_H
#define GRIDFTP_OPTION_ROW_H

#include "gridftp-option.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * How the rows of the option table are written down; only the table itself needs this.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Engines that know an option: both. */
inline constexpr std::string_view BOTH_ENGINES = "segment,ns3";

/** @ingroup gridftp @brief Engines that know an option: ns-3 alone. */
inline constexpr std::string_view NS3_ONLY = "ns3";

/** @ingroup gridftp @brief Option::engines of what engine segment alone has. */
inline constexpr std::string_view SEGMENT_ONLY = "segment";

/**
 * @ingroup gridftp
 * Stores a table for the life of the process. The initializer of a static reference calls it once.
 * As a static object a table would be destroyed at exit, which would cost every short run as many
 * instructions as its construction.
 *
 * @param rows of the table
 * @return the table, which is never destroyed
 */
inline const std::vector<Option>&
KeepRows(std::vector<Option>&& rows)
{
    return *new const std::vector<Option>(std::move(rows));
}

/** @ingroup gridftp @brief Range of a whole quantity. */
struct WholeRange
{
    int64_t minimum; //!< least
    int64_t maximum; //!< largest
};

/** @ingroup gridftp @brief Range of a real number. */
struct RealRange
{
    double minimum;   //!< least
    double maximum;   //!< largest
    bool openMinimum; //!< without the least
    bool openMaximum; //!< without the largest
};

/**
 * @ingroup gridftp
 * A row with a whole quantity. Known to both engines, as all rows until KnownTo() says otherwise.
 *
 * @param name as in --name=VALUE
 * @param key as in JSON
 * @param scope what it describes
 * @param dimension of the quantity
 * @param defaultText as a person would write it
 * @param range what is allowed
 * @param binding where the value goes
 * @param help one line
 * @return the row
 */
Option WholeRow(std::string_view name,
                std::string_view key,
                OptionScope scope,
                Dimension dimension,
                std::string_view defaultText,
                WholeRange range,
                OptionBinding binding,
                std::string_view help);

/**
 * @ingroup gridftp
 * A row with a real number.
 *
 * @param name as in --name=VALUE
 * @param key as in JSON
 * @param scope what it describes
 * @param defaultText as a person would write it
 * @param range what is allowed
 * @param binding where the value goes
 * @param help one line
 * @return the row
 */
Option RealRow(std::string_view name,
               std::string_view key,
               OptionScope scope,
               std::string_view defaultText,
               RealRange range,
               OptionBinding binding,
               std::string_view help);

/**
 * @ingroup gridftp
 * A row whose value is a word, or that has none.
 *
 * @param kind any but WHOLE and REAL
 * @param name as in --name=VALUE
 * @param key as in JSON
 * @param scope what it describes
 * @param defaultText as a person would write it
 * @param placeholder what --help writes for the value
 * @param choices the words there are; empty: any
 * @param binding where the value goes
 * @param help one line
 * @return the row
 */
Option WordRow(OptionKind kind,
               std::string_view name,
               std::string_view key,
               OptionScope scope,
               std::string_view defaultText,
               std::string_view placeholder,
               std::vector<std::string_view> choices,
               OptionBinding binding,
               std::string_view help);

/**
 * @ingroup gridftp
 * @param engines comma separated
 * @param option a row
 * @return the row, known to these engines
 */
Option KnownTo(std::string_view engines, Option option);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_ROW_H
