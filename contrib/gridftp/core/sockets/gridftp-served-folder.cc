/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-served-folder.h"

#include "gridftp-served-path.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3::gridftp
{

namespace
{

constexpr int FILE_UNAVAILABLE = 550; // codes of replies: RFC 959, section 4.2
constexpr int NAME_NOT_ALLOWED = 553; // a file cannot be stored
constexpr int STORAGE_EXCEEDED = 552; // a file is too large
constexpr int FILE_BUSY = 450;        // the client may try again later
constexpr int ACTION_ABORTED = 451;   // an error of the server

constexpr std::string_view NO_REGULAR_FILE = "Not a regular file.";

/// @param path from a client @return it, as a reply can have it: one line, not too long
std::string
ShowPath(std::string_view path)
{
    constexpr size_t LONGEST = 200; // bytes
    return ToLineText(path.substr(0, LONGEST)) + (path.size() > LONGEST ? "..." : "");
}

/// @param code of the reply @param path from a client @param reason one sentence @return the error
TextError
Refuse(int code, std::string_view path, std::string_view reason)
{
    return {code, ShowPath(path) + ": " + std::string(reason)};
}

/// @param number errno of a call that opens a file @return the reason for a client
std::string_view
DescribeOpenError(int number)
{
    switch (number)
    {
    case ENOENT:
        return "No such file.";
    case ELOOP:  // a symbolic link
    case EISDIR: // a folder, for writing
    case ENXIO:  // a socket; a FIFO, for writing; or found by StoredFile
        return NO_REGULAR_FILE;
    case EACCES:
    case EPERM:
    case EROFS:
        return "Permission denied.";
    case ENOSPC:
    case EDQUOT:
        return "No space left.";
    case EWOULDBLOCK: // of flock()
        return "Another client stores the file.";
    default:
        return "The server cannot open the file.";
    }
}

/// @param number errno of a call that opens a file to store @return the code of the reply
int
FindStoreCode(int number)
{
    switch (number)
    {
    case ENOSPC:
    case EDQUOT:
        return STORAGE_EXCEEDED;
    case EMFILE:
    case ENFILE:
    case EWOULDBLOCK:
        return FILE_BUSY;
    default:
        return NAME_NOT_ALLOWED;
    }
}

/// @param number errno @return whether a path names a folder that does not exist, or a symbolic
/// link
bool
IsMissing(int number)
{
    return number == ENOENT || number == ENOTDIR || number == ELOOP;
}

} // namespace

Expected<ServedFolder>
ServedFolder::Open(const std::string& path, const ServedFolderSettings& settings)
{
    FileDescriptor folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    const int rights = X_OK | (settings.isWritable ? W_OK : 0);
    // O_PATH checks no rights
    if (!folder.IsOpen() || faccessat(folder.Get(), ".", rights, AT_EACCESS) != 0)
    {
        return Error{"folder " + path + ": " + strerror(errno)};
    }
    return ServedFolder(std::move(folder), settings);
}

TextResult<ServedFolder::Place>
ServedFolder::FindPlace(std::string_view path, int code) const
{
    auto parsed = ParseServedPath(path);
    if (!parsed)
    {
        return Refuse(code, path, parsed.GetError().message);
    }
    Place place{OpenFolderBeneath(m_folder.Get(), parsed->folder, m_settings.lookup),
                std::move(parsed->name)};
    if (!place.folder.IsOpen())
    {
        const int error = errno;
        return Refuse(code == FILE_UNAVAILABLE ? code : FindStoreCode(error),
                      path,
                      IsMissing(error) ? "No such folder." : DescribeOpenError(error));
    }
    return place;
}

TextResult<uint64_t>
ServedFolder::FindSize(std::string_view path) const
{
    const auto place = FindPlace(path, FILE_UNAVAILABLE);
    if (!place)
    {
        return place.GetError();
    }
    struct stat there{};
    if (fstatat(place->folder.Get(), place->name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0)
    {
        return Refuse(FILE_UNAVAILABLE, path, DescribeOpenError(errno));
    }
    if (!S_ISREG(there.st_mode))
    {
        return Refuse(FILE_UNAVAILABLE, path, NO_REGULAR_FILE);
    }
    return static_cast<uint64_t>(there.st_size);
}

TextResult<SentFile>
ServedFolder::OpenForSending(std::string_view path) const
{
    const auto place = FindPlace(path, FILE_UNAVAILABLE);
    if (!place)
    {
        return place.GetError();
    }
    // Without O_NONBLOCK, a FIFO would block the server
    FileDescriptor file(openat(place->folder.Get(),
                               place->name.c_str(),
                               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat there{};
    if (!file.IsOpen() || fstat(file.Get(), &there) != 0)
    {
        return Refuse(FILE_UNAVAILABLE, path, DescribeOpenError(errno));
    }
    if (!S_ISREG(there.st_mode))
    {
        return Refuse(FILE_UNAVAILABLE, path, NO_REGULAR_FILE);
    }
    return SentFile{std::move(file), static_cast<uint64_t>(there.st_size)};
}

TextResult<std::unique_ptr<StoredFile>>
ServedFolder::OpenForStoring(std::string_view path,
                             std::optional<uint64_t> bytes,
                             bool continues) const
{
    return OpenToWrite(path,
                       continues ? StoredFile::Mode::CONTINUED : StoredFile::Mode::KEPT,
                       0,
                       bytes);
}

TextResult<std::unique_ptr<StoredFile>>
ServedFolder::OpenPart(std::string_view path, uint64_t offset, std::optional<uint64_t> bytes) const
{
    return OpenToWrite(path, StoredFile::Mode::IN_PLACE, offset, bytes);
}

TextResult<std::unique_ptr<StoredFile>>
ServedFolder::OpenToWrite(std::string_view path,
                          StoredFile::Mode mode,
                          uint64_t offset,
                          std::optional<uint64_t> bytes) const
{
    constexpr uint64_t LARGEST = std::numeric_limits<off_t>::max(); // of the operating system
    const uint64_t most = m_settings.most == 0 ? LARGEST : std::min(m_settings.most, LARGEST);
    if (!m_settings.isWritable)
    {
        return Refuse(NAME_NOT_ALLOWED, path, "The server is read-only.");
    }
    if (offset > most || bytes.value_or(0) > most - offset)
    {
        return Refuse(STORAGE_EXCEEDED,
                      path,
                      "A file has at most " + std::to_string(most) + " bytes.");
    }
    auto place = FindPlace(path, NAME_NOT_ALLOWED);
    if (!place)
    {
        return place.GetError();
    }
    auto file = std::make_unique<StoredFile>(StoredFile::Target{.folder = std::move(place->folder),
                                                                .name = std::move(place->name),
                                                                .shown = ShowPath(path),
                                                                .mode = mode,
                                                                .most = most});
    if (const int error = file->GetErrorNumber())
    {
        return Refuse(FindStoreCode(error), path, DescribeOpenError(error));
    }
    return file;
}

std::optional<TextError>
CommitUpload(StoredFile& file)
{
    if (file.Commit())
    {
        return std::nullopt;
    }
    const int error = file.GetErrorNumber();
    const bool isFull = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return TextError{isFull ? STORAGE_EXCEEDED : ACTION_ABORTED, file.GetError()};
}

} // namespace ns3::gridftp
