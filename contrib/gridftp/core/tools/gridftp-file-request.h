/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_REQUEST_H
#define GRIDFTP_FILE_REQUEST_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * How tools of datagrams begin over their TCP connection: the end that receives asks for a file and
 * is told its size.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What the ends say first. */
struct FileRequest
{
    static constexpr uint32_t REQUEST_BYTES = 256; //!< of the path of the file, padded
    static constexpr uint32_t SIZE_BYTES = 8;      //!< of the size of the file, big-endian

    /** @param bytes of the file @return how its size is said */
    static std::vector<uint8_t> MakeSize(uint64_t bytes);

    /** @param said SIZE_BYTES @return the size of the file, bytes */
    static uint64_t ReadSize(std::span<const uint8_t> said);
};

/** @ingroup gridftp @brief Bytes of a TCP connection, until a message is complete. */
class MessageBuffer
{
  public:
    /** @param bytes that have come */
    void Add(std::span<const uint8_t> bytes)
    {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }

    /** @param size of the next message @return it, which is taken off; none: it is not complete */
    std::optional<std::vector<uint8_t>> Take(size_t size);

  private:
    std::deque<uint8_t> m_bytes; //!< that have come and are not taken
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_REQUEST_H
