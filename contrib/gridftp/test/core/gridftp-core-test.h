/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CORE_TEST_H
#define GRIDFTP_CORE_TEST_H

#include "gridftp-expected.h"

#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of core share.
 */

namespace ns3::gridftp
{

/**
 * The reason why there is no value.
 * @tparam T the type of a value
 * @param result a value or an error
 * @return the message of the error, "no error" if there is a value
 */
template <typename T>
std::string
Reason(const Expected<T>& result)
{
    return result ? "no error" : result.GetError().message;
}

/**
 * Is a text within another?
 * @param text the longer one
 * @param part the shorter one
 * @return true if so
 */
inline bool
Contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_CORE_TEST_H
