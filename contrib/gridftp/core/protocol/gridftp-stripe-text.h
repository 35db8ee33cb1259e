/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STRIPE_TEXT_H
#define GRIDFTP_STRIPE_TEXT_H

#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"
#include "gridftp-stripes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What is said of stripes on the control connection (GFD.20): SPAS and its reply, SPOR, and the
 * options of RETR. Nothing here throws.
 */

namespace ns3::gridftp
{

/// @param addresses where stripes listen @return "h1,h2,h3,h4,p1,p2 h1,h2,...", argument of SPOR
std::string FormatHostPorts(const std::vector<HostPort>& addresses);
/// @param argument one to StripeCounts::MOST addresses @return them, or 501
TextResult<std::vector<HostPort>> ParseHostPorts(std::string_view argument);

/// @param listeners where the stripes listen @return 229, a line for each of them
Reply MakeStripedPassiveReply(const std::vector<HostPort>& listeners);
/// @param reply a 229 reply @return the addresses, or 501
TextResult<std::vector<HostPort>> ParseStripedPassiveReply(const Reply& reply);

/// How the server that sends spreads a file over stripes.
struct StripeOption
{
    StripeLayout layout{StripeLayout::BLOCKED}; //!< which stripe has which part
    uint64_t blockBytes{0};                     //!< of a blocked layout; 0: not said

    bool operator==(const StripeOption&) const = default;
};

/// Argument of OPTS RETR: data connections for the next download.
struct RetrieveOptions
{
    ParallelismOption parallelism;      //!< data connections of each pair of stripes
    std::optional<StripeOption> stripe; //!< none: not said
    std::vector<uint32_t> pairs{}; //!< data connections of each one, in the order of StripePlan, in
                                   //!< place of the same for all; empty: not said. Ours: the real
                                   //!< protocol has one number for a session

    bool operator==(const RetrieveOptions&) const = default;
};

/// @param value the options @return "RETR StripeLayout=Blocked;BlockSize=n;Parallelism=n,n,n;",
/// with "PairParallelism=n,n,...;" behind it where pairs have numbers of their own
std::string FormatRetrieveOptions(const RetrieveOptions& value);
/// @param argument options in any order, Parallelism among them, each at most once; BlockSize with
/// a blocked layout alone @return the options, 504 for another layout, or 501
TextResult<RetrieveOptions> ParseRetrieveOptions(std::string_view argument);

/// @param numbers any @return "n,n,..."
std::string FormatNumbers(const std::vector<uint64_t>& numbers);
/// @param text "n,n,...", one at least @param least of each @param most of each @return the
/// numbers, or 501
TextResult<std::vector<uint64_t>> ParseNumbers(std::string_view text,
                                               uint64_t least,
                                               uint64_t most);

/// @param elapsedNs of each pair of stripes, in the order of StripePlan, from the order to send to
/// the last acknowledgement, ns @return 226 with these: ours, the real protocol has no word for it
Reply MakePairTimesReply(const std::vector<int64_t>& elapsedNs);
/// @param reply of MakePairTimesReply() @return the times, or 501
TextResult<std::vector<int64_t>> ParsePairTimesReply(const Reply& reply);

} // namespace ns3::gridftp

#endif // GRIDFTP_STRIPE_TEXT_H
