/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STORED_FILE_H
#define GRIDFTP_STORED_FILE_H

#include "gridftp-block-receiver.h"
#include "gridftp-expected.h"
#include "gridftp-file-descriptor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A file on disk that a BlockReceiver writes.
 *
 * Until Commit(), the data are in a temporary file of the same folder, `.NAME.partial-PID-NUMBER`.
 * The destructor removes it unless Commit() has renamed it. Therefore a file with its final name
 * always has all of its data, as far as this process is concerned. Data reach the disk when the
 * system writes them: Commit() does not call fsync(), which would stop all connections of the loop
 * for seconds. A path that exists and is not a regular file, such as /dev/null, is written in
 * place.
 *
 * Contract: the owner passes it to BlockReceiver::SetFile(), and calls Commit() when the receiver
 * reports that all has arrived. It may stay open for several attempts of a transfer (REST).
 */
class StoredFile final : public ReceivedFile
{
  public:
    /** Opens the file. @param path final name; an existing regular file is replaced by Commit() */
    explicit StoredFile(const std::string& path);

    ~StoredFile() override;

    StoredFile(const StoredFile&) = delete;
    StoredFile& operator=(const StoredFile&) = delete;

    /** @return the first error, with the path, one line; empty: none so far. After an error,
     * Store() has no effect and Commit() fails */
    const std::string& GetError() const
    {
        return m_error;
    }

    /** @return where the data are until Commit() */
    const std::string& GetTemporaryPath() const
    {
        return m_temporary;
    }

    /** Closes the file and gives it its final name; once. @return nothing, or the first error */
    Done Commit();

    // ReceivedFile
    void Store(uint64_t place,
               const ArrivedBytes& bytes,
               uint64_t position,
               uint64_t length) override;

  private:
    /** Creates the temporary file. */
    void Create();

    /** Records the first error. @param call name of the system call that failed, errno is set */
    void Fail(const char* call);

    std::string m_path;            //!< final name
    std::string m_temporary;       //!< see GetTemporaryPath()
    FileDescriptor m_file;         //!< open for writing
    bool m_isTemporary{false};     //!< m_temporary is to be renamed or removed
    std::string m_error;           //!< see GetError()
    std::vector<uint8_t> m_buffer; //!< between the connection and the file
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STORED_FILE_H
