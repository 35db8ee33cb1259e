/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-file-set.h"

#include "gridftp-exponential.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** Tells these draws from others with a key of as many parts. */
constexpr uint64_t STREAM = 0x66696c65ULL;

/** One as exponential variates are drawn. */
constexpr int64_t ONE = 1LL << 40;

/** Largest size of a file, bytes. */
constexpr double MOST_BYTES = 1e15;

/** A normal variate of mean 0 and deviation 1 (J. von Neumann, 1951: of two exponential ones the
 * first is its size where the second is at least half the square of the first less 1). */
template <typename Draw>
double
DrawNormal(Draw&& draw)
{
    while (true)
    {
        const double size = static_cast<double>(DrawExponential(ONE, draw)) / ONE;
        const double test = static_cast<double>(DrawExponential(ONE, draw)) / ONE;
        if (test >= (size - 1) * (size - 1) / 2)
        {
            return draw() % 2 == 0 ? size : -size;
        }
    }
}

/** e to the power of x, by its series near 0 and squares. */
double
PowerOfE(double x)
{
    constexpr int HALVINGS = 12;
    constexpr int TERMS = 12;
    const double small = x / (1 << HALVINGS);
    double term = 1;
    double sum = 1;
    for (int i = 1; i <= TERMS; ++i)
    {
        term *= small / i;
        sum += term;
    }
    for (int i = 0; i < HALVINGS; ++i)
    {
        sum *= sum;
    }
    return sum;
}

} // namespace

size_t
FindFilesOwner(const Scenario& scenario, size_t index)
{
    const SessionSpec& session = scenario.sessions[index];
    const auto of = static_cast<size_t>(session.filesOf);
    return session.filesOf >= 0 && of < index && IsDataSet(session) ? of : index;
}

uint64_t
DrawLogNormalSize(double mean, double sigma, const FileSetKey& key, uint64_t file)
{
    uint64_t drawn = 0;
    const double normal = DrawNormal(
        [&] { return KeyedRandom({STREAM, key.seed, key.run, key.session, file, drawn++}); });
    // The mean of the distribution is its median times e^(sigma^2 / 2)
    const double size = mean * PowerOfE(sigma * normal - sigma * sigma / 2);
    return static_cast<uint64_t>(std::clamp(size, 1.0, MOST_BYTES));
}

std::vector<uint64_t>
MakeFileSet(const SessionSpec& session, const FileSetKey& key)
{
    if (!session.fileList.empty())
    {
        return {session.fileList.begin(), session.fileList.end()};
    }
    const auto count = static_cast<size_t>(std::max<int64_t>(1, session.files));
    std::vector<uint64_t> sizes(count, static_cast<uint64_t>(session.fileSize));
    if (session.fileSizes == LOG_NORMAL_FILES)
    {
        for (size_t i = 0; i < count; ++i)
        {
            sizes[i] = DrawLogNormalSize(static_cast<double>(session.fileSize),
                                         session.fileSpread,
                                         key,
                                         i);
        }
    }
    return sizes;
}

uint64_t
FileSupply::GetMostBytes() const
{
    return *std::ranges::max_element(m_sizes);
}

void
FileSequence::HandleChunk(const FileChunk& chunk, int64_t startNs, int64_t endNs)
{
    m_startNs = m_startNs.value_or(startNs);
    if (chunk.GetEnd() == FindEnd(chunk.fileBytes))
    {
        m_records.push_back({chunk.fileBytes, *m_startNs, endNs, m_direction});
        m_startNs.reset();
    }
}

std::vector<std::shared_ptr<FileSupply>>
MakeFileSupplies(const Scenario& scenario)
{
    std::vector<std::shared_ptr<FileSupply>> supplies;
    for (uint64_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const SessionSpec& session = scenario.sessions[i];
        if (const size_t owner = FindFilesOwner(scenario, i); owner != i)
        {
            supplies.push_back(supplies[owner]);
            continue;
        }
        const FileSetKey key{static_cast<uint64_t>(scenario.measure.seed),
                             static_cast<uint64_t>(scenario.measure.run),
                             i};
        supplies.push_back(std::make_shared<FileSupply>(MakeFileSet(session, key),
                                                        session.start,
                                                        session.repeatFor,
                                                        session.fileDirections));
    }
    return supplies;
}

} // namespace ns3::gridftp
