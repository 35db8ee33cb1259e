/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BOTTLENECK_PROBE_H
#define GRIDFTP_BOTTLENECK_PROBE_H

#include "gridftp-result.h"
#include "gridftp-topology.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Watches the queue of a link, such as the bottleneck's in the direction of the data.
 *
 * Bits and drops come from the queue's own counters, so only its length costs a call per packet.
 */
class BottleneckProbe
{
  public:
    /** @param queue where the data enters the link */
    explicit BottleneckProbe(Ptr<Queue<Packet>> queue);

    ~BottleneckProbe();

    BottleneckProbe(const BottleneckProbe&) = delete;
    BottleneckProbe& operator=(const BottleneckProbe&) = delete;

    /** The first session starts: what was before does not count. */
    void Begin();

    /** Sums up to now; the last call counts. */
    void Mark();

    /** @return bytes that have left the queue since Begin() */
    uint64_t GetForwardedBytes() const;

    /**
     * @param link whose queue it is
     * @param beginNs since when, ns; at Begin() or so little later that nothing has waited between
     * @return what happened from then until the last Mark()
     */
    LinkResult GetResult(const LinkSpec& link, int64_t beginNs) const;

  private:
    /** The length changes. @param before packets waiting @param now packets waiting */
    void HandleLength(uint32_t before, uint32_t now);

    /** Adds the time since the last change. */
    void Integrate();

    Ptr<Queue<Packet>> m_queue; //!< the queue
    uint32_t m_counter{0};      //!< the queue's own count of bytes, as it was last
    uint64_t m_received{0};     //!< bytes that waited at Begin(), and that came since
    uint64_t m_beginDrops{0};   //!< dropped before Begin()
    int64_t m_changeNs{0};      //!< time of the last change of the length
    uint32_t m_length{0};       //!< packets waiting since then
    uint32_t m_most{0};         //!< most packets waiting, for any time at all
    double m_packetNs{0};       //!< integral of the length over time
    LinkResult m_marked;        //!< at the last Mark(), with bits instead of a utilisation
    int64_t m_markNs{0};        //!< time of the last Mark()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BOTTLENECK_PROBE_H
