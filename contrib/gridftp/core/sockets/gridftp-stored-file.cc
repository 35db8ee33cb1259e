/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stored-file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>
#include <variant>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t MOST_AT_ONCE = 1 << 20; // bytes of m_buffer

constexpr mode_t PERMISSIONS = 0666; // less the process's umask

} // namespace

StoredFile::StoredFile(const std::string& path)
    : m_path(path)
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

StoredFile::~StoredFile()
{
    if (m_isTemporary)
    {
        unlink(m_temporary.c_str());
    }
}

void
StoredFile::Create()
{
    constexpr size_t LONGEST_NAME = 200; // of the 255 bytes of a name, with what is added to it
    const size_t begin = m_path.rfind('/') + 1; // npos + 1 is 0
    const std::string stem = m_path.substr(0, begin) + "." + m_path.substr(begin, LONGEST_NAME) +
                             ".partial-" + std::to_string(getpid()) + "-";
    // Another file of this process may have the same name, or one of a process that was killed
    for (uint32_t number = 0; !m_file.IsOpen(); ++number)
    {
        m_temporary = stem + std::to_string(number);
        m_file = FileDescriptor(
            open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, PERMISSIONS));
        if (!m_file.IsOpen() && errno != EEXIST)
        {
            return Fail("open");
        }
    }
    m_isTemporary = true;
}

void
StoredFile::Fail(const char* call)
{
    if (m_error.empty())
    {
        m_error = m_path + ": " + call + ": " + strerror(errno);
    }
}

void
StoredFile::Store(uint64_t place, const ArrivedBytes& bytes, uint64_t position, uint64_t length)
{
    while (length > 0 && m_error.empty() && m_file.IsOpen())
    {
        const uint64_t size = std::min(length, MOST_AT_ONCE);
        m_buffer.resize(std::max<size_t>(m_buffer.size(), size));
        bytes.Copy(position, std::span(m_buffer).first(size));
        for (uint64_t written = 0; written < size;)
        {
            const ssize_t count = pwrite(m_file.Get(),
                                         m_buffer.data() + written,
                                         size - written,
                                         static_cast<off_t>(place + written));
            if (count == 0 || (count < 0 && errno != EINTR))
            {
                errno = count == 0 ? ENOSPC : errno;
                return Fail("pwrite");
            }
            written += static_cast<uint64_t>(std::max<ssize_t>(count, 0));
        }
        place += size;
        position += size;
        length -= size;
    }
}

Done
StoredFile::Commit()
{
    // Some file systems report an error of a write only here
    if (!m_file.Close())
    {
        Fail("close");
    }
    if (m_error.empty() && m_isTemporary)
    {
        if (rename(m_temporary.c_str(), m_path.c_str()) == 0)
        {
            m_isTemporary = false;
        }
        else
        {
            Fail("rename");
        }
    }
    if (!m_error.empty())
    {
        return Error{m_error};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
