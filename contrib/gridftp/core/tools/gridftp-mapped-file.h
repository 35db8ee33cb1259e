/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MAPPED_FILE_H
#define GRIDFTP_MAPPED_FILE_H

#include "gridftp-block-stages.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A file that a program has mapped into its memory, as sendfile() and getfile() of RBUDP do with
 * mmap() (QUANTAnet_rbudpSender_c.cxx, QUANTAnet_rbudpReceiver_c.cxx). A program that touches bytes
 * for the first time waits until their block is read, or, where it stores them, until the file
 * system has taken as much. What was touched before costs nothing.
 *
 * Blocks are as long as the kernel's read-ahead (VM_READAHEAD_PAGES), at the places of their size.
 */
class MappedFile
{
  public:
    static constexpr uint64_t BLOCK_BYTES = 131'072; //!< VM_READAHEAD_PAGES

    /** @param stages what its blocks pass @param writes the program stores, else it reads @param
     * bytes of the file */
    MappedFile(const BlockStages& stages, bool writes, uint64_t bytes);

    /** @return whether touching it may take time */
    bool IsTimed() const
    {
        return m_stages.IsTimed();
    }

    /**
     * The program touches bytes. Where that takes time it waits, and touches them again then: they
     * may lie in two blocks.
     * @param now of the simulation, not before what the last call returned
     * @param begin first byte
     * @param bytes how many, within the file
     * @return now: they are there; else when to touch them again, ns
     */
    Nanoseconds Touch(Nanoseconds now, uint64_t begin, uint64_t bytes);

  private:
    BlockStages m_stages;         //!< what its blocks pass
    bool m_writes;                //!< else it reads
    uint64_t m_bytes;             //!< of the file
    std::vector<bool> m_isInside; //!< by block: it was touched
};

} // namespace ns3::gridftp

#endif // GRIDFTP_MAPPED_FILE_H
