/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-arrived-bytes.h"
#include "ns3/gridftp-file-descriptor.h"
#include "ns3/gridftp-stored-file.h"
#include "ns3/test.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <span>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A file whose name appears when it is complete.
class StoredFileTest : public TestCase
{
  public:
    StoredFileTest()
        : TestCase("stored file: a temporary name until it is complete")
    {
    }

  private:
    void DoRun() override
    {
        Store();
        Destroy();
        Fail();
        StoreInFolder();
        StoreInPlace();
        Limit();
    }

    /// Out of order, in two files of the same name.
    void Store()
    {
        const TemporaryFolder folder;
        folder.Write("copy", MakeContent(10, 1));
        const auto content = MakeContent(3'000'000, 2);
        StoredFile other(folder.GetPath("copy"));
        StoredFile file(folder.GetPath("copy"));
        NS_TEST_EXPECT_MSG_EQ(file.GetError(), "", "opened");
        NS_TEST_EXPECT_MSG_NE(file.GetTemporaryPath(), other.GetTemporaryPath(), "each its own");
        NS_TEST_EXPECT_MSG_EQ(
            (file.GetTemporaryPath().find("/.copy.partial-") != std::string::npos),
            true,
            file.GetTemporaryPath());
        // The bytes are read together with others
        file.Store(1000, ArrivedContent(content), 1000, content.size() - 1000);
        file.Store(0, ArrivedContent(std::span(content).first(1100)), 0, 1000);
        NS_TEST_EXPECT_MSG_EQ(folder.Read("copy").size(), 10, "not replaced yet");
        NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), true, file.GetError());
        NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "content");
    }

    /// Without Commit(), nothing is left.
    void Destroy()
    {
        const TemporaryFolder folder;
        const std::string name(250, 'x'); // with more, the name would be too long
        {
            StoredFile file(folder.GetPath(name));
            file.Store(0, ArrivedContent(MakeContent(10, 3)), 0, 10);
            NS_TEST_EXPECT_MSG_EQ(file.GetError(), "", "stored");
            NS_TEST_EXPECT_MSG_NE(folder.List(), "", "the temporary file");
        }
        NS_TEST_EXPECT_MSG_EQ(folder.List(), "", "removed");
    }

    /// Errors are kept, and prevent the final name.
    void Fail()
    {
        const TemporaryFolder folder;
        StoredFile nowhere(folder.GetPath("no/copy"));
        NS_TEST_EXPECT_MSG_EQ(nowhere.GetError(),
                              folder.GetPath("no/copy") + ": open: No such file or directory",
                              "no folder");
        nowhere.Store(0, ArrivedContent(MakeContent(10, 3)), 0, 10);
        NS_TEST_EXPECT_MSG_EQ(bool(nowhere.Commit()), false, "not opened");

        const auto content = MakeContent(20'000, 4);
        {
            StoredFile file(folder.GetPath("copy"));
            rlimit before{};
            getrlimit(RLIMIT_FSIZE, &before);
            rlimit small = before;
            small.rlim_cur = 10'000;
            const auto handler = std::signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &small);
            file.Store(0, ArrivedContent(content), 0, content.size());
            setrlimit(RLIMIT_FSIZE, &before);
            std::signal(SIGXFSZ, handler);
            file.Store(0, ArrivedContent(content), 0, content.size());
            NS_TEST_EXPECT_MSG_EQ(file.GetError(),
                                  folder.GetPath("copy") + ": pwrite: File too large",
                                  "the first error");
            const auto committed = file.Commit();
            NS_TEST_EXPECT_MSG_EQ(bool(committed), false, "not renamed");
        }
        NS_TEST_EXPECT_MSG_EQ(folder.List(), "", "nothing is left");

        StoredFile far(folder.GetPath("copy"));
        far.Store(UINT64_MAX - 5, ArrivedContent(content), 0, 5);
        NS_TEST_EXPECT_MSG_EQ(far.GetError(),
                              folder.GetPath("copy") + ": pwrite: Invalid argument",
                              "beyond what a file can have");
    }

    /// @param folder with the file @param mode of the file "copy" @param most bytes @return the
    /// file
    static StoredFile::Target MakeTarget(const TemporaryFolder& folder,
                                         StoredFile::Mode mode,
                                         uint64_t most = UINT64_MAX)
    {
        return {.folder = FileDescriptor(open(folder.GetPath("").c_str(), O_PATH | O_CLOEXEC)),
                .name = "copy",
                .shown = "/shown",
                .mode = mode,
                .most = most};
    }

    /// A folder by its descriptor.
    void StoreInFolder()
    {
        const TemporaryFolder folder;
        const auto content = MakeContent(100, 5);
        {
            StoredFile file(MakeTarget(folder, StoredFile::Mode::TEMPORARY));
            file.Store(0, ArrivedContent(content), 0, content.size());
            NS_TEST_EXPECT_MSG_EQ(folder.List(), file.GetTemporaryPath() + " ", "in the folder");
            NS_TEST_EXPECT_MSG_EQ(StoredFile::IsTemporaryName(file.GetTemporaryPath()),
                                  true,
                                  "name");
            NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), true, file.GetError());
            NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "content");
            const StoredFile dropped(MakeTarget(folder, StoredFile::Mode::TEMPORARY));
        }
        NS_TEST_EXPECT_MSG_EQ(folder.List(), "copy ", "the other one is removed");
        NS_TEST_EXPECT_MSG_EQ(StoredFile::IsTemporaryName("copy"), false, "final name");
    }

    /// The file itself, in several parts; other bytes stay.
    void StoreInPlace()
    {
        const TemporaryFolder folder;
        const auto content = MakeContent(100, 6);
        for (const uint64_t place : {50, 0})
        {
            StoredFile file(MakeTarget(folder, StoredFile::Mode::IN_PLACE));
            file.Store(place, ArrivedContent(content), place, 50);
            NS_TEST_EXPECT_MSG_EQ(folder.List(), "copy ", "no temporary file");
            NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), true, file.GetError());
        }
        NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "both parts");
    }

    /// Bytes beyond the limit are not written, and not cut.
    void Limit()
    {
        const TemporaryFolder folder;
        const auto content = MakeContent(100, 7);
        StoredFile file(MakeTarget(folder, StoredFile::Mode::IN_PLACE, 100));
        file.Store(0, ArrivedContent(content), 0, 100);
        NS_TEST_EXPECT_MSG_EQ(file.GetErrorNumber(), 0, "as many as allowed");
        file.Store(1, ArrivedContent(content), 0, 100);
        NS_TEST_EXPECT_MSG_EQ(file.GetErrorNumber(), EFBIG, "one more");
        NS_TEST_EXPECT_MSG_EQ(file.GetError(), "/shown: pwrite: File too large", "as shown");
        NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "nothing is written");

        StoredFile larger(MakeTarget(folder, StoredFile::Mode::IN_PLACE, 99));
        larger.Store(0, ArrivedContent(content), 0, 100);
        NS_TEST_EXPECT_MSG_EQ(larger.GetErrorNumber(), EFBIG, "more than the whole file may have");

        StoredFile far(MakeTarget(folder, StoredFile::Mode::TEMPORARY));
        far.Store(INT64_MAX - 99, ArrivedContent(content), 0, 100); // the sum is 2^63
        NS_TEST_EXPECT_MSG_EQ(far.GetErrorNumber(), EINVAL, "beyond what a file can have");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new StoredFileTest}; });

} // namespace ns3::gridftp
