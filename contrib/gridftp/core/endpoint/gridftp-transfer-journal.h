/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_JOURNAL_H
#define GRIDFTP_TRANSFER_JOURNAL_H

#include "gridftp-expected.h"
#include "gridftp-marker-ranges.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A file that records which bytes of a transfer the receiver has, for a later process. It names the
 * transfer and the size of the file, so that another transfer does not continue it.
 *
 * Contract: the owner calls Read() once, then Write() during the transfer, and Remove() when it is
 * complete. Without a path, Read() returns an empty entry, and the other calls have no effect.
 */
class TransferJournal
{
  public:
    /** What a journal records. */
    struct Entry
    {
        uint64_t bytes{0};     //!< size of the file
        MarkerRanges ranges{}; //!< of the file: what the receiver has
    };

    /** @param path of the journal; empty: none @param transfer one line that names the transfer */
    TransferJournal(std::string path, std::string transfer)
        : m_path(std::move(path)),
          m_transfer(std::move(transfer))
    {
    }

    /** @return whether there is a journal, or is to be one */
    bool IsKept() const
    {
        return !m_path.empty();
    }

    /** @return the entry; without a file an empty one; or an error: the file is of another
     * transfer, or cannot be read */
    Expected<Entry> Read() const;

    /** Replaces the entry. @param entry the new one; without ranges nothing is written @return
     * nothing, or what the system refuses */
    Done Write(const Entry& entry) const;

    /** Removes the file. */
    void Remove() const;

  private:
    std::string m_path;     //!< of the file; empty: none
    std::string m_transfer; //!< names the transfer
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRANSFER_JOURNAL_H
