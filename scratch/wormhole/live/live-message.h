/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_MESSAGE_H
#define WORMHOLE_CLI_LIVE_MESSAGE_H

#include "wormhole-live-client.h"

#include "ns3/workload-mpi-reader.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** Who is at the other end of a connection. */
struct LiveHello
{
    uint32_t rank{0};
    uint32_t ranks{0}; ///< of the program
    uint32_t process{0};
};

/** A message of a rank, as docs/reference/live-protocol.md has it. */
struct LiveMessage
{
    wormhole_live_kind kind{WORMHOLE_LIVE_FINISH};
    ns3::WorkloadMpiRecord record;  ///< what it has in common with a record of a trace
    uint32_t bits{0};               ///< of wormhole_live_bits
    uint32_t message{0};            ///< that a probe has taken
    std::vector<uint32_t> requests; ///< of a wait

    /** \return whether the rank waits for an answer */
    bool IsAnswered() const
    {
        return kind >= WORMHOLE_LIVE_WAIT;
    }
};

/** \return what a connection's first frame says \throws InputError if that is nothing of ours */
LiveHello ReadLiveHello(const std::string& frame);

/**
 * Reads the messages of a frame, of which the last one is answered, and no other.
 *
 * Methods throw InputError for what is damaged.
 */
class LiveReader
{
  public:
    /** \param frame without its length \param ranks of the program */
    LiveReader(std::string frame, uint32_t ranks);

    /** \return whether all was read */
    bool IsOver() const
    {
        return m_at == m_frame.size();
    }

    /** Reads the next message; there must be one. */
    void Next(LiveMessage& message);

  private:
    uint8_t Byte();
    uint64_t Number();
    uint64_t Bounded(const char* what, uint64_t most);
    uint32_t Word(const char* what);
    uint32_t Length(const char* what);
    void ReadBody(LiveMessage& message);
    void ReadCommunicator(ns3::WorkloadMpiRecord& record);
    void ReadEnvelope(LiveMessage& message, uint32_t bits);
    void ReadCollective(ns3::WorkloadMpiRecord& record);
    void ReadNeighbors(std::vector<ns3::WorkloadMpiRecord::Neighbor>& neighbors);
    void ReadList(std::vector<uint64_t>& list);

    const std::string m_frame;
    const uint32_t m_ranks;
    size_t m_at{0};
};

/** An answer that is written. */
class LiveAnswer
{
  public:
    /** \param ps when the rank goes on */
    explicit LiveAnswer(int64_t ps);

    void Put(uint64_t number);

    /** \return when the rank goes on, ps */
    int64_t GetPs() const
    {
        return m_ps;
    }

    /** \return the frame, its length first */
    std::string Frame() const;

  private:
    const int64_t m_ps;
    std::string m_bytes;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_MESSAGE_H
