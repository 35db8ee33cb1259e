/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-checksum-text.h"
#include "gridftp-client-session.h"
#include "gridftp-storage-kind.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * How a client compares the files of both hosts (globus-url-copy -verify-checksum): it asks each
 * server for a checksum and, unless the transfer is between two servers, computes its own
 * meanwhile.
 */

namespace ns3::gridftp
{

namespace
{

/** Least rate at which a client expects a server to compute a checksum, bit/s. The server sends
 * nothing before the reply, so a slower one looks like a dead one. */
constexpr int64_t SLOWEST_BPS = 80'000'000;

} // namespace

void
ClientSession::CompareChecksums(Nanoseconds now, const FileChunk& part)
{
    m_rateCheck.Cancel();
    m_checksums = {};
    m_checksumBegin = m_checksumEnd = now;
    const bool isWhole = part.offset == 0 && part.bytes == part.fileBytes;
    const auto length = isWhole ? std::nullopt : std::optional(part.bytes);
    for (const Peer peer : ListPeers(m_settings.direction))
    {
        const bool isSender = IsThirdParty() && peer == Peer::SENDER;
        const auto& path = isSender ? m_settings.senderPath : m_settings.path;
        m_script.AddChecksum(peer, {part.offset, length, path});
    }
    const int64_t rateBps = m_settings.data.buffers.processing.checksumRate;
    const int64_t slowestBps = rateBps > 0 ? std::min(rateBps, SLOWEST_BPS) : SLOWEST_BPS;
    m_checksumPatience = GetStorageNs(part.bytes, static_cast<uint64_t>(slowestBps));
    Advance(now);
    if (IsThirdParty() || m_hasGivenUp)
    {
        return;
    }
    auto own = m_settings.makeChecksum
                   ? m_settings.makeChecksum(part.offset, part.bytes)
                   : std::unique_ptr<FileChecksum>(std::make_unique<ZeroChecksum>(part.bytes));
    if (!own)
    {
        return GiveUp(now, own.GetError().text);
    }
    m_ownChecksum.Start(now, std::move(*own), rateBps);
}

void
ClientSession::HandleOwnChecksum(Nanoseconds now, const TextResult<uint32_t>& value)
{
    if (!value)
    {
        return GiveUp(now, value.GetError().text);
    }
    const bool sends = m_settings.direction == Direction::UPLOAD;
    if (TakeChecksum(now, sends ? Peer::SENDER : Peer::RECEIVER, *value))
    {
        Advance(now);
    }
}

bool
ClientSession::HandleChecksumReply(Nanoseconds now, Peer peer, const Reply& reply)
{
    const auto value = ParseChecksumReply(reply);
    if (!value)
    {
        GiveUp(now,
               "the " + std::string(GetPeerName(m_settings.direction, peer)) +
                   " sent no checksum but '" + reply.lines.front() + "'");
        return false;
    }
    return TakeChecksum(now, peer, *value);
}

bool
ClientSession::TakeChecksum(Nanoseconds now, Peer end, uint32_t value)
{
    m_checksumEnd = now;
    m_checksums[static_cast<size_t>(end)] = value;
    const auto& sent = m_checksums[static_cast<size_t>(Peer::SENDER)];
    const auto& received = m_checksums[static_cast<size_t>(Peer::RECEIVER)];
    if (sent && received && *sent != *received)
    {
        GiveUp(now,
               "the checksums differ: " + FormatChecksum(*sent) + " of the file that was sent, " +
                   FormatChecksum(*received) + " of the file that was stored");
        return false;
    }
    return true;
}

std::optional<ChecksumResult>
ClientSession::GetChecksum() const
{
    const auto& received = m_checksums[static_cast<size_t>(Peer::RECEIVER)];
    if (!received || m_checksums.front() != m_checksums.back())
    {
        return std::nullopt;
    }
    return ChecksumResult{FormatChecksum(*received), int64_t{m_checksumEnd - m_checksumBegin}};
}

} // namespace ns3::gridftp
