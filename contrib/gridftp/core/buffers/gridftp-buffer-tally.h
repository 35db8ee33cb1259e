/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_TALLY_H
#define GRIDFTP_BUFFER_TALLY_H

#include "gridftp-buffer-meter.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Round-trip times that an application has measured. */
struct MeasuredRtt
{
    uint64_t count{0}; //!< how many
    int64_t sumNs{0};  //!< all of them, ns

    /** @param other more of them */
    void Add(const MeasuredRtt& other)
    {
        count += other.count;
        sumNs += other.sumNs;
    }

    /** @return their mean, s; none without any */
    std::optional<double> GetMeanS() const;
};

/** @ingroup gridftp @brief How large the receive buffers of several connections were. */
class BufferTally
{
  public:
    /** @param use of a connection; one that carried nothing does not count */
    void Add(const BufferUse& use);

    /** @param measured round-trip times of applications that size the buffers */
    void Add(const MeasuredRtt& measured)
    {
        m_measured.Add(measured);
    }

    /** @return round-trip times of applications that size the buffers */
    const MeasuredRtt& GetMeasured() const
    {
        return m_measured;
    }

    /** @param other tally, whose connections count here, too */
    void Add(const BufferTally& other);

    /** @return whether there is a connection */
    bool HasAny() const
    {
        return !m_uses.empty();
    }

    /** @return largest buffer of any, bytes; 0 without any */
    uint64_t GetMostBytes() const;

    /**
     * @return mean over the time that connections were open, bytes; 0 without any. The same
     * whatever the order in which they were added, and exactly what it was where it never changed
     */
    double GetMeanBytes() const;

  private:
    std::vector<BufferUse> m_uses; //!< of each connection
    MeasuredRtt m_measured;        //!< see GetMeasured()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_TALLY_H
