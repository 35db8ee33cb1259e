/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuner-window.h"

#include "gridftp-buffer-settings.h"

#include <numeric>

namespace ns3::gridftp
{

double
GetTunerWindow(TunerWindow kind,
               Direction direction,
               const BufferSpec& asked,
               std::span<const uint64_t> sizes)
{
    const BufferSettings settings = MakeBufferSettings(asked, 1);
    const bool moves = settings.policy && settings.policy->moves;
    const bool isSender = direction == Direction::UPLOAD;
    const bool isAsked = settings.GetChannel() != SizingChannel::NONE && settings.sendBuffer == 0;
    const bool isKnown = direction == Direction::DOWNLOAD ||
                         (isSender && (isAsked || settings.DoesSendBufferFollow()));
    if (kind == TunerWindow::ASKED || !moves || !isKnown || sizes.empty())
    {
        return static_cast<double>(asked.window);
    }
    // Whole numbers, so that their order does not count
    const uint64_t sum = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
    const double mean = static_cast<double>(sum) / static_cast<double>(sizes.size());
    return isSender && !isAsked ? mean / static_cast<double>(GetSendBufferFor(1)) : mean;
}

} // namespace ns3::gridftp
