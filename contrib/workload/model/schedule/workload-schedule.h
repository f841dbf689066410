/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SCHEDULE_H
#define WORKLOAD_SCHEDULE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload What an operation does; the values are those of GOAL's binary files. */
enum class WorkloadKind : uint8_t
{
    SEND = 1,
    RECV = 2,
    CALC = 3
};

/** \ingroup workload A receive's peer or tag, or a send's tag, that matches any. */
constexpr uint32_t WORKLOAD_ANY = UINT32_MAX;

/** \ingroup workload What a computation, once over, says about its rank: the value of its tag. */
enum WorkloadMark : uint32_t
{
    WORKLOAD_NO_MARK,
    WORKLOAD_COMMUNICATION_BEGINS, ///< a communication kernel is on the GPU from now on
    WORKLOAD_COMMUNICATION_ENDS    ///< it is gone
};

/** \ingroup workload One node of a rank's graph: 24 bytes. */
struct WorkloadOperation
{
    uint64_t size{0};         ///< bytes of a message; nanoseconds of a computation
    uint32_t peer{0};         ///< rank that it sends to or receives from; of a computation,
                              ///< thousandths of its time that it takes more while its rank
                              ///< communicates, between two marks
    uint32_t tag{0};          ///< of the message; of a computation, a WorkloadMark
    uint32_t dependencies{0}; ///< operations that it waits for, `requires` and `irequires`
    WorkloadKind kind{WorkloadKind::CALC};
    uint8_t cpu{0};      ///< compute stream: operations of one stream exclude each other in time
    uint8_t nic{0};      ///< interface of the rank's node; 0 for a computation
    uint8_t category{0}; ///< index into the schedule's categories, for results only
};

/** \ingroup workload An operation that waits for another one of its rank: 4 bytes. */
class WorkloadWaiter
{
  public:
    /** Most operations of a rank. */
    static constexpr uint32_t MAX_OPERATIONS = 0x7fffffff;

    WorkloadWaiter() = default;

    /**
     * \param operation index of the waiting operation
     * \param start whether it waits for the other's start (`irequires`), not its completion
     */
    WorkloadWaiter(uint32_t operation, bool start)
        : m_word(operation << 1 | (start ? 1 : 0))
    {
    }

    /** \return index of the waiting operation */
    uint32_t Operation() const
    {
        return m_word >> 1;
    }

    /** \return whether it waits for the start, not the completion */
    bool OnStart() const
    {
        return m_word & 1;
    }

  private:
    uint32_t m_word{0};
};

/**
 * \ingroup workload
 * \brief One rank's graph of operations: 28 bytes per operation and 4 per dependency.
 */
struct WorkloadRank
{
    std::vector<WorkloadOperation> operations; ///< in the order of the text
    std::vector<uint32_t> firstWaiter;         ///< per operation, and one more: index into waiters
    std::vector<WorkloadWaiter>
        waiters; ///< of each operation, in the order in which they were declared

    /** \return the waiters of an operation: a range */
    const WorkloadWaiter* BeginWaiters(uint32_t operation) const
    {
        return waiters.data() + firstWaiter[operation];
    }

    /** \return the end of that range */
    const WorkloadWaiter* EndWaiters(uint32_t operation) const
    {
        return waiters.data() + firstWaiter[operation + 1];
    }
};

/** \ingroup workload A dependency as it is declared. */
struct WorkloadDependency
{
    uint32_t before{0}; ///< operation that is waited for
    WorkloadWaiter after;
};

/**
 * \ingroup workload
 *
 * Sorts dependencies into the rank's waiters, keeping the order of those of one operation, and
 * counts them at the operations that wait. Linear.
 * \param rank its operations are set; their dependency counts are overwritten
 * \param dependencies indices within the rank; one that is declared twice counts twice
 * \throws InputError if an index is of no operation
 */
void SetWorkloadDependencies(WorkloadRank& rank,
                             const std::vector<WorkloadDependency>& dependencies);

/**
 * \ingroup workload
 * \brief What a job does: per rank a graph of sends, receives and computations (the GOAL model).
 *
 * Plain data; readers, collectives and training make it, a WorkloadRunner runs it.
 */
struct WorkloadSchedule
{
    std::vector<WorkloadRank> ranks;

