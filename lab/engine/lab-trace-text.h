/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_TRACE_TEXT_H
#define LAB_TRACE_TEXT_H

#include "gridftp-nanoseconds.h"
#include "gridftp-trace-rows.h"

#include <array>
#include <cstddef>
#include <string>

namespace ns3::gridftp
{

/** @brief The traces of a span of time as text, what `./gridftp run --trace` writes to files. */
class TraceText : public TraceRows
{
  public:
    /** Most bytes of all traces together. */
    static constexpr size_t MOST_BYTES = 64 << 20;

    /** @param begin first time kept @param end last time kept */
    TraceText(Nanoseconds begin, Nanoseconds end);

    /** @return whether MOST_BYTES were too few */
    bool IsFull() const
    {
        return m_full;
    }

    /** @param trace which one @return what its file would hold */
    const std::string& Get(Trace trace) const
    {
        return m_texts.at(static_cast<size_t>(trace));
    }

  private:
    // Inherited from TraceRows
    bool IsWanted(Nanoseconds now) override;
    void Write(Trace trace, const std::string& row) override;

    Nanoseconds m_begin;                                 //!< first time kept
    Nanoseconds m_end;                                   //!< last time kept
    bool m_full{false};                                  //!< see IsFull()
    size_t m_bytes{0};                                   //!< of all rows
    std::array<std::string, TRACE_NAMES.size()> m_texts; //!< by Trace
};

} // namespace ns3::gridftp

#endif // LAB_TRACE_TEXT_H
