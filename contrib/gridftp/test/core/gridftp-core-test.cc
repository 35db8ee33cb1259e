/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"

#include "gridftp-test-cases.h"

namespace ns3::gridftp
{

std::vector<TestCase*>
MakeCoreTestCases()
{
    std::vector<TestCase*> all;
    for (const auto make : {&MakeQuantityTestCases,
                            &MakeOptionTestCases,
                            &MakeOptionTableTestCases,
                            &MakeFurtherTestCases,
                            &MakeJsonTestCases,
                            &MakeBatchTestCases,
                            &MakeFluidTestCases,
                            &MakeTuningTestCases,
                            &MakeTuningParameterTestCases,
                            &MakeCoreTransferTestCases,
                            &MakeSessionTestCases,
                            &MakeResultTestCases,
                            &MakeTopologyTestCases,
                            &MakeSegmentTestCases,
                            &MakeSegmentPartTestCases,
                            &MakeSegmentWatchTestCases,
                            &MakeControlTestCases})
    {
        const auto cases = make();
        all.insert(all.end(), cases.begin(), cases.end());
    }
    return all;
}

} // namespace ns3::gridftp
