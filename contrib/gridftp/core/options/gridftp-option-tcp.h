/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_TCP_H
#define GRIDFTP_OPTION_TCP_H

#include "gridftp-option.h"

#include <span>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Options of TCP: of all hosts, and of the hosts of one session or background connection.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @return the rows of scope TCP, bound to TcpSpec */
std::span<const Option> GetTcpRows();

/**
 * @ingroup gridftp
 * Adds the rows of GetTcpRows() as keys of a session or a background connection.
 *
 * @tparam MEMBER pointer to the TcpSpec of SessionSpec or BackgroundSpec
 * @param rows gets them
 */
template <auto MEMBER>
void
AddTcpKeys(std::vector<Option>& rows)
{
    for (Option row : GetTcpRows())
    {
        row.scope = OptionScope::SESSION;
        row.binding = NestBinding<MEMBER>(row.binding);
        rows.push_back(row);
    }
}

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_TCP_H
