/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-standalone.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint64_t HPCC_HEADER_BYTES = 48; // without telemetry, whatever the control

uint64_t
PacketsOf(uint64_t bytes, uint32_t payload)
{
    return std::max<uint64_t>(1, bytes / payload + (bytes % payload != 0)); // an empty one is one
}

/** The last two of many frames of a flow on their way through links. Times in time steps. */
class LastTwo
{
  public:
    /** \param earlier frames of the flow before the last, all of the same size */
    explicit LastTwo(int64_t earlier)
        : m_earlier(earlier)
    {
    }

    /** They cross \p port, the last but one with \p bytes, the last with \p lastBytes. */
    void Cross(const RdmaPort& port, uint32_t bytes, uint32_t lastBytes)
    {
        const int64_t time = port.TransmissionTime(bytes);
        m_sum += time;
        m_slowest = std::max(m_slowest, time);
        if (m_earlier > 0)
        {
            // equal frames leave the slowest link so far one after the other
            m_last = std::max(m_last, m_sum + (m_earlier - 1) * m_slowest);
        }
        m_last += port.TransmissionTime(lastBytes) + port.GetDelay();
        m_sum += port.GetDelay();
    }

    /** The last but one goes no further. */
    void LeaveLast()
    {
        m_earlier = 0;
    }

    /** \return when the last one is there */
    int64_t GetTime() const
    {
        return m_last;
    }

  private:
    int64_t m_earlier;
    int64_t m_sum{0};     //!< what the first frame takes so far
    int64_t m_slowest{0}; //!< largest transmission time so far
    int64_t m_last{0};
};

} // namespace

uint64_t
RdmaStandaloneNs(const RdmaQueuePair& qp)
{
    if (qp.GetDataRoute().empty() || qp.GetAckRoute().empty())
    {
        return 0;
    }
    const uint64_t bytes = qp.GetFlow().bytes;
    const uint32_t payload = qp.GetPayloadSize();
    const uint64_t packets = PacketsOf(bytes, payload);
    const uint32_t full = qp.GetDataHeaderBytes() + payload;
    const auto last =
        static_cast<uint32_t>(qp.GetDataHeaderBytes() + (bytes - (packets - 1) * payload));
    LastTwo frames(static_cast<int64_t>(packets - 1));
    for (const RdmaPort* port : qp.GetDataRoute())
    {
        frames.Cross(*port, full, last);
    }
    if (qp.GetSender().GetAckInterval() > payload) // not every frame is acknowledged
    {
        frames.LeaveLast();
    }
    for (const RdmaPort* port : qp.GetAckRoute())
    {
        frames.Cross(*port, qp.GetAckBytes(), qp.GetAckBytes());
    }
    const RdmaClock& clock = qp.GetDataRoute().front()->GetContext().clock;
    return static_cast<uint64_t>(frames.GetTime() / clock.StepsPerNs());
}

uint64_t
RdmaHpccStandaloneNs(const RdmaPathProperties& facts, uint64_t bytes, uint32_t payload)
{
    __extension__ using Wide = unsigned __int128;
    const Wide wireBytes = static_cast<Wide>(PacketsOf(bytes, payload)) * HPCC_HEADER_BYTES + bytes;
    return static_cast<uint64_t>(facts.GetRttNs()) +
           static_cast<uint64_t>(wireBytes * 8000000000 / facts.rate);
}

} // namespace ns3
