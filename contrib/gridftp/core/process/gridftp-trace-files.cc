/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-trace-files.h"

#include "gridftp-text.h"
#include "gridftp-trace-rows.h"

#include <filesystem>
#include <system_error>

namespace ns3::gridftp
{

Done
TraceFiles::Open(const std::string& folder)
{
    m_folder = folder;
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    m_cwnd.open(folder + "/cwnd.csv");
    m_queue.open(folder + "/queue.csv");
    m_drops.open(folder + "/drops.csv");
    if (failure || !m_cwnd || !m_queue || !m_drops)
    {
        return Error{Printable("--trace=" + folder) +
                     " cannot be written; allowed: a writable folder"};
    }
    m_cwnd << CWND_TRACE_HEADER;
    m_queue << QUEUE_TRACE_HEADER;
    m_drops << DROP_TRACE_HEADER;
    return std::monostate{};
}

Done
TraceFiles::Close()
{
    for (auto* file : {&m_cwnd, &m_queue, &m_drops})
    {
        file->close();
        if (!*file)
        {
            return Error{Printable("--trace=" + m_folder) + ": not everything could be written"};
        }
    }
    return std::monostate{};
}

void
TraceFiles::AddWindow(int64_t now,
                      const ConnectionLabel& label,
                      uint64_t cwnd,
                      const std::optional<uint64_t>& ssthresh)
{
    m_cwnd << MakeWindowRow(now, label, cwnd, ssthresh);
}

void
TraceFiles::AddQueue(int64_t now, uint64_t packets)
{
    m_queue << MakeQueueRow(now, packets);
}

void
TraceFiles::AddDrop(int64_t now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence)
{
    m_drops << MakeDropRow(now, label, sequence);
}

void
SegmentTraces::HandleLength(int64_t now, uint64_t packets)
{
    m_files.AddQueue(now, packets);
}

void
SegmentTraces::HandleWindow(int64_t now, const ConnectionLabel& label, const SegmentSender& sender)
{
    const bool isSet = sender.GetSsthresh() != SegmentSender::NO_SSTHRESH;
    m_files.AddWindow(now,
                      label,
                      sender.GetCwnd(),
                      isSet ? std::optional(sender.GetSsthresh()) : std::nullopt);
}

void
SegmentTraces::HandleDrop(int64_t now,
                          const std::optional<ConnectionLabel>& label,
                          const std::optional<uint64_t>& sequence)
{
    m_files.AddDrop(now, label, sequence);
}

} // namespace ns3::gridftp
