/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"
#include "gridftp-tuner-window.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What a client knows of W, worked out by hand.
class TunerWindowTest : public TestCase
{
  public:
    TunerWindowTest()
        : TestCase("buffers: W for the tuner")
    {
    }

  private:
    void DoRun() override
    {
        const BufferSpec fixed{.policy = "fixed", .window = 65536, .most = 1 << 20};
        BufferSpec moving{.policy = "drs-kernel", .window = 65536, .most = 1 << 20};
        const std::vector<uint64_t> sizes{100'000, 200'000, 400'001};
        using enum TunerWindow;
        using enum Direction;
        Expect(GetTunerWindow(BUFFER, DOWNLOAD, moving, sizes), 700'001.0 / 3, "receive buffers");
        Expect(GetTunerWindow(BUFFER, UPLOAD, moving, sizes), 700'001.0 / 6, "send buffers");
        Expect(GetTunerWindow(BUFFER, THIRD_PARTY, moving, sizes), 65536, "no socket of its own");
        Expect(GetTunerWindow(ASKED, DOWNLOAD, moving, sizes), 65536, "asked for");
        Expect(GetTunerWindow(ASKED, UPLOAD, moving, sizes), 65536, "asked for");
        Expect(GetTunerWindow(BUFFER, DOWNLOAD, moving, {}), 65536, "no connection");
        Expect(GetTunerWindow(BUFFER, DOWNLOAD, fixed, sizes), 65536, "buffers that stay");
        Expect(GetTunerWindow(BUFFER, UPLOAD, fixed, sizes), 65536, "buffers that stay");
        moving.policy = "drs-ftp";
        Expect(GetTunerWindow(BUFFER, UPLOAD, moving, sizes), 700'001.0 / 3, "as the server asks");
        moving.policy = "drs-kernel";
        moving.sendPool = 1'000'000;
        Expect(GetTunerWindow(BUFFER, UPLOAD, moving, sizes), 65536, "send buffers as cwnd is");
        moving.sendPool = 0;
        moving.sendBuffer = 300'000;
        Expect(GetTunerWindow(BUFFER, UPLOAD, moving, sizes), 65536, "a send buffer that stays");
        Expect(GetTunerWindow(BUFFER, DOWNLOAD, moving, sizes),
               700'001.0 / 3,
               "a send buffer of the other end");
    }

    /// @param window W @param expected what it should be @param what is tested
    void Expect(double window, double expected, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(window, expected, what);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new TunerWindowTest}; });

} // namespace
