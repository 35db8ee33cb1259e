/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_CHECKSUM_H
#define GRIDFTP_FILE_CHECKSUM_H

#include "gridftp-adler32.h"
#include "gridftp-control-text.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The checksum of a range of a file, which is read piece by piece.
 *
 * Contract: ChecksumTask calls ReadPiece() until it returns true, then GetValue(). After an error
 * it calls neither.
 */
class FileChecksum
{
  public:
    virtual ~FileChecksum() = default;

    /** @return bytes in the range */
    virtual uint64_t GetBytes() const = 0;

    /** Reads the next piece. @return true if it was the last one, false if more follow; or an error
     * with code 451 */
    virtual TextResult<bool> ReadPiece() = 0;

    /** @return checksum of all that was read */
    virtual uint32_t GetValue() const = 0;
};

/** @ingroup gridftp @param offset of a range @param length asked, bytes; none: up to the end of the
 * file @param fileBytes size of the file @return length of the range that is in the file, bytes */
inline uint64_t
ClipLength(uint64_t offset, std::optional<uint64_t> length, uint64_t fileBytes)
{
    const uint64_t most = fileBytes - std::min(offset, fileBytes);
    return std::min(length.value_or(most), most);
}

/** @ingroup gridftp @brief Makes the checksum of a range of the file that a client moves. @param
 * offset of the range @param bytes in it @return it, or why there is none */
using ChecksumMaker =
    std::function<TextResult<std::unique_ptr<FileChecksum>>(uint64_t offset, uint64_t bytes)>;

/**
 * @ingroup gridftp
 * The checksum of a simulated file, all of whose bytes are 0, as in engine ns3's packets.
 */
class ZeroChecksum final : public FileChecksum
{
  public:
    /** @param bytes in the range */
    explicit ZeroChecksum(uint64_t bytes)
        : m_bytes(bytes)
    {
    }

    // FileChecksum
    uint64_t GetBytes() const override
    {
        return m_bytes;
    }

    TextResult<bool> ReadPiece() override
    {
        m_checksum.AddZeros(m_bytes);
        return true;
    }

    uint32_t GetValue() const override
    {
        return m_checksum.GetValue();
    }

  private:
    uint64_t m_bytes;   //!< in the range
    Adler32 m_checksum; //!< of what was read
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_CHECKSUM_H
