/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_TWIN_H
#define RDMA_EVENT_TWIN_H

#include "rdma-event-log.h"

#include "ns3/input-line-file.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace ns3
{

/** \ingroup rdma Writes what happens in a network (RdmaEventLog), for RdmaEventTwin. */
class RdmaEventWriter
{
  public:
    /**
     * \param network that has started
     * \param path of a file, which is created or emptied, or of a pipe
     * \throws OutputError if it cannot be written
     */
    RdmaEventWriter(RdmaNetwork& network, const std::string& path);

    /** \throws OutputError if not all could be written */
    void Finish();

  private:
    LineFile m_file;
    RdmaEventLog m_log;
};

/**
 * \ingroup rdma
 * \brief Compares what happens in a network with what happened in another run of the same, event by
 * event, and stops the simulation at the first that differs.
 *
 * It keeps one event of each run. Of the other run it reads no more than has happened here, so two
 * runs that a pipe joins go side by side.
 */
class RdmaEventTwin
{
  public:
    /**
     * \param network that has started
     * \param path that RdmaEventWriter writes to, or wrote
     * \throws InputError if it cannot be read
     */
    RdmaEventTwin(RdmaNetwork& network, const std::string& path);

    /** This run is over: so must be the other one. */
    void Finish();

    /** \return events that were the same in both */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /** \return the first event that differs, in both runs, for people; empty if none does so far */
    const std::string& GetDifference() const
    {
        return m_difference;
    }

  private:
    void Compare(const RdmaEventRecord& here);
    bool ReadOther(RdmaEventRecord& other);
    void Differ(const std::string& here, const std::string& other);

    std::ifstream m_file;
    uint64_t m_count{0};
    std::string m_difference;
    RdmaEventLog m_log;
};

} // namespace ns3

#endif // RDMA_EVENT_TWIN_H
