/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-trace-files.h"

#include "gridftp-text.h"

#include <cstddef>
#include <filesystem>
#include <system_error>

namespace ns3::gridftp
{

Done
TraceFiles::Open(const std::string& folder)
{
    m_folder = folder;
    std::error_code failure; // without a folder no file opens, which is asked below
    std::filesystem::create_directories(folder, failure);
    for (size_t i = 0; i < m_files.size(); ++i)
    {
        m_files.at(i).open(folder + '/' + std::string(TRACE_NAMES.at(i).file));
        m_files.at(i) << TRACE_NAMES.at(i).header;
        if (!m_files.at(i))
        {
            return Error{Printable("--trace=" + folder) +
                         " cannot be written; allowed: a writable folder"};
        }
    }
    return std::monostate{};
}

Done
TraceFiles::Close()
{
    for (auto& file : m_files)
    {
        file.close();
        if (!file)
        {
            return Error{Printable("--trace=" + m_folder) + ": not everything could be written"};
        }
    }
    return std::monostate{};
}

bool
TraceFiles::IsWanted(Nanoseconds /* now */)
{
    return true;
}

void
TraceFiles::Write(Trace trace, const std::string& row)
{
    m_files.at(static_cast<size_t>(trace)) << row;
}

} // namespace ns3::gridftp
