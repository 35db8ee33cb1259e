/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-trace-files.h"

#include "gridftp-option.h"
#include "gridftp-quantity.h"

#include <filesystem>
#include <system_error>

namespace ns3::gridftp
{

namespace
{

std::string
TimeText(int64_t now)
{
    return FormatReal(static_cast<double>(now) / 1e9);
}

std::string
LabelText(const ConnectionLabel& label)
{
    return std::to_string(label.session) + ',' + std::to_string(label.chunk) + ',' +
           std::to_string(label.connection);
}

} // namespace

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
    m_cwnd << "time_s,session,chunk,connection,cwnd_bytes,ssthresh_bytes\n";
    m_queue << "time_s,packets\n";
    m_drops << "time_s,session,chunk,connection,sequence\n";
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
    m_cwnd << TimeText(now) << ',' << LabelText(label) << ',' << cwnd << ',';
    if (ssthresh)
    {
        m_cwnd << *ssthresh;
    }
    m_cwnd << '\n';
}

void
TraceFiles::AddQueue(int64_t now, uint64_t packets)
{
    m_queue << TimeText(now) << ',' << packets << '\n';
}

void
TraceFiles::AddDrop(int64_t now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence)
{
    m_drops << TimeText(now) << ',' << (label ? LabelText(*label) : ",,") << ',';
    if (sequence)
    {
        m_drops << *sequence;
    }
    m_drops << '\n';
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
