/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stored-file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <variant>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t MOST_AT_ONCE = 1 << 20; // bytes of m_buffer

constexpr mode_t PERMISSIONS = 0666; // less the process's umask

} // namespace

StoredFile::StoredFile(const std::string& path)
    : m_name(path),
      m_shown(path)
{
    struct stat there{};
    if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    {
        m_temporary = path;
        m_file = FileDescriptor(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        if (!m_file.IsOpen())
        {
            Fail("open");
        }
        return;
    }
    Create();
}

StoredFile::StoredFile(const std::string& path, bool continues)
    : m_name(path),
      m_shown(path)
{
    if (CheckFree())
    {
        OpenKept(continues);
    }
}

StoredFile::StoredFile(Target target)
    : m_folder(std::move(target.folder)),
      m_name(std::move(target.name)),
      m_shown(std::move(target.shown)),
      m_most(target.most)
{
    if (target.mode == Mode::IN_PLACE)
    {
        OpenInPlace();
    }
    else if (CheckFree())
    {
        target.mode == Mode::TEMPORARY ? Create() : OpenKept(target.mode == Mode::CONTINUED);
    }
}

StoredFile::~StoredFile()
{
    if (m_isTemporary && !m_isKept)
    {
        unlinkat(GetFolder(), m_temporary.c_str(), 0);
    }
}

int
StoredFile::GetFolder() const
{
    return m_folder.IsOpen() ? m_folder.Get() : AT_FDCWD;
}

std::string
StoredFile::MakeTemporaryName(size_t longest, const std::string& suffix) const
{
    const size_t begin = m_name.rfind('/') + 1; // npos + 1 is 0
    return m_name.substr(0, begin) + "." + m_name.substr(begin, longest) + std::string(INFIX) +
           suffix;
}

void
StoredFile::OpenKept(bool continues)
{
    constexpr size_t LONGEST_NAME = 255;                        // of the file system
    m_temporary = MakeTemporaryName(std::string::npos, "kept"); // whole: it is found again
    if (m_temporary.size() - (m_temporary.rfind('/') + 1) > LONGEST_NAME)
    {
        errno = ENAMETOOLONG;
        return Fail("open");
    }
    const int creates = continues ? 0 : O_CREAT;
    m_file = FileDescriptor(openat(GetFolder(),
                                   m_temporary.c_str(),
                                   O_WRONLY | creates | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                                   PERMISSIONS));
    if (!m_file.IsOpen() || flock(m_file.Get(), LOCK_EX | LOCK_NB) != 0)
    {
        return Fail(m_file.IsOpen() ? "flock" : "open");
    }
    if (!IsStillThere() || (!continues && ftruncate(m_file.Get(), 0) != 0))
    {
        Fail("open");
        m_file.Close();
        return;
    }
    m_isTemporary = m_isKept = true;
}

bool
StoredFile::IsStillThere() const
{
    // Another process may have given the file its final name before this one locked it
    struct stat open{};
    struct stat named{};
    if (fstat(m_file.Get(), &open) != 0 ||
        fstatat(GetFolder(), m_temporary.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0)
    {
        return false;
    }
    const bool isSame = open.st_dev == named.st_dev && open.st_ino == named.st_ino;
    errno = isSame ? ENXIO : EWOULDBLOCK;
    return isSame && S_ISREG(open.st_mode);
}

void
StoredFile::Create()
{
    constexpr size_t LONGEST_NAME = 200; // of the 255 bytes of a name, with what is added to it
    const std::string stem = MakeTemporaryName(LONGEST_NAME, std::to_string(getpid()) + "-");
    // Another file of this process may have the same name, or one of a process that was killed
    for (uint32_t number = 0; !m_file.IsOpen(); ++number)
    {
        m_temporary = stem + std::to_string(number);
        m_file = FileDescriptor(openat(GetFolder(),
                                       m_temporary.c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                       PERMISSIONS));
        if (!m_file.IsOpen() && errno != EEXIST)
        {
            return Fail("open");
        }
    }
    m_isTemporary = true;
}

void
StoredFile::OpenInPlace()
{
    m_temporary = m_name;
    // Without O_NONBLOCK, a FIFO would block the process
    m_file = FileDescriptor(openat(GetFolder(),
                                   m_name.c_str(),
                                   O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                                   PERMISSIONS));
    struct stat there{};
    if (!m_file.IsOpen() || fstat(m_file.Get(), &there) != 0)
    {
        return Fail("open");
    }
    if (!S_ISREG(there.st_mode))
    {
        m_file.Close();
        errno = ENXIO;
        Fail("open");
    }
}

bool
StoredFile::CheckFree()
{
    struct stat there{};
    if (fstatat(GetFolder(), m_name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0)
    {
        if (errno == ENOENT)
        {
            return true;
        }
        Fail("fstatat");
        return false;
    }
    if (!S_ISREG(there.st_mode))
    {
        errno = ENXIO;
        Fail("fstatat");
        return false;
    }
    return true;
}

void
StoredFile::Fail(const char* call)
{
    if (m_error.empty())
    {
        m_errorNumber = errno;
        m_error = m_shown + ": " + call + ": " + strerror(m_errorNumber);
    }
}

bool
StoredFile::CheckPlace(uint64_t place, uint64_t length)
{
    constexpr uint64_t LARGEST = std::numeric_limits<off_t>::max(); // of the operating system
    const auto isWithin = [=](uint64_t size) { return length <= size && place <= size - length; };
    if (isWithin(std::min(m_most, LARGEST)))
    {
        return true;
    }
    errno = isWithin(LARGEST) ? EFBIG : EINVAL;
    Fail("pwrite");
    return false;
}

bool
StoredFile::Write(uint64_t place, uint64_t size)
{
    for (uint64_t written = 0; written < size;)
    {
        const ssize_t count = pwrite(m_file.Get(),
                                     m_buffer.data() + written,
                                     size - written,
                                     static_cast<off_t>(place + written));
        if (count == 0 || (count < 0 && errno != EINTR))
        {
            errno = count == 0 ? ENOSPC : errno;
            Fail("pwrite");
            return false;
        }
        written += static_cast<uint64_t>(std::max<ssize_t>(count, 0));
    }
    return true;
}

bool
StoredFile::Store(uint64_t place, const ArrivedBytes& bytes, uint64_t position, uint64_t length)
{
    if (!m_error.empty() || !m_file.IsOpen() || !CheckPlace(place, length))
    {
        return false;
    }
    while (length > 0)
    {
        const uint64_t size = std::min(length, MOST_AT_ONCE);
        m_buffer.resize(std::max<size_t>(m_buffer.size(), size));
        bytes.Copy(position, std::span(m_buffer).first(size));
        if (!Write(place, size))
        {
            return false;
        }
        place += size;
        position += size;
        length -= size;
    }
    return true;
}

void
StoredFile::SetSize(uint64_t size)
{
    if (m_error.empty() && m_isTemporary && CheckPlace(size, 0) &&
        ftruncate(m_file.Get(), static_cast<off_t>(size)) != 0)
    {
        Fail("ftruncate");
    }
}

void
StoredFile::Rename()
{
    if (!m_error.empty() || !m_isTemporary)
    {
        return;
    }
    if (renameat(GetFolder(), m_temporary.c_str(), GetFolder(), m_name.c_str()) != 0)
    {
        return Fail("rename");
    }
    m_isTemporary = false;
}

Done
StoredFile::Commit()
{
    // Closing it ends the lock of a file that is kept. Some file systems report an error of a write
    // only then, also for a copy of the descriptor
    if (m_isKept)
    {
        FileDescriptor copy(dup(m_file.Get()));
        copy.Close() ? Rename() : Fail("close");
    }
    // Some file systems report an error of a write only here
    if (!m_file.Close())
    {
        Fail("close");
    }
    if (!m_isKept)
    {
        Rename();
    }
    if (!m_error.empty())
    {
        return Error{m_error};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
