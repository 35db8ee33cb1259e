/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_DESCRIPTOR_H
#define GRIDFTP_FILE_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Owns a file descriptor of the operating system, and closes it. */
class FileDescriptor
{
  public:
    FileDescriptor() = default;

    /** @param number of an open file; -1: none */
    explicit FileDescriptor(int number)
        : m_number(number)
    {
    }

    FileDescriptor(FileDescriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }

    FileDescriptor& operator=(FileDescriptor&& other) noexcept
    {
        if (this != &other)
        {
            Close();
            m_number = std::exchange(other.m_number, -1);
        }
        return *this;
    }

    ~FileDescriptor()
    {
        Close();
    }

    /** @return its number, for system calls; -1: none is open */
    int Get() const
    {
        return m_number;
    }

    /** @return whether a file is open */
    bool IsOpen() const
    {
        return m_number >= 0;
    }

    /** Closes the file, if one is open. @return whether the system reported no error; errno has the
     * reason otherwise */
    bool Close()
    {
        // Linux frees the number whatever close() returns, so that a second call would be wrong
        const int number = std::exchange(m_number, -1);
        return number < 0 || close(number) == 0;
    }

  private:
    int m_number{-1}; //!< see Get()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_DESCRIPTOR_H
