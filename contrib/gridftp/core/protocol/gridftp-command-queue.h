/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_COMMAND_QUEUE_H
#define GRIDFTP_COMMAND_QUEUE_H

#include "gridftp-control-script.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A command that has been said. */
struct SaidCommand
{
    Command command;      //!< what
    int64_t saidNs{0};    //!< when
    bool isSample{false}; //!< its response time is a sample of R
};

/**
 * @ingroup gridftp
 * The commands that a client has said to a server and that have no final reply yet. A server
 * answers them one after the other, so a reply belongs to the oldest (RFC 959, Section 5.4).
 */
class CommandQueue
{
  public:
    /**
     * A command is said. Only one that the server can answer at once is a sample of R: not one that
     * waits there behind another.
     * @param command what
     * @param nowNs of the simulation
     */
    void Say(Command command, int64_t nowNs)
    {
        const bool isSample = m_commands.empty() && IsTimedVerb(command.verb);
        m_commands.push_back({std::move(command), nowNs, isSample});
    }

    /** The oldest has its final reply. @return it, which is taken off; there must be one */
    SaidCommand TakeAnswered()
    {
        SaidCommand said = std::move(m_commands.front());
        m_commands.pop_front();
        m_last = said.command;
        return said;
    }

    /** @return the oldest, or the one answered last where there is none */
    const Command& GetFirst() const
    {
        return m_commands.empty() ? m_last : m_commands.front().command;
    }

    /** @return whether all have their final replies */
    bool IsEmpty() const
    {
        return m_commands.empty();
    }

    /** @return how many there are */
    size_t GetSize() const
    {
        return m_commands.size();
    }

    /** @return whether there is one that others may not be said behind, see IsSaidAhead() */
    bool IsBarred() const
    {
        return std::ranges::any_of(m_commands, [](const SaidCommand& said) {
            return !IsSaidAhead(said.command.verb);
        });
    }

    /** @return whether there is one that begins a transfer */
    bool HasTransfer() const
    {
        return std::ranges::any_of(m_commands, [](const SaidCommand& said) {
            return IsTransferVerb(said.command.verb);
        });
    }

    /** No reply comes any more. */
    void Clear()
    {
        m_commands.clear();
    }

  private:
    std::deque<SaidCommand> m_commands; //!< the oldest first
    Command m_last{};                   //!< see GetFirst()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_COMMAND_QUEUE_H
