/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-served-tree.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-served-folder.h"
#include "ns3/test.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What a server does with its folder.
class ServedFolderTest : public TestCase
{
  public:
    ServedFolderTest()
        : TestCase("served folder: regular files of one folder")
    {
    }

  private:
    void DoRun() override
    {
        OpenFolder();
        Send();
        RefuseToSend();
        Inherit();
    }

    /// What the administrator gets wrong.
    void OpenFolder()
    {
        const ServedTree tree;
        const auto missing = tree.GetServed("no");
        NS_TEST_EXPECT_MSG_EQ(Reason(ServedFolder::Open(missing)),
                              "folder " + missing + ": No such file or directory",
                              "missing");
        const auto file = tree.GetServed("a.bin");
        NS_TEST_EXPECT_MSG_EQ(Reason(ServedFolder::Open(file)),
                              "folder " + file + ": Not a directory",
                              "a file");
        const auto link = ServedFolder::Open(tree.GetServed("folder-in"));
        NS_TEST_EXPECT_MSG_EQ(GetReply(link->FindSize("b.bin")), "ok", "a link to the folder");
        if (geteuid() == 0)
        {
            return; // may write anywhere
        }
        const auto path = tree.GetServed("sub");
        std::filesystem::permissions(path, std::filesystem::perms(0500));
        NS_TEST_EXPECT_MSG_EQ(Reason(ServedFolder::Open(path)), "no error", "to read");
        NS_TEST_EXPECT_MSG_EQ(Reason(ServedFolder::Open(path, {.isWritable = true})),
                              "folder " + path + ": Permission denied",
                              "to write");
        std::filesystem::permissions(path, std::filesystem::perms(0700));
    }

    /// A descriptor and the size.
    void Send()
    {
        const ServedTree tree;
        const auto folder = ServedFolder::Open(tree.GetServed());
        for (const auto* path : {"sub/b.bin", "/sub/b.bin", "//sub/./b.bin"})
        {
            NS_TEST_EXPECT_MSG_EQ(*folder->FindSize(path), 20, path);
            const auto sent = folder->OpenForSending(path);
            NS_TEST_ASSERT_MSG_EQ(GetReply(sent), "ok", path);
            NS_TEST_EXPECT_MSG_EQ(sent->size, 20, path);
            std::vector<uint8_t> content(21);
            const auto count = pread(sent->file.Get(), content.data(), content.size(), 0);
            NS_TEST_EXPECT_MSG_EQ(count, 20, path);
            content.resize(20);
            NS_TEST_EXPECT_MSG_EQ((content == tree.Read("sub/b.bin")), true, path);
            NS_TEST_EXPECT_MSG_EQ(write(sent->file.Get(), "x", 1), -1, "for reading only");
        }
    }

    /// The same reply to SIZE and RETR. @param folder served @param path from a client @param text
    /// of the reply, after the path
    void ExpectUnavailable(const ServedFolder& folder, const std::string& path, const char* text)
    {
        const std::string reply = "550 " + path + ": " + text;
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.FindSize(path)), reply, "SIZE");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForSending(path)), reply, "RETR");
    }

    /// Other things than files.
    void RefuseToSend()
    {
        const ServedTree tree;
        for (const auto lookup : GetLookups())
        {
            const auto folder = ServedFolder::Open(tree.GetServed(), {.lookup = lookup});
            for (const auto* path : {"/no", "sub/no"})
            {
                ExpectUnavailable(*folder, path, "No such file.");
            }
            for (const auto* path :
                 {"/file-in", "/file-out", "file-absolute", "nowhere", "loop", "sub", "/fifo"})
            {
                ExpectUnavailable(*folder, path, "Not a regular file.");
            }
            for (const auto* path :
                 {"no/a", "/a.bin/b", "folder-in/b.bin", "/folder-absolute/secret"})
            {
                ExpectUnavailable(*folder, path, "No such folder.");
            }
            ExpectUnavailable(*folder, "sub/folder-out/secret", "No such folder.");
            ExpectUnavailable(*folder, "/sub/../../secret", "'..' is not allowed.");
            ExpectUnavailable(*folder, "", "The name of a file is missing.");
            NS_TEST_EXPECT_MSG_EQ(GetReply(folder->FindSize("a\r\n226 b")),
                                  "550 a??226 b: A path has no control characters.",
                                  "one line");
            NS_TEST_EXPECT_MSG_EQ(GetReply(folder->FindSize(std::string(5000, 'a'))),
                                  "550 " + std::string(200, 'a') +
                                      "...: A path has at most 4096 bytes.",
                                  "cut");
        }
    }

    /// Programs that the server starts inherit no file.
    void Inherit()
    {
        const ServedTree tree;
        const size_t before = CountInherited();
        const auto folder = ServedFolder::Open(tree.GetServed(), {.isWritable = true});
        const auto sent = folder->OpenForSending("a.bin");
        const auto stored = folder->OpenForStoring("new", {});
        const auto part = folder->OpenPart("a.bin", 0, {});
        NS_TEST_EXPECT_MSG_EQ(CountInherited(), before, "closed by exec()");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ServedFolderTest}; });

} // namespace ns3::gridftp
