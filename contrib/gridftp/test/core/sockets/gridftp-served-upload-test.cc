/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-served-tree.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-file-descriptor.h"
#include "ns3/gridftp-served-folder.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What clients store.
class ServedUploadTest : public TestCase
{
  public:
    ServedUploadTest()
        : TestCase("served folder: uploads of files and parts")
    {
    }

  private:
    void DoRun() override
    {
        Store();
        Keep();
        BeginAgain();
        StorePart();
        RefuseToStore();
        MoveFolder();
        Limit();
        Fill();
    }

    /// @param tree served @param most bytes of a file; 0: any number @return its folder, writable
    static ServedFolder Open(const ServedTree& tree, uint64_t most = 0)
    {
        return std::move(*ServedFolder::Open(tree.GetServed(), {.isWritable = true, .most = most}));
    }

    /// STOR: the final name appears at the end.
    void Store()
    {
        const ServedTree tree;
        const auto content = MakeContent(5000, 9);
        {
            const ServedFolder folder = Open(tree);
            for (const std::string name : {"new", "b.bin"})
            {
                const auto before = tree.Read("sub/" + name);
                auto file = folder.OpenForStoring("/sub/" + name, content.size());
                NS_TEST_ASSERT_MSG_EQ(GetReply(file), "ok", name);
                StoreAll(**file, 0, content);
                NS_TEST_EXPECT_MSG_EQ(Contains(tree.List("sub"), "." + name + ".partial-"),
                                      true,
                                      tree.List("sub"));
                NS_TEST_EXPECT_MSG_EQ(
                    GetReply(folder.FindSize("sub/" + (*file)->GetTemporaryPath())),
                    "550 sub/" + (*file)->GetTemporaryPath() +
                        ": The name is reserved for uploads in progress.",
                    "others cannot reach it");
                NS_TEST_EXPECT_MSG_EQ((tree.Read("sub/" + name) == before), true, "not replaced");
                NS_TEST_EXPECT_MSG_EQ(CommitUpload(**file).has_value(), false, name);
                NS_TEST_EXPECT_MSG_EQ((tree.Read("sub/" + name) == content), true, name);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(tree.List("sub"), "b.bin deep folder-out new ", "nothing else");
    }

    /// An upload that fails is kept under a hidden name, and a later one continues it.
    void Keep()
    {
        const ServedTree tree;
        const std::string before = tree.List("sub");
        const ServedFolder folder = Open(tree);
        const auto content = MakeContent(200, 9);
        const std::string missing = "553 sub/b.bin: No such file.";
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForStoring("sub/b.bin", {}, true)),
                              missing,
                              "nothing to continue");
        {
            const auto file = folder.OpenForStoring("sub/b.bin", std::nullopt);
            NS_TEST_ASSERT_MSG_EQ(GetReply(file), "ok", "opened");
            (*file)->Store(0, ArrivedContent(content), 0, 120);
            NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForStoring("sub/b.bin", std::nullopt)),
                                  "450 sub/b.bin: Another client stores the file.",
                                  "one writer at a time");
        }
        NS_TEST_EXPECT_MSG_NE(tree.List("sub"), before, "kept");
        NS_TEST_EXPECT_MSG_EQ(tree.Read("sub/b.bin").size(), 20, "the earlier file");
        {
            const auto file = folder.OpenForStoring("sub/b.bin", std::nullopt, true);
            NS_TEST_ASSERT_MSG_EQ(GetReply(file), "ok", "continued");
            (*file)->Store(120, ArrivedContent(content), 120, 80);
            (*file)->Store(200, ArrivedContent(content), 0, 100); // of an attempt that went further
            (*file)->SetSize(200);
            NS_TEST_EXPECT_MSG_EQ(CommitUpload(**file).has_value(), false, "complete");
        }
        NS_TEST_EXPECT_MSG_EQ((tree.Read("sub/b.bin") == content), true, "both parts");
        NS_TEST_EXPECT_MSG_EQ(tree.List("sub"), before, "nothing else");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForStoring("sub/b.bin", {}, true)),
                              missing,
                              "nothing to continue");
    }

    /// An upload that begins again does not keep bytes of an earlier one.
    void BeginAgain()
    {
        const ServedTree tree;
        const ServedFolder folder = Open(tree);
        for (const uint64_t size : {300, 50})
        {
            const auto file = folder.OpenForStoring("/again", size);
            NS_TEST_ASSERT_MSG_EQ(GetReply(file), "ok", size);
            StoreAll(**file, 0, MakeContent(size, 9));
            if (size == 50)
            {
                NS_TEST_EXPECT_MSG_EQ(CommitUpload(**file).has_value(), false, "complete");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(tree.Read("again").size(), 50, "not longer");
    }

    /// ESTO: parts of a file, in any order.
    void StorePart()
    {
        const ServedTree tree;
        const ServedFolder folder = Open(tree);
        const auto content = MakeContent(300, 9);
        for (const uint64_t offset : {200, 0, 100})
        {
            const auto file = folder.OpenPart("/sub/new", offset, 100);
            NS_TEST_ASSERT_MSG_EQ(GetReply(file), "ok", offset);
            (*file)->Store(offset, ArrivedContent(content), offset, 100);
            NS_TEST_EXPECT_MSG_EQ(CommitUpload(**file).has_value(), false, offset);
        }
        NS_TEST_EXPECT_MSG_EQ((tree.Read("sub/new") == content), true, "all parts");

        auto expected = tree.Read("a.bin");
        std::copy_n(content.begin(), 2, expected.begin() + 4);
        {
            const auto file = folder.OpenPart("a.bin", 4, std::nullopt);
            (*file)->Store(4, ArrivedContent(content), 0, 2);
        }
        NS_TEST_EXPECT_MSG_EQ((tree.Read("a.bin") == expected), true, "other bytes stay");
        NS_TEST_EXPECT_MSG_EQ(tree.List("sub"), "b.bin deep folder-out new ", "no other file");
    }

    /// The same reply to STOR and ESTO. @param folder served @param path from a client @param reply
    /// expected
    void ExpectRefused(const ServedFolder& folder,
                       const std::string& path,
                       const std::string& reply)
    {
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForStoring(path, {})), reply, "STOR");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenPart(path, 0, {})), reply, "ESTO");
    }

    /// Nothing is created or opened, inside or outside.
    void RefuseToStore()
    {
        const ServedTree tree;
        const std::string before = tree.List("") + tree.List("sub");
        const FileDescriptor reader(open(tree.GetServed("fifo").c_str(), O_RDONLY | O_NONBLOCK));
        for (const auto lookup : GetLookups())
        {
            const auto reads = ServedFolder::Open(tree.GetServed(), {.lookup = lookup});
            ExpectRefused(*reads, "/new", "553 /new: The server is read-only.");
            ExpectRefused(*reads, "/a.bin", "553 /a.bin: The server is read-only.");
            const auto folder =
                ServedFolder::Open(tree.GetServed(), {.isWritable = true, .lookup = lookup});
            for (const std::string path :
                 {"/file-in", "file-out", "/file-absolute", "nowhere", "/loop", "/sub", "fifo"})
            {
                ExpectRefused(*folder, path, "553 " + path + ": Not a regular file.");
            }
            for (const std::string path : {"/no/a", "a.bin/b", "folder-in/x", "sub/folder-out/x"})
            {
                ExpectRefused(*folder, path, "553 " + path + ": No such folder.");
            }
            ExpectRefused(*folder, "../x", "553 ../x: '..' is not allowed.");
            ExpectRefused(*folder, "sub/", "553 sub/: The name of a file is missing.");
        }
        NS_TEST_EXPECT_MSG_EQ(tree.List("") + tree.List("sub"), before, "nothing is created");
        NS_TEST_EXPECT_MSG_EQ(tree.IsOutsideIntact(), true, "outside");
    }

    /// Somebody replaces the folder, or the name, during an upload.
    void MoveFolder()
    {
        namespace fs = std::filesystem;
        const ServedTree tree;
        const ServedFolder folder = Open(tree);
        const auto content = MakeContent(50, 9);
        {
            const auto committed = folder.OpenForStoring("sub/b.bin", {});
            const auto dropped = folder.OpenForStoring("sub/b.bin", {});
            const auto replaced = folder.OpenForStoring("a.bin", {});
            StoreAll(**committed, 0, content);
            StoreAll(**replaced, 0, content);
            fs::rename(tree.GetServed("sub"), tree.GetServed("moved"));
            fs::create_symlink("..", tree.GetServed("sub"));
            fs::remove(tree.GetServed("a.bin"));
            fs::create_symlink("../secret", tree.GetServed("a.bin"));
            NS_TEST_EXPECT_MSG_EQ(CommitUpload(**committed).has_value(), false, "folder");
            NS_TEST_EXPECT_MSG_EQ(CommitUpload(**replaced).has_value(), false, "name");
        }
        NS_TEST_EXPECT_MSG_EQ((tree.Read("moved/b.bin") == content), true, "the same folder");
        NS_TEST_EXPECT_MSG_EQ(tree.List("moved"), "b.bin deep folder-out ", "one is dropped");
        NS_TEST_EXPECT_MSG_EQ((tree.Read("a.bin") == content), true, "replaces the link itself");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.FindSize("sub/b.bin")),
                              "550 sub/b.bin: No such folder.",
                              "a link now");
        NS_TEST_EXPECT_MSG_EQ(tree.IsOutsideIntact(), true, "outside");
    }

    /// Files that become too large.
    void Limit()
    {
        const ServedTree tree;
        const ServedFolder folder = Open(tree, 1000);
        const std::string reply = "552 /new: A file has at most 1000 bytes.";
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForStoring("/new", 1001)), reply, "STOR");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenPart("/new", 1, 1000)), reply, "ESTO");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenPart("/new", 1001, {})), reply, "offset");
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenPart("/new", 2, UINT64_MAX)), reply, "overflow");
        NS_TEST_EXPECT_MSG_EQ(Contains(tree.List(""), "new"), false, "nothing is created");
        for (const uint64_t place : {900, 901})
        {
            const auto file = folder.OpenPart("/new", 0, {});
            StoreAll(**file, place, MakeContent(100, 9));
            const auto error = CommitUpload(**file);
            NS_TEST_EXPECT_MSG_EQ(error.has_value(), (place == 901), place);
            NS_TEST_EXPECT_MSG_EQ((error ? error->code : 0), (place == 901 ? 552 : 0), place);
            NS_TEST_EXPECT_MSG_EQ((error ? error->text : ""),
                                  (place == 901 ? "/new: pwrite: File too large" : ""),
                                  place);
            NS_TEST_EXPECT_MSG_EQ(tree.Read("new").size(), 1000, place);
        }
        NS_TEST_EXPECT_MSG_EQ(GetReply(folder.OpenForStoring("/other", 1000)), "ok", "all of it");

        const ServedFolder any = Open(tree);
        NS_TEST_EXPECT_MSG_EQ(GetReply(any.OpenPart("/new", INT64_MAX, {})), "ok", "largest");
        const std::string text = "552 /new: A file has at most 9223372036854775807 bytes.";
        NS_TEST_EXPECT_MSG_EQ(GetReply(any.OpenPart("/new", INT64_MAX, 1)), text, "sum");
        NS_TEST_EXPECT_MSG_EQ(GetReply(any.OpenPart("/new", UINT64_MAX, 1)), text, "offset");
        NS_TEST_EXPECT_MSG_EQ(GetReply(any.OpenForStoring("/new", 1ULL << 63)), text, "bytes");
    }

    /// The operating system has no room, or no descriptors.
    void Fill()
    {
        const ServedTree tree;
        const ServedFolder folder = Open(tree);
        for (const auto& name : {std::string("a.bin"), std::string(240, 'x')})
        {
            const auto file = folder.OpenForStoring(name, {});
            std::filesystem::remove(tree.GetServed((*file)->GetTemporaryPath()));
            const auto error = CommitUpload(**file);
            NS_TEST_EXPECT_MSG_EQ((error ? error->code : 0), 451, "somebody removed it");
            NS_TEST_EXPECT_MSG_EQ((error ? error->text : ""),
                                  name.substr(0, 200) + (name.size() > 200 ? "..." : "") +
                                      ": rename: No such file or directory",
                                  "without the folder, and cut");
        }
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        rlimit none = before;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_NOFILE, &none);
        const std::string stored = GetReply(folder.OpenForStoring("/new", {}));
        const std::string sent = GetReply(folder.OpenForSending("/a.bin"));
        setrlimit(RLIMIT_NOFILE, &before);
        NS_TEST_EXPECT_MSG_EQ(stored, "450 /new: The server cannot open the file.", "later");
        NS_TEST_EXPECT_MSG_EQ(sent, "550 /a.bin: The server cannot open the file.", "RETR");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ServedUploadTest}; });

} // namespace ns3::gridftp
