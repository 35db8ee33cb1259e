/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STORED_FILE_H
#define GRIDFTP_STORED_FILE_H

#include "gridftp-block-receiver.h"
#include "gridftp-expected.h"
#include "gridftp-file-descriptor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A file on disk that a BlockReceiver writes.
 *
 * Mode::TEMPORARY: until Commit(), the data are in a temporary file of the same folder,
 * `.NAME.partial-PID-NUMBER`. The destructor removes it unless Commit() has renamed it. Therefore a
 * file with its final name always has all of its data, as far as this process is concerned.
 *
 * Mode::KEPT and Mode::CONTINUED: likewise, in `.NAME.partial-kept`. The destructor keeps it, so
 * that a later attempt continues, perhaps of another process. It is locked while it is open: a
 * second writer gets the error EWOULDBLOCK.
 *
 * Mode::IN_PLACE: the data are written into the file with the final name. It is created if it is
 * missing. Bytes that nobody stores stay as they are.
 *
 * Data reach the disk when the system writes them: Commit() does not call fsync(), which would stop
 * all connections of the loop for seconds.
 *
 * Contract: the owner passes it to BlockReceiver::SetFile(), and calls Commit() when the receiver
 * reports that all has arrived. It may stay open for several attempts of a transfer (REST).
 */
class StoredFile final : public ReceivedFile
{
  public:
    /** Where the data are until Commit(). */
    enum class Mode
    {
        TEMPORARY, //!< in a temporary file of the same folder
        KEPT,      //!< likewise, which is kept if Commit() is not called; begins empty
        CONTINUED, //!< in a file that was kept before; without one: ENOENT
        IN_PLACE   //!< in the file itself
    };

    /** A file in an open folder. */
    struct Target
    {
        FileDescriptor folder{};    //!< of the folder; it may be open with O_PATH
        std::string name{};         //!< of the file in the folder, without '/', not "." or ".."
        std::string shown{};        //!< name of the file in errors
        Mode mode{Mode::TEMPORARY}; //!< where the data are until Commit()
        uint64_t most{UINT64_MAX};  //!< bytes at most: data beyond are an error (EFBIG)
    };

    /** Opens a file by its path; Mode::TEMPORARY. A path that exists and is not a regular file,
     * such as /dev/null, is written in place. @param path final name; an existing regular file is
     * replaced by Commit() */
    explicit StoredFile(const std::string& path);

    /** Opens a file by its path, to be kept until it is complete. @param path final name @param
     * continues Mode::CONTINUED; else Mode::KEPT */
    StoredFile(const std::string& path, bool continues);

    /** Opens a file in a folder. It never follows a symbolic link, and never leaves the folder.
     * What exists and is not a regular file is an error. @param target the file */
    explicit StoredFile(Target target);

    ~StoredFile() override;

    StoredFile(const StoredFile&) = delete;
    StoredFile& operator=(const StoredFile&) = delete;

    /** @param name of a file, without its folder @return whether a temporary file may have it */
    static bool IsTemporaryName(std::string_view name)
    {
        return name.starts_with('.') && name.find(INFIX, 2) != std::string_view::npos;
    }

    /** @return the first error, with the path or Target::shown, one line; empty: none so far. After
     * an error, Store() has no effect and returns false, and Commit() fails */
    const std::string& GetError() const
    {
        return m_error;
    }

    /** @return errno of the first error; 0: none so far */
    int GetErrorNumber() const
    {
        return m_errorNumber;
    }

    /** @return where the data are until Commit(): a path, or a name in Target::folder */
    const std::string& GetTemporaryPath() const
    {
        return m_temporary;
    }

    /** Cuts or extends a file that does not have its final name yet; no effect on others. @param
     * size bytes */
    void SetSize(uint64_t size);

    /** Closes the file and gives it its final name; once. @return nothing, or the first error */
    Done Commit();

    // ReceivedFile
    bool Store(uint64_t place,
               const ArrivedBytes& bytes,
               uint64_t position,
               uint64_t length) override;

  private:
    static constexpr std::string_view INFIX = ".partial-"; //!< of the names of temporary files

    /** @return folder of m_name and m_temporary, for system calls */
    int GetFolder() const;

    /** Creates the temporary file. */
    void Create();

    /** Opens the file that is kept. @param continues whether an earlier attempt has made it */
    void OpenKept(bool continues);

    /** @param longest how much of the final name it has, bytes @param suffix of it @return name of
     * a temporary file */
    std::string MakeTemporaryName(size_t longest, const std::string& suffix) const;

    /** @return whether the file that is open and locked still has its temporary name, and is a
     * regular one; else errno is set */
    bool IsStillThere() const;

    /** Gives a temporary file its final name, unless there was an error. */
    void Rename();

    /** Opens the file itself, for Mode::IN_PLACE. */
    void OpenInPlace();

    /** Checks that the final name may be replaced. @return whether no file has it, or a regular
     * one */
    bool CheckFree();

    /** Checks that a part of the file is within the limits of the file. @param place of its first
     * byte @param length bytes @return whether it is */
    bool CheckPlace(uint64_t place, uint64_t length);

    /** Writes bytes. @param place of the first one in the file @param size how many of m_buffer
     * @return whether all are written */
    bool Write(uint64_t place, uint64_t size);

    /** Records the first error. @param call name of the system call that failed, errno is set */
    void Fail(const char* call);

    FileDescriptor m_folder;       //!< of the file; none: m_name is a path
    std::string m_name;            //!< final name in the folder
    std::string m_shown;           //!< name of the file in errors
    uint64_t m_most{UINT64_MAX};   //!< see Target::most
    std::string m_temporary;       //!< see GetTemporaryPath()
    FileDescriptor m_file;         //!< open for writing
    bool m_isTemporary{false};     //!< m_temporary is to be renamed or removed
    bool m_isKept{false};          //!< m_temporary is not removed
    std::string m_error;           //!< see GetError()
    int m_errorNumber{0};          //!< see GetErrorNumber()
    std::vector<uint8_t> m_buffer; //!< between the connection and the file
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STORED_FILE_H
