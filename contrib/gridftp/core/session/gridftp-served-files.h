/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVED_FILES_H
#define GRIDFTP_SERVED_FILES_H

#include "gridftp-control-text.h"
#include "gridftp-file-checksum.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The files of a server, as one of its sessions sees them.
 *
 * Contract: a session calls OpenSource() or OpenSink() before each transfer, then CompleteSink()
 * when all data of an upload have arrived, or DropFiles() when the transfer failed. At most one
 * file is open: each of these calls closes an earlier one.
 */
class ServedFiles
{
  public:
    /** What a client wants to store. */
    struct Upload
    {
        std::string path{};              //!< of the file
        uint64_t offset{0};              //!< of the first byte in the file
        std::optional<uint64_t> bytes{}; //!< how many; none: not known
        bool isPart{false};              //!< ESTO: other bytes of the file stay as they are
        bool continues{false};           //!< REST: an earlier attempt has stored some of it
    };

    virtual ~ServedFiles() = default;

    /** @param path of a file @return its size, bytes; or 550 */
    virtual TextResult<uint64_t> FindSize(const std::string& path) = 0;

    /** Opens a file to send. @param path of it @return its size, bytes; or 550 */
    virtual TextResult<uint64_t> OpenSource(const std::string& path) = 0;

    /** Opens a file to store. @param upload what @return nothing, or the error of a reply: code
     * 450, 550, 552 or 553 */
    virtual std::optional<TextError> OpenSink(const Upload& upload) = 0;

    /** All data of the upload have arrived. @param end position of the first byte behind them;
     * where the file is not a part, its size @return nothing, or the error of the final reply: code
     * 451 or 552 */
    virtual std::optional<TextError> CompleteSink(uint64_t end) = 0;

    /** Begins with the checksum of a range of a file; other files stay open. @param path of the
     * file @param offset of the range @param length of it, bytes, where the file does not end
     * earlier; none: up to the end of the file @return it; or 550 */
    virtual TextResult<std::unique_ptr<FileChecksum>> MakeChecksum(
        const std::string& path,
        uint64_t offset,
        std::optional<uint64_t> length) = 0;

    /** Closes the file of a transfer that failed. */
    virtual void DropFiles() = 0;
};

/**
 * @ingroup gridftp
 * The files of a simulated server: every path names a file of the same size, and any file can be
 * stored.
 */
class UniformFiles final : public ServedFiles
{
  public:
    /** @param bytes of each file */
    explicit UniformFiles(uint64_t bytes)
        : m_bytes(bytes)
    {
    }

    // ServedFiles
    TextResult<uint64_t> FindSize(const std::string& /* path */) override
    {
        return m_bytes;
    }

    TextResult<uint64_t> OpenSource(const std::string& /* path */) override
    {
        return m_bytes;
    }

    std::optional<TextError> OpenSink(const Upload& /* upload */) override
    {
        return std::nullopt;
    }

    std::optional<TextError> CompleteSink(uint64_t /* end */) override
    {
        return std::nullopt;
    }

    TextResult<std::unique_ptr<FileChecksum>> MakeChecksum(const std::string& /* path */,
                                                           uint64_t offset,
                                                           std::optional<uint64_t> length) override
    {
        return std::unique_ptr<FileChecksum>(
            std::make_unique<ZeroChecksum>(ClipLength(offset, length, m_bytes)));
    }

    void DropFiles() override
    {
    }

  private:
    uint64_t m_bytes; //!< of each file
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVED_FILES_H
