/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_SIZING_H
#define GRIDFTP_CONTROL_SIZING_H

#include "gridftp-application-sizing.h"
#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"

#include <optional>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * SBUF while data flow (Gardner, Thulasidasan and Feng, Section 4.1.4): `SBUF <ID> <size>` asks a
 * server to set its buffers, which it answers with `200 SBUF <ID> <size>`; `126 SBUF <ID> <size>`
 * is how a server that receives tells the client of its own. Before a transfer SBUF has one number
 * (GFD.20).
 *
 * How a server that receives learns the round-trip time is not in the paper. Here whoever is told
 * by a 126 and knows what it is answers with the same SBUF, which ends the probe; in a third-party
 * transfer the client passes the 126 on to the server that sends, as an SBUF, and answers once
 * that has answered.
 */

namespace ns3::gridftp
{

/// Reply that answers an SBUF.
inline constexpr int SIZING_ANSWER = 200;
/// Reply by which a server that receives tells of its buffer.
inline constexpr int SIZING_NOTICE = 126;

/// @param message the argument @return "ID size"
std::string FormatSizing(const SizingMessage& message);

/// @param argument "size" as before a transfer @return the size, 1 to 1 GiB, or 501
TextResult<uint64_t> ParseBufferSize(std::string_view argument);

/// @param argument "ID size" @return the parts, each at least 1 and the size at most 1 GiB, as far
/// as window scaling reaches (RFC 7323); or 501
TextResult<SizingMessage> ParseSizing(std::string_view argument);

/// @param message what to ask @return "SBUF ID size"
Command MakeSizingCommand(const SizingMessage& message);

/// @param code SIZING_ANSWER or SIZING_NOTICE @param message what it says @return the reply
Reply MakeSizingReply(int code, const SizingMessage& message);

/**
 * What a server answers that knows SBUF with one number only.
 * @param isTransferring data flow
 * @param argument of SBUF
 * @return 503 while data flow, which it says to any command but a few; else 501
 */
Reply MakeSizingRefusal(bool isTransferring, std::string_view argument);

/// @param message that a server which receives has not asked for by a 126 @return 501
Reply MakeUnknownSizingReply(const SizingMessage& message);

/// @param code of a reply while an SBUF is under way @return whether it refuses the SBUF: a
/// transfer ends with other codes
bool IsSizingRefusal(int code);

/// @param reply any @return what it says of buffers, none where it is another one
std::optional<SizingMessage> FindSizing(const Reply& reply);

/**
 * What a server that sends makes of the SBUFs that come while data flow.
 */
class SizingServer
{
  public:
    /**
     * An SBUF has come.
     * @param argument of it
     * @param buffers of its data connections
     * @return the ID, and the size that send buffers have from now on, unless they were larger:
     *         what is asked for up to the largest, or what they are given; or 501, also for an ID
     * that is not above the last one, which a reply could not be matched to
     */
    TextResult<SizingMessage> Accept(std::string_view argument, const BufferSettings& buffers);

  private:
    uint64_t m_lastId{0}; //!< of the last SBUF accepted
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_SIZING_H
