/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_TRACE_TEXT_H
#define LAB_TRACE_TEXT_H

#include "gridftp-segment-simulator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/** @brief The traces of a span of time as CSV, as `./gridftp run --trace` writes them. */
class TraceText : public SegmentObserver
{
  public:
    /** Most bytes of the three files together. */
    static constexpr size_t MOST_BYTES = 64 << 20;

    /** @param beginNs first time kept, ns @param endNs last time kept, ns */
    TraceText(int64_t beginNs, int64_t endNs);

    /** @return whether MOST_BYTES were too few */
    bool IsFull() const
    {
        return m_full;
    }

    /** @return cwnd.csv */
    const std::string& GetCwnd() const
    {
        return m_cwnd;
    }

    /** @return queue.csv */
    const std::string& GetQueue() const
    {
        return m_queue;
    }

    /** @return drops.csv */
    const std::string& GetDrops() const
    {
        return m_drops;
    }

    // Inherited from SegmentObserver
    void HandleLength(int64_t now, uint64_t packets) override;
    void HandleWindow(int64_t now,
                      const ConnectionLabel& label,
                      const SegmentSender& sender) override;
    void HandleDrop(int64_t now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence) override;

  private:
    /** @param now ns @return whether a row of that time is kept */
    bool IsKept(int64_t now);

    int64_t m_beginNs;   //!< first time kept
    int64_t m_endNs;     //!< last time kept
    bool m_full{false};  //!< see IsFull()
    std::string m_cwnd;  //!< cwnd.csv
    std::string m_queue; //!< queue.csv
    std::string m_drops; //!< drops.csv
};

} // namespace ns3::gridftp

#endif // LAB_TRACE_TEXT_H
