/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-arrived-bytes.h"
#include "ns3/gridftp-stored-file.h"
#include "ns3/test.h"

#include <csignal>
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
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new StoredFileTest}; });

} // namespace ns3::gridftp
