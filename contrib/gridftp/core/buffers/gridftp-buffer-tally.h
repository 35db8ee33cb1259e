/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_TALLY_H
#define GRIDFTP_BUFFER_TALLY_H

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How large a buffer was over a time. */
struct BufferUse
{
    uint64_t mostBytes{0}; //!< largest
    double byteSeconds{0}; //!< size times time
    double openSeconds{0}; //!< the time
};

/** @ingroup gridftp @brief How large the receive buffers of several connections were. */
class BufferTally
{
  public:
    /** @param use of a connection; one that carried nothing does not count */
    void Add(const BufferUse& use);

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
     * whatever the order in which they were added
     */
    double GetMeanBytes() const;

  private:
    std::vector<BufferUse> m_uses; //!< of each connection
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_TALLY_H
