/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_ANSWERS_H
#define GRIDFTP_SEGMENT_ANSWERS_H

#include "gridftp-nanoseconds.h"
#include "gridftp-ring.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-link.h"
#include "gridftp-segment-turns.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What hosts that run ahead send, where it comes to the link that they share.
 *
 * All that comes to these hosts comes by one link, in order, and is worked out at once. What they
 * have yet to send follows from what this link has yet to carry, or from an event of theirs, and
 * takes its time from there: the lookahead of conservative parallel simulation (Chandy, Misra). A
 * packet that is at the shared link before that needs no turn, and so nearly none waits here.
 */
class AnswerMerge
{
  public:
    /** Less than one that is never there. */
    AnswerMerge() = default;

    /**
     * @param data the link by which everything comes to the hosts
     * @param events of the simulation
     * @param afterDataNs least time from the end of a transmission there to what it leads to here,
     *        with the transmission itself, ns
     * @param afterEventNs least time from an event of a host to what it leads to here, ns
     */
    AnswerMerge(const DropTailLink& data,
                const EventQueue& events,
                int64_t afterDataNs,
                int64_t afterEventNs)
        : m_data(&data),
          m_events(&events),
          m_afterDataNs(afterDataNs),
          m_afterEventNs(afterEventNs)
    {
    }

    /** @param at when a packet is here, ns @return whether it comes before all that are to come */
    [[gnu::always_inline]] bool IsSettled(Nanoseconds at) const
    {
        return at - m_afterDataNs < m_data->GetFreeNs() &&
               at - m_afterEventNs < m_events->GetNextAheadTime();
    }

    /** @param at when a packet is here, ns @return whether its turn has come at once */
    [[gnu::always_inline]] bool IsTurn(Nanoseconds at) const
    {
        return IsSettled(at) && m_nextNs == NEVER;
    }

    /** @return when the first one that waits is here, ns, or NEVER */
    int64_t GetNextTime() const
    {
        return m_nextNs;
    }

    /** @return the first one that waits; there must be one */
    const Transit& GetNext() const
    {
        return m_waiting.Front();
    }

    /** @param transit a packet that waits */
    void Push(const Transit& transit)
    {
        m_waiting.Add();
        size_t at = m_waiting.GetSize() - 1;
        for (; at > 0 && m_waiting.At(at - 1).IsLater(transit); --at)
        {
            m_waiting.At(at) = m_waiting.At(at - 1);
        }
        m_waiting.At(at) = transit;
        m_nextNs = m_waiting.Front().timeNs;
    }

    /** @return the first one that waits, which is taken off; there must be one */
    Transit Take()
    {
        const Transit first = m_waiting.Front();
        m_waiting.Pop();
        m_nextNs = m_waiting.IsEmpty() ? NEVER : m_waiting.Front().timeNs;
        return first;
    }

  private:
    const DropTailLink* m_data{nullptr}; //!< by which everything comes to the hosts
    const EventQueue* m_events{nullptr}; //!< of the simulation
    int64_t m_afterDataNs{0};            //!< from data to answers
    int64_t m_afterEventNs{0};           //!< from events to what they send
    int64_t m_nextNs{NEVER};             //!< see GetNextTime()
    Ring<Transit> m_waiting;             //!< in order
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_ANSWERS_H
