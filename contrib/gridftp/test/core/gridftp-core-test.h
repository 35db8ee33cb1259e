/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CORE_TEST_H
#define GRIDFTP_CORE_TEST_H

#include "gridftp-expected.h"

#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the files gridftp-core-*-test.cc share; MakeCoreTestCases() gathers their cases.
 */

namespace ns3::gridftp
{

/// @return the cases of gridftp-core-quantity-test.cc: numbers with units
std::vector<TestCase*> MakeQuantityTestCases();

/// @return the cases of gridftp-core-option-test.cc: the parser of command lines
std::vector<TestCase*> MakeOptionTestCases();

/// @return the cases of gridftp-core-option-table-test.cc: the table and the scenario
std::vector<TestCase*> MakeOptionTableTestCases();

/// @return the cases of gridftp-core-further-test.cc: sessions, background and engines
std::vector<TestCase*> MakeFurtherTestCases();

/// @return the cases of gridftp-core-json-test.cc: the reader of JSON
std::vector<TestCase*> MakeJsonTestCases();

/// @return the cases of gridftp-core-batch-test.cc: scenarios as JSON
std::vector<TestCase*> MakeBatchTestCases();

/// @return the cases of gridftp-core-fluid-test.cc: the fluid model
std::vector<TestCase*> MakeFluidTestCases();

/// @return the cases of gridftp-core-tuning-test.cc: the policies, without a network
std::vector<TestCase*> MakeTuningTestCases();

/// @return the case of gridftp-core-tuning-parameter-test.cc: what the policies refuse
std::vector<TestCase*> MakeTuningParameterTestCases();

/// @return the cases of gridftp-core-transfer-test.cc: bytes and blocks
std::vector<TestCase*> MakeCoreTransferTestCases();

/// @return the cases of gridftp-core-session-test.cc: response times, start jitter, commands
std::vector<TestCase*> MakeSessionTestCases();

/// @return the cases of gridftp-core-result-test.cc: results and how they are written
std::vector<TestCase*> MakeResultTestCases();

/// @return the cases of gridftp-core-topology-test.cc: networks as data
std::vector<TestCase*> MakeTopologyTestCases();

/// @return the cases of gridftp-core-segment-test.cc: what holds of every segment simulation
std::vector<TestCase*> MakeSegmentTestCases();

/// @return the cases of gridftp-core-segment-part-test.cc: the segment engine's parts
std::vector<TestCase*> MakeSegmentPartTestCases();

/// @return the cases of gridftp-core-segment-watch-test.cc: packets on their way
std::vector<TestCase*> MakeSegmentWatchTestCases();

/// @return the cases of gridftp-core-control-test.cc: the segment engine's control connection
std::vector<TestCase*> MakeControlTestCases();

/**
 * The reason why there is no value.
 * @tparam T the type of a value
 * @param result a value or an error
 * @return the message of the error, "no error" if there is a value
 */
template <typename T>
std::string
Reason(const Expected<T>& result)
{
    return result ? "no error" : result.GetError().message;
}

/**
 * Is a text within another?
 * @param text the longer one
 * @param part the shorter one
 * @return true if so
 */
inline bool
Contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_CORE_TEST_H
