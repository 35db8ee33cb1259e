/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

#include "ns3/gridftp-served-path.h"
#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Paths that clients send.
class ServedPathTest : public TestCase
{
  public:
    ServedPathTest()
        : TestCase("served path: files below the root only")
    {
    }

  private:
    void DoRun() override
    {
        Accept();
        Refuse();
        CheckLengths();
    }

    /// @param path from a client @return "FOLDER NAME", or what is wrong
    static std::string Parse(std::string_view path)
    {
        const auto parsed = ParseServedPath(path);
        return parsed ? parsed->folder + " " + parsed->name : parsed.GetError().message;
    }

    /// Different paths of the same file, and names that only look dangerous.
    void Accept()
    {
        for (const auto* path : {"a", "/a", "//a", "./a", "/./a", ".//.//a"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path), ". a", path);
        }
        for (const auto* path : {"a/b", "/a/b", "/a//b", "a/./b", "//a///.//b"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path), "a b", path);
        }
        NS_TEST_EXPECT_MSG_EQ(Parse("/a/b/c/d"), "a/b/c d", "several folders");
        for (const std::string name : {"...", "..a", "a..", ".a", "~", "%2e%2e", "..\\a", " ", "*"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(name), ". " + name, name);
        }
        NS_TEST_EXPECT_MSG_EQ(Parse("/\xc3\xa4"), ". \xc3\xa4", "UTF-8");
        NS_TEST_EXPECT_MSG_EQ(Parse("/.partial-1"), ". .partial-1", "no name before it");
        NS_TEST_EXPECT_MSG_EQ(Parse("/a.partial-1"), ". a.partial-1", "no dot before it");
    }

    /// Each rule, at several positions.
    void Refuse()
    {
        for (const auto* path :
             {"..", "/..", "../x", "/../x", "a/../x", "a/../../x", "/a/..", "a/../", ".//../x"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path), "'..' is not allowed.", path);
        }
        for (const auto* path : {"", "/", "//", ".", "/.", "./", "a/", "/a/b//", "a/.", "a/./"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path), "The name of a file is missing.", path);
        }
        using std::string_view_literals::operator""sv;
        for (const auto path :
             {"a\0b"sv, "\0"sv, "a\n"sv, "a\r\nb"sv, "\x1b"sv, "a\x7f"sv, "\xff"sv})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path), "A path has no control characters.", path.size());
        }
        for (const auto* path : {".a.partial-1-0", "/a/.b.partial-", "/.a.partial-1-0/b"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path),
                                  "The name is reserved for uploads in progress.",
                                  path);
        }
    }

    /// The longest path and name, and one byte more.
    void CheckLengths()
    {
        const std::string longest(255, 'x');
        NS_TEST_EXPECT_MSG_EQ(Parse(longest + "/" + longest), longest + " " + longest, "longest");
        for (const auto& path : {longest + "x", longest + "x/a", "a/" + longest + "x"})
        {
            NS_TEST_EXPECT_MSG_EQ(Parse(path), "A name has at most 255 bytes.", path);
        }
        const std::string slashes(4095, '/');
        NS_TEST_EXPECT_MSG_EQ(Parse(slashes + "a"), ". a", "4,096 bytes");
        NS_TEST_EXPECT_MSG_EQ(Parse(slashes + "/a"), "A path has at most 4096 bytes.", "4,097");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ServedPathTest}; });

} // namespace ns3::gridftp
