/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-served-tree.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-file-descriptor.h"
#include "ns3/gridftp-folder-lookup.h"
#include "ns3/test.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Makes the kernel refuse openat2() to the calling thread, until the thread ends. @param error
/// errno of the call @return whether the kernel has such filters
bool
RefuseOpenat2(int error)
{
    constexpr uint32_t OPENAT2 = 437; // on every architecture
    std::array<sock_filter, 4> program{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OPENAT2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog filter{program.size(), program.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Folders below a root.
class FolderLookupTest : public TestCase
{
  public:
    FolderLookupTest()
        : TestCase("folder lookup: no symbolic link, and nothing outside the root")
    {
    }

  private:
    void DoRun() override
    {
        m_root = FileDescriptor(open(m_tree.GetServed().c_str(), O_PATH | O_CLOEXEC));
        for (const auto lookup : GetLookups())
        {
            Find(lookup);
            Refuse(lookup);
        }
        FallBack(ENOSYS);
        FallBack(EPERM);
        FallBack(EACCES); // an error of the file system, after which no other attempt follows
    }

    /// @param path of a folder @param lookup how @return 0, or errno
    int Open(const std::string& path, FolderLookup lookup) const
    {
        return OpenFolderBeneath(m_root.Get(), path, lookup).IsOpen() ? 0 : errno;
    }

    /// It is the right folder. @param lookup how
    void Find(FolderLookup lookup)
    {
        const size_t inherited = CountInherited();
        const size_t before = CountDescriptors();
        for (const std::string path : {".", "sub", "sub/deep"})
        {
            const FileDescriptor folder = OpenFolderBeneath(m_root.Get(), path, lookup);
            struct stat found{};
            struct stat expected{};
            NS_TEST_EXPECT_MSG_EQ(fstat(folder.Get(), &found), 0, path);
            stat(m_tree.GetServed(path).c_str(), &expected);
            NS_TEST_EXPECT_MSG_EQ(found.st_ino, expected.st_ino, path);
            NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before + 1, path);
            NS_TEST_EXPECT_MSG_EQ(CountInherited(), inherited, path);
        }
    }

    /// No path leaves the root, and only folders are opened. @param lookup how
    void Refuse(FolderLookup lookup)
    {
        const size_t before = CountDescriptors();
        for (const std::string path : {"folder-in",
                                       "folder-in/deep",
                                       "sub/folder-out",
                                       "sub/folder-out/served",
                                       "folder-absolute",
                                       "folder-absolute/served",
                                       "loop",
                                       "nowhere"})
        {
            const int error = Open(path, lookup);
            NS_TEST_EXPECT_MSG_EQ((error == ELOOP || error == ENOTDIR), true, path << error);
        }
        for (const auto& path :
             {std::string(".."), std::string("sub/../.."), m_tree.GetServed("sub")})
        {
            NS_TEST_EXPECT_MSG_NE(Open(path, lookup), 0, path);
        }
        for (const std::string path : {"a.bin", "fifo", "a.bin/b"})
        {
            NS_TEST_EXPECT_MSG_EQ(Open(path, lookup), ENOTDIR, path);
        }
        NS_TEST_EXPECT_MSG_EQ(Open("sub/no/deep", lookup), ENOENT, "missing");
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before, "closed");
    }

    /// A kernel, or a filter of system calls, without openat2(). @param error errno of the call
    void FallBack(int error)
    {
        bool isFiltered = false;
        int byKernel = 0;
        int automatic = 0;
        int byComponents = 0;
        int link = 0;
        std::thread([&, this] {
            isFiltered = RefuseOpenat2(error);
            byKernel = Open("sub/deep", FolderLookup::OPENAT2);
            automatic = Open("sub/deep", FolderLookup::AUTOMATIC);
            byComponents = Open("sub/deep", FolderLookup::COMPONENTS);
            link = Open("folder-in/deep", FolderLookup::AUTOMATIC);
        }).join();
        if (!isFiltered)
        {
            return; // a kernel without seccomp
        }
        NS_TEST_EXPECT_MSG_EQ(byKernel, error, "refused");
        NS_TEST_EXPECT_MSG_EQ(byComponents, 0, "does not need it");
        NS_TEST_EXPECT_MSG_EQ(automatic, (error == EACCES ? EACCES : 0), "errno " << error);
        NS_TEST_EXPECT_MSG_EQ(link, (error == EACCES ? EACCES : ENOTDIR), "errno " << error);
    }

    ServedTree m_tree;     ///< with the folders
    FileDescriptor m_root; ///< the served folder
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new FolderLookupTest}; });

} // namespace ns3::gridftp
