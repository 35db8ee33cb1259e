/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-descriptor-checksum.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t PIECE = uint64_t{4} << 20; // bytes
constexpr size_t BUFFER = size_t{64} << 10;   // bytes; on the stack, so that no client keeps memory
constexpr int LOCAL_ERROR = 451;

/** @return an error of the system, which errno has */
TextError
MakeReadError(const std::string& shown)
{
    return {LOCAL_ERROR, ToLineText(shown + ": " + std::strerror(errno))};
}

} // namespace

DescriptorChecksum::DescriptorChecksum(FileDescriptor file,
                                       std::string shown,
                                       uint64_t offset,
                                       uint64_t bytes)
    : m_file(std::move(file)),
      m_shown(std::move(shown)),
      m_place(offset),
      m_bytes(bytes),
      m_left(bytes)
{
}

uint64_t
DescriptorChecksum::GetBytes() const
{
    return m_bytes;
}

TextResult<bool>
DescriptorChecksum::ReadPiece()
{
    std::array<uint8_t, BUFFER> buffer;
    const uint64_t end = m_place + std::min(m_left, PIECE);
    while (m_place < end)
    {
        const size_t most = std::min<uint64_t>(end - m_place, buffer.size());
        const ssize_t read = pread(m_file.Get(), buffer.data(), most, static_cast<off_t>(m_place));
        if (read < 0 && errno != EINTR)
        {
            return MakeReadError(m_shown);
        }
        if (read == 0)
        {
            return TextError{LOCAL_ERROR, ToLineText(m_shown + ": became shorter")};
        }
        const auto count = static_cast<uint64_t>(std::max<ssize_t>(0, read));
        m_checksum.Add(buffer.data(), count);
        m_place += count;
        m_left -= count;
    }
    return m_left == 0;
}

uint32_t
DescriptorChecksum::GetValue() const
{
    return m_checksum.GetValue();
}

TextResult<std::unique_ptr<FileChecksum>>
OpenForChecksum(const std::string& path, uint64_t offset, uint64_t bytes)
{
    FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    if (!file.IsOpen() || fstat(file.Get(), &status) != 0)
    {
        return MakeReadError(path);
    }
    if (!S_ISREG(status.st_mode))
    {
        return TextError{LOCAL_ERROR,
                         ToLineText(path + ": not a regular file, so it has no checksum")};
    }
    return std::unique_ptr<FileChecksum>(
        std::make_unique<DescriptorChecksum>(std::move(file), path, offset, bytes));
}

} // namespace ns3::gridftp
