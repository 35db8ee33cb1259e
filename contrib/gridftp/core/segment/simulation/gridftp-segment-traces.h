/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_TRACES_H
#define GRIDFTP_SEGMENT_TRACES_H

#include "gridftp-buffer-rows.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-rtt-rows.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-trace-rows.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Makes rows of traces of what the segment engine shows. */
class SegmentTraces : public SegmentObserver
{
  public:
    /** @param rows where they go; it outlives this @param wantsBuffers whether there are those of
     * buffers.csv, which are more than all others */
    explicit SegmentTraces(TraceRows& rows, bool wantsBuffers = true)
        : m_rows(rows),
          m_buffers(rows),
          m_rtt(rows),
          m_wantsBuffers(wantsBuffers)
    {
    }

    /** Writes what is left. @param last of the simulation, ns */
    void End(Nanoseconds last)
    {
        m_buffers.End(last);
        m_rtt.End();
    }

    // Inherited from SegmentObserver
    void HandleLength(Nanoseconds now, uint64_t packets) override;
    void HandleWindow(Nanoseconds now,
                      const ConnectionLabel& label,
                      const WindowView& window) override;
    void HandleDrop(Nanoseconds now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence) override;
    bool WantsBuffers() const override;
    bool WantsRtt() const override;
    void HandleRttSample(Nanoseconds now,
                         const ConnectionLabel& label,
                         int64_t sampleNs,
                         int64_t smoothedNs) override;
    void HandleRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs) override;
    void HandleReceiveBuffer(Nanoseconds now,
                             Nanoseconds at,
                             const ConnectionLabel& label,
                             const ReceiveBufferState& state) override;
    void HandleSendBuffer(Nanoseconds now,
                          const ConnectionLabel& label,
                          const SendBufferState& state) override;

  private:
    TraceRows& m_rows;    //!< where they go
    BufferRows m_buffers; //!< those of buffers.csv
    RttRows m_rtt;        //!< those of rtt.csv
    bool m_wantsBuffers;  //!< whether there are any
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TRACES_H
