/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_LIVE_COLLECTIVE_H
#define WORMHOLE_CLI_LIVE_COLLECTIVE_H

#include "live-messages.h"

#include "ns3/workload-mpi-collective.h"
#include "ns3/workload-mpi-reader.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace wormhole
{

/** The part of one member in a collective that goes on: the messages of its algorithm, step by
 * step. AddWorkloadMpiCollective() fills it in, as it does for schedules. */
class LiveCollective final : public ns3::WorkloadMpiPart,
                             public std::enable_shared_from_this<LiveCollective>
{
  public:
    /**
     * \param messages that its messages are among; must outlive this
     * \param context of this collective alone
     * \param members ranks of the program
     * \param rank of this one among them
     */
    LiveCollective(LiveMessages& messages,
                   uint64_t context,
                   std::vector<uint32_t> members,
                   uint32_t rank);

    void Send(uint32_t to, uint64_t bytes) override;
    void Receive(uint32_t from, uint64_t bytes) override;
    void Next() override;

    /** Starts the first step at \p ps. \param over called when the last one is, perhaps at once,
     * with the time at which it is */
    void Begin(int64_t ps, LiveMessages::Action over);

  private:
    struct Item
    {
        bool send{false};
        uint32_t peer{0}; //!< rank of the program
        uint64_t bytes{0};
    };

    void RunStep();
    void ItemOver(int64_t ps);

    LiveMessages& m_messages;
    const uint64_t m_context;
    const std::vector<uint32_t> m_members;
    std::vector<std::vector<Item>> m_steps{1};
    size_t m_step{0};
    size_t m_left{0}; //!< items of the step that are not over
    int64_t m_ps{0};  //!< when the step begins: items over so far
    LiveMessages::Action m_over;
};

/** Collectives that not all members have begun yet. */
class LiveCollectivesBegun
{
  public:
    /**
     * A member begins its part.
     * \param context of the collective
     * \param rank of the program
     * \param members of the communicator
     * \param record the member's call
     * \throws InputError if it is another one than that of the first member
     */
    void Add(uint64_t context, uint32_t rank, size_t members, const ns3::WorkloadMpiRecord& record);

  private:
    struct Begun
    {
        uint32_t rank{0}; //!< who came first
        std::string call;
        size_t left{0}; //!< members to come
    };

    std::unordered_map<uint64_t, Begun> m_begun; //!< by context
};

} // namespace wormhole

#endif // WORMHOLE_CLI_LIVE_COLLECTIVE_H
