/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_STAGES_H
#define GRIDFTP_BLOCK_STAGES_H

#include "gridftp-file-map.h"
#include "gridftp-host-cpu.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-scenario.h"
#include "gridftp-storage.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a block costs on the CPU of a host that sends or receives it. */
struct BlockCost
{
    uint64_t dataRate{0};       //!< how fast it moves bytes, bit/s; 0: that takes no time
    uint64_t protectionRate{0}; //!< how fast it protects them, or undoes it, likewise
    uint64_t moduleRate{0};     //!< how fast a module makes something else of them, likewise
    uint64_t fileRate{0};       //!< how fast the file system moves them, likewise
    int64_t callNs{0};          //!< of a system call
    uint64_t callBytes{0};      //!< that one moves; 0: a block
    int64_t fileNs{0};          //!< of the file system, for each block
    int64_t rpcNs{0};           //!< of a remote procedure call
    uint64_t rpcBytes{0};       //!< that one moves; 0: there are none

    /** @return whether it costs anything */
    bool IsTimed() const
    {
        return dataRate > 0 || protectionRate > 0 || moduleRate > 0 || fileRate > 0 || callNs > 0 ||
               fileNs > 0 || (rpcNs > 0 && rpcBytes > 0);
    }

    /** @param bytes of a block on the connection @param input of these, or of what they are made
     * of, what a module is given, bytes @return what it costs */
    CpuWork Of(uint64_t bytes, uint64_t input) const;
};

/** @ingroup gridftp @param spec of a session @param receives the end that receives, else the one
 * that sends @return what a module makes of the file there */
FileMap MakeFileMap(const ProcessingSpec& spec, bool receives);

/** @ingroup gridftp @param spec of a session @param receives at the end that receives, else at the
 * one that sends @return what blocks cost there */
BlockCost MakeBlockCost(const BufferSpec& spec, bool receives);

/**
 * @ingroup gridftp
 * The first two stages of a data transfer process (Allcock et al., Section 5.2), data access and
 * data processing, as the blocks of a data connection pass them: read from storage, worked on by
 * the host's CPU, and then on the connection; or the other way round.
 */
struct BlockStages
{
    StoragePlace storage{}; //!< where blocks are read or written
    HostCpu* cpu{nullptr};  //!< of the host, outlives what uses it; null: nothing costs its time
    BlockCost cost{};       //!< of a block
    FileMap map{};          //!< what a module makes of the file, at the end that has one

    /** @return whether a block takes time */
    bool IsTimed() const
    {
        return storage.IsTimed() || (cpu && cost.IsTimed());
    }

    /**
     * A host that sends asks for a block.
     * @param now of the simulation
     * @param offset in the chunk, bytes
     * @param bytes at least 1
     * @return when it can go on the connection
     */
    Nanoseconds Read(Nanoseconds now, uint64_t offset, uint64_t bytes) const;

    /**
     * A host that receives has read a block from the connection.
     * @param now of the simulation
     * @param offset in the chunk, bytes
     * @param bytes at least 1
     * @return when it is stored
     */
    Nanoseconds Write(Nanoseconds now, uint64_t offset, uint64_t bytes) const;

  private:
    /** @param now when the storage is asked @param begin of what it is asked for, in the file
     * @param end of that @return when it is done */
    Nanoseconds Access(Nanoseconds now, uint64_t begin, uint64_t end) const;

    /** @param now of the simulation @param from when the CPU may start @param bytes of a block
     * @param input see BlockCost::Of() @return when it is done with it */
    Nanoseconds Process(Nanoseconds now, Nanoseconds from, uint64_t bytes, uint64_t input) const;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_STAGES_H