    /** Kinds of traffic and computation, for results; operations refer to them by index. The first
     * is what nobody named. */
    std::vector<std::string> categories{"other"};

    std::string origin; ///< file or specification, for messages

    std::vector<std::string> warnings; ///< what the reader noticed, `FILE:LINE: TEXT`

    /** \return line of an operation in the origin, found by reading it again; 0 if there is none.
     * Empty if the origin has no lines */
    std::function<uint64_t(uint32_t rank, uint32_t operation)> findLine;

    /** \return an operation in words, for errors: "FILE:LINE: rank 0, operation 3, a send of 8
     * bytes" */
    std::string Describe(uint32_t rank, uint32_t operation) const;

    /** \return operations in all */
    uint64_t CountOperations() const;

    /** \return dependencies in all */
    uint64_t CountDependencies() const;

    /** \return whether computations are slower while their rank communicates */
    bool HasSlowdowns() const;

    /** \return the highest compute stream that an operation uses; 0 if there is none */
    uint8_t HighestCpu() const;

    /** \return the highest interface that a message uses; 0 if there is none */
    uint8_t HighestNic() const;

    /** \return memory that it holds, bytes */
    uint64_t CountBytes() const;
};

/**
 * \ingroup workload
 * \brief Makes a schedule, operation by operation.
 *
 * Operations of a rank are numbered from 0 in the order in which they are added.
 */
class WorkloadScheduleBuilder
{
  public:
    /** \param ranks how many, at least 1 */
    explicit WorkloadScheduleBuilder(uint32_t ranks);

    uint32_t GetRankCount() const
    {
        return static_cast<uint32_t>(m_schedule.ranks.size());
    }

    /** \return index of a category, added if it is new; at most 255 */
    uint8_t Category(const std::string& name);

    /** \param category of the operations that are added from now on; \return the one before */
    uint8_t SetCategory(uint8_t category);

    /** Adds a message's sending end. \return number of the operation in \p rank */
    uint32_t Send(uint32_t rank,
                  uint32_t to,
                  uint64_t bytes,
                  uint32_t tag,
                  uint8_t cpu = 0,
                  uint8_t nic = 0);

    /** Adds a message's receiving end. \return number of the operation in \p rank */
    uint32_t Recv(uint32_t rank,
                  uint32_t from,
                  uint64_t bytes,
                  uint32_t tag,
                  uint8_t cpu = 0,
                  uint8_t nic = 0);

    /** Adds a computation. \return number of the operation in \p rank */
    uint32_t Calc(uint32_t rank, uint64_t ns, uint8_t cpu = 0);

    /** The computation takes \p thousandths of its time more while its rank communicates. */
    void SetSlowdown(uint32_t rank, uint32_t computation, uint32_t thousandths)
    {
        m_schedule.ranks[rank].operations[computation].peer = thousandths;
    }

    /** The rank communicates from the end of the computation on, or until then. */
    void SetMark(uint32_t rank, uint32_t computation, WorkloadMark mark)
    {
        m_schedule.ranks[rank].operations[computation].tag = mark;
    }

    /** \p after may start when \p before has completed; both belong to \p rank. */
    void Require(uint32_t rank, uint32_t after, uint32_t before)
    {
        m_dependencies[rank].push_back({before, WorkloadWaiter(after, false)});
    }

    /** \p after may start when \p before has started; both belong to \p rank. */
    void RequireStart(uint32_t rank, uint32_t after, uint32_t before)
    {
        m_dependencies[rank].push_back({before, WorkloadWaiter(after, true)});
    }

    /** \return a tag that no call returned before: a message of its own needs no other match */
    uint32_t NewTag()
    {
        return NewTags(1);
    }

    /**
     * \param count how many
     * \return the first of \p count consecutive tags that no call returned before
     * \throws InputError if the 32 bits of a tag do not suffice
     */
    uint32_t NewTags(uint64_t count);

    /** \return the schedule; the builder is empty afterwards */
    WorkloadSchedule Build();

  private:
    uint32_t Add(uint32_t rank, const WorkloadOperation& operation);

    WorkloadSchedule m_schedule;
    std::vector<std::vector<WorkloadDependency>> m_dependencies; //!< by rank
    uint8_t m_category{0};
    uint32_t m_nextTag{1};
};

} // namespace ns3

#endif // WORKLOAD_SCHEDULE_H
