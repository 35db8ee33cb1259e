/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-raw-socket.h"
#include "gridftp-real-transfer.h"
#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-mode-e-header.h"
#include "ns3/gridftp-stored-file.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Peers that send something else than MODE E.
class PosixMalformedTest : public TestCase
{
  public:
    PosixMalformedTest()
        : TestCase("real sockets: an outcome for each of 1,000 malformed streams")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t STREAMS = 1000;
        const size_t before = CountDescriptors();
        uint32_t failures = 0;
        for (uint32_t i = 0; i < CountDraws(STREAMS); ++i)
        {
            const auto outcome = Receive(MakeStream(i), i);
            NS_TEST_ASSERT_MSG_EQ((outcome == "done" || outcome.starts_with("426 ")),
                                  true,
                                  "stream " << i << ": '" << outcome << "'");
            failures += outcome == "done" ? 0 : 1;
            NS_TEST_ASSERT_MSG_EQ(CountDescriptors(), before, "descriptors, stream " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((failures > CountDraws(STREAMS) / 2), true, failures << " fail");
        NS_TEST_EXPECT_MSG_EQ(m_folder.List(), "", "no file is left");
    }

    /// @param header to append @param to stream
    static void Append(const ModeEHeader& header, std::vector<uint8_t>& to)
    {
        const auto bytes = header.ToBytes();
        to.insert(to.end(), bytes.begin(), bytes.end());
    }

    /// @param seed of the generator @return random bytes, or a chunk of 2,000 bytes with mutations
    std::vector<uint8_t> MakeStream(uint32_t seed) const
    {
        std::mt19937 random(seed);
        const auto below = [&random](size_t limit) { return random() % limit; };
        if (seed % 3 == 0)
        {
            return MakeContent(1 + below(5000), seed);
        }
        std::vector<uint8_t> stream;
        for (uint64_t offset = 0; offset < 2000; offset += 500)
        {
            Append(ModeEHeader::Data(offset, 500), stream);
            stream.resize(stream.size() + 500);
        }
        Append(ModeEHeader::EndOfDataAndFile(1), stream);
        for (size_t i = 0; i <= below(3); ++i)
        {
            // A header each 517 bytes
            const size_t at = below(5) * 517 + below(ModeEHeader::SIZE);
            stream[at] ^= static_cast<uint8_t>(1U << below(8));
        }
        if (below(4) == 0)
        {
            stream.resize(1 + below(stream.size()));
        }
        return stream;
    }

    /// @param stream of a peer @param seed chooses how the peer ends it @return what the owner of
    /// the receiver learns
    std::string Receive(const std::vector<uint8_t>& stream, uint32_t seed)
    {
        RealTransfer transfer;
        StoredFile file(m_folder.GetPath("copy"));
        transfer.receiver.SetFile(&file);
        transfer.isCoupled = false;
        transfer.sent = "none";
        const auto port = transfer.receiver.Listen(0);
        transfer.receiver.Expect(0, {.bytes = 2000});
        RawSocket peer;
        if (!peer.Connect(port.value_or(0)) || peer.Send(stream) != stream.size())
        {
            return "not sent";
        }
        seed % 5 == 0 ? peer.Reset() : peer.Finish();
        const Deadline deadline(transfer.loop);
        transfer.loop.Run();
        return deadline.isOver ? "too late" : transfer.received;
    }

    TemporaryFolder m_folder; ///< for what arrives
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PosixMalformedTest}; });

} // namespace ns3::gridftp
