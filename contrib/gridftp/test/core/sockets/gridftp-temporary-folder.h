/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEMPORARY_FOLDER_H
#define GRIDFTP_TEMPORARY_FOLDER_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Real files for tests of the driver of real sockets.
 */

namespace ns3::gridftp
{

/// @param size bytes @param seed of the generator @return random content
inline std::vector<uint8_t>
MakeContent(size_t size, uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<uint32_t> words(size / sizeof(uint32_t) + 1);
    std::ranges::generate(words, std::ref(random));
    std::vector<uint8_t> content(size);
    std::copy_n(reinterpret_cast<const uint8_t*>(words.data()), size, content.begin());
    return content;
}

/// @return how many files this process has open
inline size_t
CountDescriptors()
{
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
}

/// @return how many of them a program that this process starts would inherit
inline size_t
CountInherited()
{
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    {
        const int flags = fcntl(std::stoi(entry.path().filename().string()), F_GETFD);
        count += flags >= 0 && (flags & FD_CLOEXEC) == 0 ? 1 : 0;
    }
    return count;
}

/// A folder that is removed at the end of the test, with what is in it.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "gridftp-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    ~TemporaryFolder()
    {
        std::filesystem::remove_all(m_path);
    }

    /// @param name of a file @return its path
    std::string GetPath(const std::string& name) const
    {
        return (m_path / name).string();
    }

    /// @param name of a file @param content of it, written
    void Write(const std::string& name, const std::vector<uint8_t>& content) const
    {
        std::ofstream file(m_path / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
    }

    /// @param name of a file @return its content; empty: there is none
    std::vector<uint8_t> Read(const std::string& name) const
    {
        std::ifstream file(m_path / name, std::ios::binary | std::ios::ate);
        const std::streamsize size = file ? static_cast<std::streamsize>(file.tellg()) : 0;
        std::vector<uint8_t> content(static_cast<size_t>(size));
        file.seekg(0);
        file.read(reinterpret_cast<char*>(content.data()), size);
        return content;
    }

    /// @param name of a folder in it; empty: this one @return names of all files, sorted, each with
    /// a space behind it
    std::string List(const std::string& name = "") const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_path / name))
        {
            names.push_back(entry.path().filename().string());
        }
        std::ranges::sort(names);
        std::string all;
        for (const auto& name : names)
        {
            all += name + " ";
        }
        return all;
    }

  private:
    std::filesystem::path m_path; ///< of the folder
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TEMPORARY_FOLDER_H
