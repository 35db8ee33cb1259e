/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DELIVERY_H
#define GRIDFTP_SEGMENT_DELIVERY_H

#include "gridftp-nanoseconds.h"
#include "gridftp-ring.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What has arrived by when, at a host that runs ahead: as much of it as is ahead of the simulation.
 */
class DeliveryLog
{
  public:
    /**
     * Bytes arrive.
     * @param now of the simulation, ns
     * @param at when they arrive, not before what was added before, ns
     * @param bytes that have arrived from then on
     */
    void Add(Nanoseconds now, Nanoseconds at, uint64_t bytes)
    {
        while (!m_ahead.IsEmpty() && m_ahead.Front().atNs <= now)
        {
            m_bytes = m_ahead.Front().bytes;
            m_ahead.Pop();
        }
        m_ahead.Push({at, bytes});
    }

    /** @param now of the simulation, not before that of the last Add() @return bytes that have
     * arrived by then */
    uint64_t Get(Nanoseconds now) const
    {
        uint64_t bytes = m_bytes;
        for (size_t i = 0; i < m_ahead.GetSize() && m_ahead.At(i).atNs <= now; ++i)
        {
            bytes = m_ahead.At(i).bytes;
        }
        return bytes;
    }

  private:
    /** One arrival. */
    struct Arrival
    {
        int64_t atNs;   //!< when
        uint64_t bytes; //!< that have arrived from then on
    };

    Ring<Arrival> m_ahead; //!< those that may be ahead, in order
    uint64_t m_bytes{0};   //!< that had arrived before them
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DELIVERY_H
