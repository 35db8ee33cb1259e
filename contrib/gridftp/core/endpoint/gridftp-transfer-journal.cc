/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-transfer-journal.h"

#include "gridftp-control-text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <variant>

namespace ns3::gridftp
{

Expected<TransferJournal::Entry>
TransferJournal::Read() const
{
    if (!IsKept())
    {
        return Entry();
    }
    errno = 0;
    std::ifstream file(m_path);
    if (!file && errno == ENOENT)
    {
        return Entry();
    }
    std::string transfer;
    std::string size;
    std::string text;
    std::getline(file, transfer);
    std::getline(file, size);
    std::getline(file, text);
    const auto bytes = ParseNumber(size);
    const auto ranges = ParseRanges(text);
    if (!file || !bytes || !ranges)
    {
        return Error{m_path + ": not a journal of this program; remove it to start again"};
    }
    if (transfer != m_transfer)
    {
        return Error{m_path + ": belongs to '" + transfer + "'; remove it to start again"};
    }
    return Entry{*bytes, MergeRanges(*ranges)};
}

Done
TransferJournal::Write(const Entry& entry) const
{
    if (!IsKept() || CountBytes(entry.ranges) == 0)
    {
        return std::monostate{};
    }
    const std::string temporary = m_path + ".new";
    std::ofstream file(temporary, std::ios::trunc);
    file << m_transfer << "\n" << entry.bytes << "\n" << FormatRanges(entry.ranges) << "\n";
    file.close();
    if (!file || rename(temporary.c_str(), m_path.c_str()) != 0)
    {
        return Error{temporary + ": write: " + strerror(errno)};
    }
    return std::monostate{};
}

void
TransferJournal::Remove() const
{
    if (IsKept())
    {
        remove(m_path.c_str());
    }
}

} // namespace ns3::gridftp
