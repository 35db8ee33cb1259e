/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVED_TREE_H
#define GRIDFTP_SERVED_TREE_H

#include "gridftp-temporary-folder.h"

#include "ns3/gridftp-arrived-bytes.h"
#include "ns3/gridftp-control-text.h"
#include "ns3/gridftp-file-descriptor.h"
#include "ns3/gridftp-folder-lookup.h"
#include "ns3/gridftp-served-folder.h"
#include "ns3/gridftp-stored-file.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A folder that is served, for tests, and files outside it that nobody may reach.
 */

namespace ns3::gridftp
{

/// @return ways to look up a folder: one by one, and openat2() where the system has it
inline std::vector<FolderLookup>
GetLookups()
{
    const FileDescriptor root(open("/", O_PATH | O_CLOEXEC));
    const bool isOpen = OpenFolderBeneath(root.Get(), ".", FolderLookup::OPENAT2).IsOpen();
    if (!isOpen && (errno == ENOSYS || errno == EPERM))
    {
        return {FolderLookup::COMPONENTS};
    }
    return {FolderLookup::COMPONENTS, FolderLookup::OPENAT2};
}

/// @tparam T type of a value @param result of a call @return "ok", or code and text of the reply
template <typename T>
std::string
GetReply(const TextResult<T>& result)
{
    return result ? "ok" : std::to_string(result.GetError().code) + " " + result.GetError().text;
}

/// Stores bytes. @param file to write @param place of the first one @param content the bytes
inline void
StoreAll(StoredFile& file, uint64_t place, const std::vector<uint8_t>& content)
{
    file.Store(place, ArrivedContent(content), 0, content.size());
}

/**
 * A folder on disk, removed at the end of the test. All files in `served` have less than OUTSIDE
 * bytes, all others have exactly that. These are in `served`:
 * - a.bin and sub/b.bin, files
 * - sub and sub/deep, folders; sub/deep is empty
 * - links to files: file-in to a.bin, file-out and file-absolute to secret
 * - links to folders: folder-in to sub, sub/folder-out and folder-absolute to the folder outside
 * - fifo, nowhere (a link to nothing), loop (a link to itself)
 */
class ServedTree
{
  public:
    /// Size of each file outside, bytes.
    static constexpr uint64_t OUTSIDE = 77;

    ServedTree()
    {
        namespace fs = std::filesystem;
        fs::create_directories(GetServed("sub/deep"));
        m_folder.Write("secret", MakeContent(OUTSIDE, 1));
        m_folder.Write("b.bin", MakeContent(OUTSIDE, 2));
        m_folder.Write("served/a.bin", MakeContent(10, 3));
        m_folder.Write("served/sub/b.bin", MakeContent(20, 4));
        fs::create_symlink("a.bin", GetServed("file-in"));
        fs::create_symlink("../secret", GetServed("file-out"));
        fs::create_symlink(m_folder.GetPath("secret"), GetServed("file-absolute"));
        fs::create_symlink("sub", GetServed("folder-in"));
        fs::create_symlink("../..", GetServed("sub/folder-out"));
        fs::create_symlink(m_folder.GetPath(""), GetServed("folder-absolute"));
        fs::create_symlink("missing", GetServed("nowhere"));
        fs::create_symlink("loop", GetServed("loop"));
        mkfifo(GetServed("fifo").c_str(), 0600);
    }

    /// @return path of the folder that has `served` and the files outside
    const TemporaryFolder& GetOutside() const
    {
        return m_folder;
    }

    /// @param name relative to the served folder @return path on the local disk
    std::string GetServed(const std::string& name = "") const
    {
        return m_folder.GetPath("served/" + name);
    }

    /// @param name relative to the served folder @return content
    std::vector<uint8_t> Read(const std::string& name) const
    {
        return m_folder.Read("served/" + name);
    }

    /// @param name of a folder, relative to the served folder @return names in it, with spaces
    std::string List(const std::string& name) const
    {
        return m_folder.List("served/" + name);
    }

    /// @return whether nothing was changed outside the served folder
    bool IsOutsideIntact() const
    {
        return m_folder.List() == "b.bin secret served " &&
               m_folder.Read("secret") == MakeContent(OUTSIDE, 1) &&
               m_folder.Read("b.bin") == MakeContent(OUTSIDE, 2);
    }

  private:
    TemporaryFolder m_folder; ///< with all of it
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVED_TREE_H
