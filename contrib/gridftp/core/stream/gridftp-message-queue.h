/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MESSAGE_QUEUE_H
#define GRIDFTP_MESSAGE_QUEUE_H

#include "gridftp-nanoseconds.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The messages of an endpoint that are not written yet, see ByteStream::Say(). Messages of the same
 * time are written one nanosecond apart.
 *
 * Contract: a driver calls Add() for each message, and Take() once at the time that Add() returns.
 */
class MessageQueue
{
  public:
    /** @param now current simulation time @param bytes a message, copied @return when to write it
     */
    Nanoseconds Add(Nanoseconds now, std::span<const uint8_t> bytes)
    {
        m_messages.emplace_back(bytes.begin(), bytes.end());
        const Nanoseconds at = std::max(now, m_nextNs);
        m_nextNs = at + 1;
        return at;
    }

    /** @return the next message, removed; none: they were dropped */
    std::optional<std::vector<uint8_t>> Take()
    {
        if (m_messages.empty())
        {
            return std::nullopt;
        }
        std::vector<uint8_t> message = std::move(m_messages.front());
        m_messages.pop_front();
        return message;
    }

    /** @return whether every message is taken */
    bool IsEmpty() const
    {
        return m_messages.empty();
    }

    /** Drops all messages. */
    void Drop()
    {
        m_messages.clear();
    }

  private:
    std::deque<std::vector<uint8_t>> m_messages; //!< not written yet
    Nanoseconds m_nextNs{0};                     //!< earliest time to write the next one
};

} // namespace ns3::gridftp

#endif // GRIDFTP_MESSAGE_QUEUE_H
