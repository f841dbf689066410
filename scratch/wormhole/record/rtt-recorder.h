/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RTT_RECORDER_H
#define WORMHOLE_CLI_RTT_RECORDER_H

#include "ns3/input-line-file.h"
#include "ns3/rdma-network.h"

#include <string>

namespace wormhole
{

/** Writes rtts.csv: the round-trip time that each acknowledgement of the first flow says. */
class RttRecorder
{
  public:
    /**
     * \param network to record; must outlive the recorder
     * \param path of the file, which is created
     * \throws OutputError if that is impossible
     */
    RttRecorder(ns3::Ptr<ns3::RdmaNetwork> network, const std::string& path);

    /** \return the file, to limit it */
    ns3::LineFile& GetFile()
    {
        return m_file;
    }

    /** Completes the file. \throws OutputError if that is impossible */
    void Finish();

  private:
    void FlowStarted(const ns3::RdmaQueuePair& qp);
    void FrameReceived(const ns3::RdmaFrame& frame);

    ns3::Ptr<ns3::RdmaNetwork> m_network;
    const ns3::RdmaPort* m_port{nullptr}; //!< of the host that the flow starts at
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RTT_RECORDER_H
