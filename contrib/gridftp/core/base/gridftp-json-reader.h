/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_JSON_READER_H
#define GRIDFTP_JSON_READER_H

#include "gridftp-expected.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a JSON value is. */
enum class JsonKind
{
    NOTHING, //!< null
    BOOLEAN, //!< true or false
    NUMBER,  //!< a number
    TEXT,    //!< a string
    ARRAY,   //!< a list of values
    OBJECT   //!< values with keys
};

/**
 * @ingroup gridftp
 * A JSON value that was read.
 */
struct JsonValue
{
    JsonKind kind{JsonKind::NOTHING}; //!< what it is
    bool flag{false};                 //!< of BOOLEAN
    std::string text;                 //!< of TEXT, without escapes, UTF-8; of NUMBER, as written
    std::vector<std::string> keys;    //!< of OBJECT, in order, no two the same
    std::vector<JsonValue> items;     //!< of ARRAY, and of OBJECT one for each key

    /** @return the nearest double of a NUMBER; nothing beyond the range of doubles */
    std::optional<double> GetReal() const;

    /** @return a NUMBER that is whole and exact, 1e3 as well as 1000; nothing otherwise */
    std::optional<int64_t> GetWhole() const;
};

/**
 * @ingroup gridftp
 * Reads one JSON text (RFC 8259), and nothing but it.
 *
 * As strict as the RFC: no comments, no trailing commas, no NaN; and where the RFC leaves a choice,
 * a key that comes twice, text that is not UTF-8 (half a surrogate pair included) and values nested
 * more than 32 deep are errors.
 *
 * @param text the whole text
 * @return the value, or what is wrong at which byte, counted from 1
 */
Expected<JsonValue> ParseJson(std::string_view text);

} // namespace ns3::gridftp

#endif // GRIDFTP_JSON_READER_H
