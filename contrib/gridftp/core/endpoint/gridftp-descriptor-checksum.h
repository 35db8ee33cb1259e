/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DESCRIPTOR_CHECKSUM_H
#define GRIDFTP_DESCRIPTOR_CHECKSUM_H

#include "gridftp-file-checksum.h"
#include "gridftp-file-descriptor.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The checksum of a range of a file on the local disk.
 *
 * Contract: as FileChecksum. Each call of ReadPiece() reads at most 4 MiB, so that the loop of the
 * process can serve connections in between.
 */
class DescriptorChecksum final : public FileChecksum
{
  public:
    /** @param file open for reading @param shown name of it in errors @param offset of the range
     * @param bytes in the range */
    DescriptorChecksum(FileDescriptor file, std::string shown, uint64_t offset, uint64_t bytes);

    // FileChecksum
    uint64_t GetBytes() const override;
    TextResult<bool> ReadPiece() override;
    uint32_t GetValue() const override;

  private:
    FileDescriptor m_file; //!< open for reading
    std::string m_shown;   //!< name of it in errors
    uint64_t m_place;      //!< of the next byte, in the file
    uint64_t m_bytes;      //!< in the range
    uint64_t m_left;       //!< of them not read yet
    Adler32 m_checksum;    //!< of what was read
};

/** @ingroup gridftp @param path of a local file @param offset of a range @param bytes in it
 * @return the checksum of the range; or why the file cannot be read */
TextResult<std::unique_ptr<FileChecksum>> OpenForChecksum(const std::string& path,
                                                          uint64_t offset,
                                                          uint64_t bytes);

} // namespace ns3::gridftp

#endif // GRIDFTP_DESCRIPTOR_CHECKSUM_H
