/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-settings.h"
#include "gridftp-storage-kind.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

/**
 * @name Kinds of storage
 * Each is declared in its own gridftp-storage-<name>.cc. Why they are named here and do not
 * register themselves stands in gridftp-tuning-registry.cc.
 * @{
 */
StorageKind DeclareMemoryStorage();
StorageKind DeclareDiskStorage();
StorageKind DeclareParallelStorage();
StorageKind DeclarePageCacheStorage();
StorageKind DeclareNfsStorage();

/** @} */

namespace
{

/** The one place that lists the kinds. */
constexpr std::array DECLARATIONS{
    &DeclareMemoryStorage,
    &DeclareDiskStorage,
    &DeclareParallelStorage,
    &DeclarePageCacheStorage,
    &DeclareNfsStorage,
};

} // namespace

bool
StorageKind::Takes(const StorageParameter& parameter) const
{
    return std::ranges::find(parameters, &parameter) != parameters.end();
}

std::span<const StorageKind>
GetStorageKinds()
{
    static const std::vector<StorageKind> kinds = [] {
        std::vector<StorageKind> made;
        for (const auto declare : DECLARATIONS)
        {
            made.push_back(declare());
        }
        return made;
    }();
    return kinds;
}

const StorageKind*
FindStorageKind(std::string_view name)
{
    const auto kinds = GetStorageKinds();
    const auto it = std::ranges::find(kinds, name, &StorageKind::name);
    return it == kinds.end() ? nullptr : &*it;
}

std::span<const StorageParameter* const>
GetStorageParameters()
{
    static const std::vector<const StorageParameter*> parameters = [] {
        std::vector<const StorageParameter*> all;
        for (const auto& kind : GetStorageKinds())
        {
            for (const auto* own : kind.parameters)
            {
                if (std::ranges::find(all, own) == all.end())
                {
                    all.push_back(own);
                }
            }
        }
        return all;
    }();
    return parameters;
}

int64_t
GetStorageNs(uint64_t bytes, uint64_t rateBps)
{
    // As GetWorkNs(), which is exact up to 2 GiB, but may be beyond what it returns
    constexpr uint64_t PIECE = uint64_t{1} << 31;
    const auto time = [rateBps](uint64_t piece) {
        const auto ns = static_cast<uint64_t>(GetWorkNs(piece, rateBps));
        return static_cast<int64_t>(std::min<uint64_t>(ns, LONGEST_STORAGE_NS));
    };
    return AddStorageNs(MultiplyStorageNs(bytes / PIECE, time(PIECE)), time(bytes % PIECE));
}

} // namespace ns3::gridftp
