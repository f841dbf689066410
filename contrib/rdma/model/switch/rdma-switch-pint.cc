/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-switch.h"

#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>

// What a switch does for PINT, apart from the file of what all frames pass.

namespace ns3
{

void
RdmaSwitch::StartPint()
{
    m_pint.assign(m_ports.size(), {});
}

/** Raises the code of PINT in \p frame, if it has one, to that of its link. */
void
RdmaSwitch::WriteCode(RdmaPort& port, RdmaFrame& frame)
{
    if (frame.intHeader.hopCount != RdmaIntHeader::NO_RECORDS)
    {
        return;
    }
    const double use = m_context->pint->Average(m_pint[port.GetIndex()],
                                                m_context->NowNs(),
                                                port.GetTxBytes(),
                                                port.queues.GetBytes(),
                                                port.GetRate());
    const double draw = RdmaUniform(m_context->seed,
                                    RdmaDraw::PINT_CODE,
                                    port.GetPortId(),
                                    frame.qp->GetId() + 1,
                                    frame.serial);
    port.CountDraw();
    frame.intHeader.code = std::max(frame.intHeader.code, m_context->pint->Encode(use, draw));
}

} // namespace ns3
