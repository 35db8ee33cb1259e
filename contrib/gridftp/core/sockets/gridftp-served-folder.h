/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVED_FOLDER_H
#define GRIDFTP_SERVED_FOLDER_H

#include "gridftp-control-text.h"
#include "gridftp-expected.h"
#include "gridftp-file-descriptor.h"
#include "gridftp-folder-lookup.h"
#include "gridftp-stored-file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Rights and limits of a ServedFolder. */
struct ServedFolderSettings
{
    bool isWritable{false};                       //!< clients may store files
    uint64_t most{0};                             //!< size of a file that is stored, bytes at most;
                                                  //!< 0: as many as the file system allows
    FolderLookup lookup{FolderLookup::AUTOMATIC}; //!< how it looks up folders
};

/** @ingroup gridftp @brief A file that a server sends. */
struct SentFile
{
    FileDescriptor file{}; //!< open for reading; a regular file
    uint64_t size{0};      //!< bytes, when it was opened
};

/**
 * @ingroup gridftp
 * The folder of the local disk that a server offers to anonymous clients.
 *
 * A client sees it as the root of its name space: ParseServedPath() has the rules of paths. No
 * call opens anything outside the folder. Symbolic links are never followed, so a link in the
 * folder serves nothing. Only regular files are opened. A hard link, or a file system that is
 * mounted in the folder, belongs to the folder: whoever made it has shared its content.
 *
 * Contract: the server makes one at its start, and asks it for each transfer. Calls do not change
 * it and do not block, except on the disk. Files that are open outlive it. Every error is a reply
 * to the client: one line, without control characters. It has the path that the client sent and
 * never the path of the folder. Codes: 550 for a file to send; for a file to store, 450 (the
 * process has too many open files, or another client stores the file), 552 (too large, or no space)
 * or 553 (name or rights).
 */
class ServedFolder
{
  public:
    /** Opens a folder. @param path of the local disk; symbolic links are followed @param settings
     * rights and limits @return it; or why the system refuses, one line with the path, for the
     * person who starts the server */
    static Expected<ServedFolder> Open(const std::string& path,
                                       const ServedFolderSettings& settings = {});

    /** Finds the size of a file, without opening it. @param path from a client @return bytes; or
     * an error with code 550 */
    TextResult<uint64_t> FindSize(std::string_view path) const;

    /** Opens a file to send. @param path from a client @return the file; or an error with code 550
     */
    TextResult<SentFile> OpenForSending(std::string_view path) const;

    /** Opens a whole file to store (STOR). The data go to a hidden file, which is kept if the
     * transfer fails, for REST. CommitUpload() gives it the final name, where it replaces an
     * earlier file. @param path from a client @param bytes that the client announced; none: not
     * known
     * @param continues whether an earlier attempt has stored a part of it @return the file; or an
     * error */
    TextResult<std::unique_ptr<StoredFile>> OpenForStoring(std::string_view path,
                                                           std::optional<uint64_t> bytes,
                                                           bool continues = false) const;

    /** Opens a file to store a part of it (ESTO). The data are written in place, and other bytes
     * stay as they are. A missing file is created. @param path from a client @param offset of the
     * first byte that is stored @param bytes that the client announced; none: not known @return the
     * file; or an error */
    TextResult<std::unique_ptr<StoredFile>> OpenPart(std::string_view path,
                                                     uint64_t offset,
                                                     std::optional<uint64_t> bytes) const;

  private:
    /** Where a file is. */
    struct Place
    {
        FileDescriptor folder; //!< of the file, open with O_PATH
        std::string name;      //!< of the file in it
    };

    /** @param folder open with O_PATH @param settings rights and limits */
    ServedFolder(FileDescriptor folder, const ServedFolderSettings& settings)
        : m_folder(std::move(folder)),
          m_settings(settings)
    {
    }

    /** Looks up the folder of a file. @param path from a client @param code of the reply, if
     * the path is wrong @return where the file is, if it exists; or an error */
    TextResult<Place> FindPlace(std::string_view path, int code) const;

    /** Opens a file to store. @param path from a client @param mode whole file or part @param
     * offset of the first byte @param bytes announced @return the file; or an error */
    TextResult<std::unique_ptr<StoredFile>> OpenToWrite(std::string_view path,
                                                        StoredFile::Mode mode,
                                                        uint64_t offset,
                                                        std::optional<uint64_t> bytes) const;

    FileDescriptor m_folder;         //!< the folder itself, open with O_PATH
    ServedFolderSettings m_settings; //!< rights and limits
};

/**
 * @ingroup gridftp
 * Completes an upload: the server calls it when all data have arrived, before the final reply. See
 * StoredFile::Commit().
 * @param file from ServedFolder::OpenForStoring() or OpenPart(); the server destroys it afterwards
 * @return nothing; or the error of the final reply, with code 552 (too large, or no space) or 451
 */
std::optional<TextError> CommitUpload(StoredFile& file);

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVED_FOLDER_H
