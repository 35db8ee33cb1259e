/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_TCP_H
#define GRIDFTP_OPTION_TCP_H

#include "gridftp-expected.h"
#include "gridftp-option-table.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Options of TCP, of all hosts or of one session's; --stack, and what that one word sets.
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

/**
 * @ingroup gridftp
 * Sets Option::variants of the rows that --stack=linux sets.
 *
 * Contract: called as AddNeeds(), for each part of the table once.
 *
 * @param table rows, perhaps without some of these options
 */
void AddStackVariants(std::vector<Option>& table);

/**
 * @ingroup gridftp
 * Sets what --stack=linux means, in options that the user does not give: initial window, delayed
 * ACKs, SACK, timestamps, congestion control, buffers.
 *
 * Contract: ParseTransfer() and ParseScenarioJson() call it when the options of the first session
 * are read, before ApplyHostSettings() and before further sessions copy them.
 *
 * @param request whose option --stack is read; the other options are set in it
 * @param isGiven whether the user gives an option, by its name
 */
void ApplyStack(TransferRequest& request,
                const std::function<bool(std::string_view option)>& isGiven);

/** @ingroup gridftp @brief What --stack decides of a session or a background connection. */
struct StackTarget
{
    TcpSpec& tcp;            //!< its TCP
    std::string& congestion; //!< its congestion control
    BufferSpec& buffers;     //!< its buffers
    bool asksForBuffers;     //!< its application sets the size of its buffers (SO_RCVBUF)
};

/**
 * @ingroup gridftp
 * Sets the same options for a further session or a background connection whose stack differs from
 * the first session's, to the defaults of its stack; does nothing where the stacks are equal.
 *
 * Contract: AssignSession() and AddBackground() call it after they have assigned the values of the
 * item.
 *
 * @param first stack of the first session
 * @param target what is set
 * @param isGiven whether the item names an option, which then stays as it is
 */
void ApplyOtherStack(TcpStack first,
                     const StackTarget& target,
                     const std::function<bool(std::string_view option)>& isGiven);

/**
 * @ingroup gridftp
 * Checks that the Linux stack models how socket buffers are sized.
 *
 * @param stack of the hosts
 * @param buffers of a session or a background connection
 * @param quote shows "name=VALUE" as it is given for it
 * @return nothing, or what is not modelled
 */
Done CheckStackBuffers(TcpStack stack,
                       const BufferSpec& buffers,
                       const std::function<std::string(const std::string&)>& quote);

/**
 * @ingroup gridftp
 * @param stack of the hosts
 * @return names that --tcp may have on engine segment
 */
std::vector<std::string_view> GetTcpChoices(TcpStack stack);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_TCP_H
