/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_COMMUNICATORS_H
#define WORKLOAD_MPI_COMMUNICATORS_H

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload A communicator of a program, the same for all its ranks. */
struct WorkloadMpiGroup
{
    uint32_t number{0};            ///< in the program
    std::vector<uint32_t> members; ///< ranks of the program
    uint32_t firstTag{0};          ///< of the WORKLOAD_MPI_TAGS tags of its collectives
};

/** \ingroup workload How many collectives of a communicator may be in progress: each takes the next
 * tag, and after so many the first one again. */
constexpr uint32_t WORKLOAD_MPI_TAGS = 1024;

/**
 * \ingroup workload
 * \brief Communicators and tags of a program, found from what each of its ranks says of its own.
 *
 * A trace numbers communicators as its rank meets them. Ranks agree about one by the communicator
 * that it was made of, its members, and how many such there were before: making one is collective
 * (MPI 3.1, 6.4.2), so that all its members make them in the same order.
 */
class WorkloadMpiCommunicators
{
  public:
    /** \param ranks of the program */
    explicit WorkloadMpiCommunicators(uint32_t ranks);

    /** \return MPI_COMM_WORLD */
    const WorkloadMpiGroup& World() const
    {
        return *m_world;
    }

    /**
     * \param parent number of the communicator that it is made of; any number if that is not known
     * \param members ranks of the program
     * \param before how many with this parent and these members the rank has made before
     */
    const WorkloadMpiGroup& Find(uint32_t parent,
                                 const std::vector<uint32_t>& members,
                                 uint32_t before);

    /** \return the tag of a schedule for a tag of a communicator; the same for the same */
    uint32_t TagOf(const WorkloadMpiGroup& group, uint32_t tag);

  private:
    uint32_t NewTags(uint32_t count);

    std::map<std::pair<uint32_t, std::vector<uint32_t>>, std::vector<WorkloadMpiGroup*>> m_made;
    std::vector<std::unique_ptr<WorkloadMpiGroup>> m_groups;
    WorkloadMpiGroup* m_world;
    std::unordered_map<uint64_t, uint32_t> m_tags; //!< by communicator and tag
    uint32_t m_nextTag{0};
};

} // namespace ns3

#endif // WORKLOAD_MPI_COMMUNICATORS_H
