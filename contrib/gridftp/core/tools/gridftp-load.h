/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LOAD_H
#define GRIDFTP_LOAD_H

#include "gridftp-scenario.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * Cross traffic of a given load: datagrams of full size that leave at random times, as a Poisson
 * process, whatever becomes of them. What sends them is an end as those of tools are, so that both
 * engines host it in the same way; it is no tool, for it moves no file.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @return how the datagrams of cross traffic are made; no --tool */
const ToolKind& GetLoadKind();

/** @ingroup gridftp @param scenario resolved @param index of a background, behind the sessions,
 * that has a load @return what its ends are to do */
ToolTransfer MakeLoadTransfer(const Scenario& scenario, size_t index);

/** @ingroup gridftp @brief Sends a datagram after each exponential interval. */
class LoadSource final : public ToolEnd
{
  public:
    /** @param transfer how much @param port its host; outlives it */
    LoadSource(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleTimer(Nanoseconds now, uint32_t timer) override;
    void HandleLost(Nanoseconds now) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

  private:
    /** @return the next interval, ns */
    Nanoseconds DrawInterval();

    ToolPort* m_port;     //!< its host
    uint32_t m_payload;   //!< bytes in a datagram
    Nanoseconds m_meanNs; //!< interval
    uint64_t m_key;       //!< of its random numbers
    uint64_t m_drawn{0};  //!< of those
    bool m_isOver{false}; //!< it sends no more
    ToolCounts m_counts;  //!< what it has sent
};

/** @ingroup gridftp @brief Counts what comes. */
class LoadSink final : public ToolEnd
{
  public:
    void Start(Nanoseconds now) override;
    void HandleData(Nanoseconds now, const DataDatagram& datagram) override;
    void HandleLost(Nanoseconds now) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

  private:
    bool m_isOver{false}; //!< it counts no more
    ToolCounts m_counts;  //!< what has come
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LOAD_H
