/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-served-tree.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-control-text.h"
#include "ns3/gridftp-served-folder.h"
#include "ns3/test.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param one path @param other path @return whether the system has exchanged them
bool
Exchange(const std::string& one, const std::string& other)
{
    return renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
}

/// Exchanges two names again and again while it exists, in a thread.
class Exchanger
{
  public:
    /// @param one path @param other path
    Exchanger(std::string one, std::string other)
        : m_thread([this, one, other] {
              while (!m_isOver)
              {
                  Exchange(one, other);
              }
          })
    {
    }

    Exchanger(const Exchanger&) = delete;
    Exchanger& operator=(const Exchanger&) = delete;

    ~Exchanger()
    {
        m_isOver = true;
        m_thread.join();
    }

  private:
    std::atomic<bool> m_isOver{false}; ///< the thread has to end
    std::thread m_thread;              ///< exchanges
};

/// Clients, and users of the server's host, who want to leave the folder.
class ServedAttackTest : public TestCase
{
  public:
    ServedAttackTest()
        : TestCase("served folder: nothing outside, with 5,000 malformed paths and exchanged names")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto lookup : GetLookups())
        {
            SendPaths(lookup);
            Race(lookup, "sub", "folder-absolute", "sub/b.bin"); // outside is another b.bin
            Race(lookup, "a.bin", "file-out", "a.bin");
        }
    }

    /// @param random generator @return a path of random parts
    static std::string MakePath(std::mt19937& random)
    {
        static const std::array<std::string, 26> PARTS{"..",
                                                       "..",
                                                       ".",
                                                       "",
                                                       "",
                                                       "a.bin",
                                                       "sub",
                                                       "sub",
                                                       "b.bin",
                                                       "deep",
                                                       "file-in",
                                                       "file-out",
                                                       "file-absolute",
                                                       "folder-in",
                                                       "folder-out",
                                                       "folder-absolute",
                                                       "loop",
                                                       "fifo",
                                                       "secret",
                                                       "served",
                                                       "proc/self/root",
                                                       "...",
                                                       "%2e%2e",
                                                       "..\\..",
                                                       std::string(300, 'x'),
                                                       "new"};
        std::string path = random() % 2 == 0 ? "/" : "";
        for (size_t parts = 1 + random() % 6; parts > 0; --parts)
        {
            path += PARTS[random() % PARTS.size()] + (random() % 8 == 0 ? "" : "/");
        }
        if (random() % 2 == 0 && !path.empty())
        {
            path.resize(path.find_last_not_of('/') + 1);
        }
        for (; random() % 6 == 0;) // any byte, at any place
        {
            path.insert(random() % (path.size() + 1), 1, static_cast<char>(random()));
        }
        return path;
    }

    /// Checks a reply. @tparam T type of a value @param tree served @param result of a call @param
    /// number of the path
    template <typename T>
    void CheckReply(const ServedTree& tree, const TextResult<T>& result, uint32_t number)
    {
        const std::string reply = GetReply(result);
        NS_TEST_ASSERT_MSG_EQ(IsLineText(reply), true, "path " << number);
        NS_TEST_ASSERT_MSG_EQ(Contains(reply, tree.GetOutside().GetPath("")), false, reply);
    }

    /// Malformed paths. @param lookup how
    void SendPaths(FolderLookup lookup)
    {
        const ServedTree tree;
        const auto folder =
            ServedFolder::Open(tree.GetServed(), {.isWritable = true, .lookup = lookup});
        const size_t before = CountDescriptors();
        std::mt19937 random(7);
        uint32_t sent = 0;
        uint32_t stored = 0;
        for (uint32_t i = 0; i < CountDraws(5000) && !IsStatusFailure(); ++i)
        {
            const std::string path = MakePath(random);
            const auto size = folder->FindSize(path);
            CheckReply(tree, size, i);
            NS_TEST_ASSERT_MSG_EQ((size && *size == ServedTree::OUTSIDE), false, "path " << i);
            const auto file = folder->OpenForSending(path);
            CheckReply(tree, file, i);
            NS_TEST_ASSERT_MSG_EQ((file && file->size == ServedTree::OUTSIDE), false, "path " << i);
            NS_TEST_ASSERT_MSG_EQ(bool(file), bool(size), "path " << i);
            sent += file ? 1 : 0;
            const auto upload =
                i % 2 == 0 ? folder->OpenForStoring(path, {}) : folder->OpenPart(path, 0, {});
            CheckReply(tree, upload, i);
            if (upload)
            {
                StoreAll(**upload, 0, MakeContent(5, i));
                CommitUpload(**upload);
                ++stored;
            }
        }
        NS_TEST_EXPECT_MSG_EQ((sent > 0 && stored > 0), true, sent << ", " << stored);
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before, "all are closed");
        NS_TEST_EXPECT_MSG_EQ(tree.IsOutsideIntact(), true, "nothing outside");
    }

    /// A name is exchanged for a symbolic link all the time. @param lookup how @param name in the
    /// folder @param link to something outside @param path from a client, with the name
    void Race(FolderLookup lookup,
              const std::string& name,
              const std::string& link,
              const std::string& path)
    {
        using Clock = std::chrono::steady_clock;
        const ServedTree tree;
        const auto folder =
            ServedFolder::Open(tree.GetServed(), {.isWritable = true, .lookup = lookup});
        if (!Exchange(tree.GetServed(name), tree.GetServed(link)))
        {
            return; // a file system that cannot
        }
        uint32_t opened = 0;
        uint32_t refused = 0;
        {
            const Exchanger exchanger(tree.GetServed(name), tree.GetServed(link));
            const auto end = Clock::now() + std::chrono::seconds(10);
            for (uint32_t i = 0; i < CountDraws(2000) || opened == 0 || refused == 0; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ((Clock::now() < end), true, opened << ", " << refused);
                if (IsStatusFailure())
                {
                    return;
                }
                const auto size = folder->FindSize(path);
                NS_TEST_ASSERT_MSG_EQ((size && *size == ServedTree::OUTSIDE), false, "SIZE");
                const auto file = folder->OpenForSending(path);
                NS_TEST_ASSERT_MSG_EQ((file && file->size == ServedTree::OUTSIDE), false, "RETR");
                (file ? opened : refused) += 1;
                const auto whole = folder->OpenForStoring(path, {});
                const auto part = folder->OpenPart(path, 0, {});
                if (part)
                {
                    StoreAll(**part, 0, MakeContent(5, i));
                }
                NS_TEST_ASSERT_MSG_EQ(tree.IsOutsideIntact(), true, "STOR and ESTO");
            }
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ServedAttackTest}; });

} // namespace ns3::gridftp
