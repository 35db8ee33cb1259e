/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-checksum-task.h"

#include "gridftp-storage-kind.h"

#include <utility>

namespace ns3::gridftp
{

namespace
{

/** Between two pieces. Without it, the pieces that are overdue would follow each other at once. */
constexpr Nanoseconds PAUSE = 1'000'000;

} // namespace

void
ChecksumTask::Bind(DataHost& host, Handler handler)
{
    m_host = &host;
    m_handler = std::move(handler);
    m_next.Bind(host, [this](Nanoseconds now) { Run(now); });
}

void
ChecksumTask::Start(Nanoseconds now, std::unique_ptr<FileChecksum> checksum, int64_t rateBps)
{
    m_checksum = std::move(checksum);
    const int64_t ns =
        rateBps > 0 ? GetStorageNs(m_checksum->GetBytes(), static_cast<uint64_t>(rateBps)) : 0;
    const Nanoseconds at = ns > 0 ? m_host->AskCpu(now, {CpuUse::CHECKSUMS, ns}) : now;
    at > now ? m_next.Set(now, at) : Run(now);
}

void
ChecksumTask::Cancel()
{
    m_next.Cancel();
    m_checksum.reset();
}

void
ChecksumTask::Run(Nanoseconds now)
{
    const auto isLast = m_checksum->ReadPiece();
    if (isLast && !*isLast)
    {
        return m_next.Set(now, now + PAUSE);
    }
    const auto done = std::exchange(m_checksum, nullptr);
    m_handler(now,
              isLast ? TextResult<uint32_t>(done->GetValue())
                     : TextResult<uint32_t>(isLast.GetError()));
}

} // namespace ns3::gridftp
