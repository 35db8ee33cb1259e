/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_SET_H
#define GRIDFTP_FILE_SET_H

#include "gridftp-scenario.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A file that has been moved, or the one under way. */
struct FileRecord
{
    uint64_t bytes{0};                    //!< its size
    int64_t startNs{0};                   //!< first transfer command of its first chunk
    int64_t endNs{0};                     //!< last final reply of its last chunk
    std::optional<Direction> direction{}; //!< where the files of its session go both ways
};

/** @ingroup gridftp @brief A chunk, and the file that it is of. */
struct FileChunk
{
    uint64_t offset{0};    //!< of its first byte in the file
    uint64_t bytes{0};     //!< of the chunk
    uint64_t fileBytes{0}; //!< of the file

    /** @return behind its last byte, in the file */
    uint64_t GetEnd() const
    {
        return offset + bytes;
    }
};

/** @ingroup gridftp @param session a session @return whether its files are a data set, else the one
 * file of file-size */
inline bool
IsDataSet(const SessionSpec& session)
{
    return session.files > 1 || session.repeatFor > 0 ||
           (!session.fileSizes.empty() && session.fileSizes != FIXED_FILES);
}

/** @ingroup gridftp @param scenario a scenario @param index of a session @return the session whose
 * files it takes: itself, or the one with the data set that it shares */
size_t FindFilesOwner(const Scenario& scenario, size_t index);

/** @ingroup gridftp @brief What drawn sizes belong to. */
struct FileSetKey
{
    uint64_t seed{0};    //!< seed of the scenario
    uint64_t run{0};     //!< number of the replication
    uint64_t session{0}; //!< index in the scenario
};

/**
 * @ingroup gridftp
 * The sizes of the files of a session, in order: one for all, listed, or drawn, each by itself.
 * Both engines have the same.
 *
 * @param session resolved
 * @param key what draws belong to
 * @return bytes of each, at least 1
 */
std::vector<uint64_t> MakeFileSet(const SessionSpec& session, const FileSetKey& key);

/**
 * @ingroup gridftp
 * A size drawn from a log-normal distribution, without a logarithm or an exponential of the
 * platform's: a normal variate by rejection from an exponential one, and a power series.
 *
 * @param mean of the distribution, bytes
 * @param sigma standard deviation of the logarithm of the size
 * @param key what the draw belongs to
 * @param file its index
 * @return bytes, at least 1
 */
uint64_t DrawLogNormalSize(double mean, double sigma, const FileSetKey& key, uint64_t file);

/**
 * @ingroup gridftp
 * The files that one session moves, or several that share them (SessionSpec::filesOf), each taking
 * the next one when it is done with the one before. With a time for which it repeats, the first
 * file follows the last one, and none begins when that time has passed.
 */
class FileSupply
{
  public:
    /** @param sizes of the files, at least one @param startNs when the session starts, ns @param
     * repeatForNs for how long it goes round; 0: once @param directions as
     * SessionSpec::fileDirections */
    FileSupply(std::vector<uint64_t> sizes,
               int64_t startNs,
               int64_t repeatForNs,
               std::vector<Direction> directions = {})
        : m_sizes(std::move(sizes)),
          m_directions(std::move(directions)),
          m_untilNs(repeatForNs > 0 ? startNs + repeatForNs : 0)
    {
    }

    /** @param nowNs of the simulation @return size of the next file, which begins; none where there
     * is no next one */
    std::optional<uint64_t> Take(int64_t nowNs)
    {
        if (m_taken >= m_sizes.size() && nowNs >= m_untilNs)
        {
            return std::nullopt;
        }
        return m_sizes[m_taken++ % m_sizes.size()];
    }

    /** @return which way the file goes that Take() has given last, to the only session that has
     * such files; none where all go in that session's direction, and before the first one */
    std::optional<Direction> GetDirection() const
    {
        if (m_directions.empty() || m_taken == 0)
        {
            return std::nullopt;
        }
        return m_directions[(m_taken - 1) % m_sizes.size() % m_directions.size()];
    }

    /** @return the largest of the files, bytes */
    uint64_t GetMostBytes() const;

  private:
    std::vector<uint64_t> m_sizes;       //!< of the files
    std::vector<Direction> m_directions; //!< of them, again from the first one
    int64_t m_untilNs;                   //!< it goes round until then; 0: once
    uint64_t m_taken{0};                 //!< how many it has given
};

/** @ingroup gridftp @param scenario resolved @return of each session, the files that it takes from
 */
std::vector<std::shared_ptr<FileSupply>> MakeFileSupplies(const Scenario& scenario);

/** @ingroup gridftp @brief The files of one session, one after the other, and when each was. */
class FileSequence
{
  public:
    FileSequence() = default;

    /** @param supply of the files */
    explicit FileSequence(std::shared_ptr<FileSupply> supply)
        : m_supply(std::move(supply))
    {
    }

    /** All chunks of the one before are asked for. @param nowNs of the simulation @return whether
     * there is a next file, which begins */
    bool Begin(int64_t nowNs)
    {
        const auto next = m_supply->Take(nowNs);
        m_bytes = next.value_or(m_bytes);
        m_direction = m_supply->GetDirection();
        return next.has_value();
    }

    /** @param part that is moved of each file, or of what a module makes of it */
    void SetPart(const MarkerRange& part)
    {
        m_part = part;
    }

    /** @return size of the file that began last, bytes; 0 before the first one */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return which way the file goes that began last, where not all of them go in the direction
     * of the session */
    std::optional<Direction> GetDirection() const
    {
        return m_direction;
    }

    /** @return first byte of the file that began last that is moved; 0 before the first one */
    uint64_t GetBegin() const
    {
        return m_part ? std::min(m_part->begin, GetEnd()) : 0;
    }

    /** @return behind the last byte of it that is moved; 0 before the first one */
    uint64_t GetEnd() const
    {
        return FindEnd(m_bytes);
    }

    /** @param chunk of one of the files @return bytes of it behind the chunk that are moved */
    uint64_t GetBytesBehind(const FileChunk& chunk) const
    {
        return FindEnd(chunk.fileBytes) - chunk.GetEnd();
    }

    /** @return the largest of the files that it takes from, bytes */
    uint64_t GetMostBytes() const
    {
        return m_supply->GetMostBytes();
    }

    /**
     * A chunk is complete: of the file that began last, or, with pipelining, of one before.
     * @param chunk which
     * @param startNs its beginning
     * @param endNs its last final reply
     */
    void HandleChunk(const FileChunk& chunk, int64_t startNs, int64_t endNs);

    /** @return the files that are complete */
    const std::vector<FileRecord>& GetRecords() const
    {
        return m_records;
    }

  private:
    /** @param fileBytes size of a file; 0: of none @return behind its last byte that is moved */
    uint64_t FindEnd(uint64_t fileBytes) const
    {
        return m_part && fileBytes > 0 ? m_part->end : fileBytes;
    }

    std::shared_ptr<FileSupply> m_supply; //!< where files come from
    uint64_t m_bytes{0};                  //!< size of the file under way; 0 before the first one
    std::optional<Direction> m_direction; //!< of that, see GetDirection()
    std::optional<MarkerRange> m_part;    //!< see SetPart()
    std::optional<int64_t> m_startNs;     //!< of the file under way
    std::vector<FileRecord> m_records;    //!< see GetRecords()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_SET_H
