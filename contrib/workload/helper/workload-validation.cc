/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-validation.h"

#include "workload-cycles.h"
#include "workload-untimed-run.h"

#include "ns3/workload-goal-limits.h"
#include "ns3/workload-messages.h"
#include "ns3/workload-unmatched.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/** Members of a circle that are shown. */
constexpr size_t SHOWN = 6;

/** The checks of one schedule, each a stage. */
class Validator
{
  public:
    Validator(const WorkloadSchedule& schedule, const WorkloadValidationOptions& options)
        : m_schedule(schedule),
          m_options(options)
    {
    }

    WorkloadValidation Run()
    {
        CheckLabels();
        if (!CheckOperations())
        {
            return m_result; // what follows needs peers in range
        }
        const WorkloadMessages messages(m_schedule);
        CheckMatches(messages);
        CheckSizes(messages);
        CheckCycles();
        CheckStall(messages);
        return m_result;
    }

  private:
    void CheckLabels();
    bool CheckOperations();
    void CheckMatches(const WorkloadMessages& messages);
    void CheckSizes(const WorkloadMessages& messages);
    void CheckCycles();
    void CheckStall(const WorkloadMessages& messages);

    /** Runs without time. \return what stalled */
    uint64_t RunUntimed(const WorkloadMessages& messages,
                        const std::function<bool(uint64_t)>& eager,
                        bool error);
    void ReportRobbed(const WorkloadMessages& messages,
                      const WorkloadUntimedRun& run,
                      const std::vector<uint32_t>& waitsFor);
    void ReportCircle(const WorkloadMessages& messages,
                      const WorkloadUntimedRun& run,
                      const std::vector<uint32_t>& circle,
                      bool error);

    /** Begins to count findings of a new kind. */
    void Begin()
    {
        m_found = 0;
    }

    void Add(bool error, uint32_t rank, uint32_t operation, const std::string& message)
    {
        const uint64_t line = m_options.notes ? m_options.notes->LineOf(rank, operation) : 0;
        AddAt(error, rank, operation, line, message);
    }

    void AddAt(bool error,
               uint32_t rank,
               uint32_t operation,
               uint64_t line,
               const std::string& message)
    {
        ++(error ? m_result.errors : m_result.warnings);
        if (m_found++ < m_options.max)
        {
            m_result.findings.push_back({error, rank, operation, line, message});
        }
    }

    /** As Add, of an operation by its number. */
    void AddNumber(const WorkloadMessages& messages,
                   bool error,
                   uint32_t number,
                   const std::string& message)
    {
        const uint32_t rank = messages.RankOf(number);
        Add(error, rank, number - messages.GetFirst(rank), message);
    }

    /** \return "line 12" or "operation 3 (calc 5)" */
    std::string Name(uint32_t rank, uint32_t operation) const
    {
        const uint64_t line = m_options.notes ? m_options.notes->LineOf(rank, operation) : 0;
        const std::string text =
            WorkloadOperationText(m_schedule.ranks[rank].operations[operation]);
        return line ? "\"" + text + "\" in line " + std::to_string(line)
                    : "\"" + text + "\" (operation " + std::to_string(operation) + ")";
    }

    const WorkloadSchedule& m_schedule;
    const WorkloadValidationOptions& m_options;
    WorkloadValidation m_result;
    uint64_t m_found{0};           //!< of the current kind
    std::set<uint32_t> m_robbed;   //!< operations reported since another one took their other end
    std::vector<bool> m_unmatched; //!< destinations of which that has been reported
};

void
Validator::CheckLabels()
{
    Begin();
    if (!m_options.notes)
    {
        return;
    }
    for (const WorkloadGoalNotes::Duplicate& duplicate : m_options.notes->duplicates)
    {
        AddAt(false,
              duplicate.rank,
              UINT32_MAX,
              duplicate.line,
              "label \"" + duplicate.label +
                  "\" stands for another operation already; dependencies mean that one");
    }
    m_result.warnings += m_options.notes->duplicateCount - m_options.notes->duplicates.size();
}

bool
Validator::CheckOperations()
{
    const auto ranks = static_cast<uint32_t>(m_schedule.ranks.size());
    Begin();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const std::vector<WorkloadOperation>& operations = m_schedule.ranks[rank].operations;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            const std::string fault = WorkloadGoalFault(operations[i], ranks);
            if (!fault.empty())
            {
                Add(true, rank, i, fault);
            }
        }
    }
    const bool good = m_result.errors == 0;
    Begin();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const std::vector<WorkloadOperation>& operations = m_schedule.ranks[rank].operations;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            if (operations[i].kind == WorkloadKind::SEND && operations[i].peer == rank)
            {
                Add(false, rank, i, "the rank sends to itself, which needs no network");
            }
        }
    }
    return good;
}

void
Validator::CheckMatches(const WorkloadMessages& messages)
{
    Begin();
    m_unmatched.assign(m_schedule.ranks.size(), false);
    for (const WorkloadUnmatched& unmatched : FindWorkloadUnmatched(messages))
    {
        const WorkloadChannel& channel = messages.GetChannels()[unmatched.channel];
        m_unmatched[channel.destination] = true;
        const bool any = messages.HasAny(channel.destination);
        const std::string counts = std::to_string(channel.sends) + " sent, " +
                                   std::to_string(channel.receives) +
                                   " received with this source, destination and tag" +
                                   (any ? ", and what takes any does not make up for it" : "");
        const uint32_t* const members = messages.GetMembers().data() + channel.first;
        if (unmatched.sends)
        {
            AddNumber(
                messages,
                true,
                members[channel.sends - unmatched.sends],
                "rank " + std::to_string(channel.destination) + " has no receive for " +
                    (unmatched.sends == 1
                         ? "this message"
                         : "this and " + std::to_string(unmatched.sends - 1) + " more messages") +
                    ": " + counts);
        }
        if (unmatched.receives)
        {
            AddNumber(messages,
                      true,
                      members[channel.sends + channel.receives - unmatched.receives],
                      "no message is sent for " +
                          (unmatched.receives == 1
                               ? "this receive"
                               : "this and " + std::to_string(unmatched.receives - 1) +
                                     " more receives") +
                          ": " + counts);
        }
    }
}

void
Validator::CheckSizes(const WorkloadMessages& messages)
{
    Begin();
    for (const WorkloadChannel& channel : messages.GetChannels())
    {
        if (messages.HasAny(channel.destination))
        {
            continue; // who meets whom is open
        }
        const uint32_t* const sends = messages.GetMembers().data() + channel.first;
        for (uint32_t i = 0; i < std::min(channel.sends, channel.receives); ++i)
        {
            const uint32_t receive = sends[channel.sends + i];
            const uint64_t sent = messages.Get(sends[i]).size;
            if (sent != messages.Get(receive).size)
            {
                const uint32_t rank = messages.RankOf(sends[i]);
                AddNumber(messages,
                          false,
                          receive,
                          "its message, " + Name(rank, sends[i] - messages.GetFirst(rank)) +
                              " of rank " + std::to_string(rank) + ", has " + std::to_string(sent) +
                              " bytes");
            }
        }
    }
}

void
Validator::CheckCycles()
{
    Begin();
    for (uint32_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
    {
        FindWorkloadCycles(m_schedule.ranks[rank], [&](const std::vector<uint32_t>& circle) {
            std::string message = "waits for itself";
            for (size_t i = 1; i < std::min(circle.size(), SHOWN); ++i)
            {
                message += (i == 1 ? ": for " : ", that for ") + Name(rank, circle[i]);
            }
            if (circle.size() > SHOWN)
            {
                message += ", and so on through " + std::to_string(circle.size()) + " operations";
            }
            message += circle.size() > 1 ? ", that for this one; remove one of these dependencies"
                                         : "; remove this dependency";
            Add(true, rank, circle[0], message);
        });
    }
}

void
Validator::CheckStall(const WorkloadMessages& messages)
{
    Begin();
    if (m_options.eagerBytes)
    {
        const uint64_t max = *m_options.eagerBytes;
        m_result.stalled = m_result.stalledRendezvous = RunUntimed(
            messages,
            [max](uint64_t bytes) { return bytes <= max; },
            true);
        return;
    }
    m_result.stalledRendezvous = RunUntimed(
        messages,
        [](uint64_t) { return false; },
        false);
    if (m_result.stalledRendezvous)
    {
        Begin();
        m_result.stalled = RunUntimed(
            messages,
            [](uint64_t) { return true; },
            true);
    }
}

uint64_t
Validator::RunUntimed(const WorkloadMessages& messages,
                      const std::function<bool(uint64_t)>& eager,
                      bool error)
{
    WorkloadUntimedRun run(m_schedule, messages, eager);
    run.Run();
    if (run.GetStalled())
    {
        const std::vector<uint32_t> waitsFor = run.WhoWaitsForWhom();
        FindWorkloadCircles(
            messages.GetCount(),
            [&waitsFor](uint32_t number) { return waitsFor[number]; },
            [&](const std::vector<uint32_t>& circle) {
                ReportCircle(messages, run, circle, error);
            });
        ReportRobbed(messages, run, waitsFor);
    }
    return run.GetStalled();
}

void
Validator::ReportRobbed(const WorkloadMessages& messages,
                        const WorkloadUntimedRun& run,
                        const std::vector<uint32_t>& waitsFor)
{
    for (uint32_t number = 0; number < messages.GetCount(); ++number)
    {
        if (run.IsIssued(number) && !run.IsCompleted(number) &&
            waitsFor[number] == WORKLOAD_NOBODY &&
            !m_unmatched[messages.GetChannels()[messages.ChannelOf(number)].destination] &&
            m_robbed.insert(number).second)
        {
            AddNumber(messages,
                      false, // another order may go better
                      number,
                      "has no other end left, since a receive from any source or with any tag, or "
                      "a send with any tag, met another one first (in the order that was tried)");
        }
    }
}

void
Validator::ReportCircle(const WorkloadMessages& messages,
                        const WorkloadUntimedRun& run,
                        const std::vector<uint32_t>& circle,
                        bool error)
{
    const auto issued = [&run](uint32_t number) { return run.IsIssued(number); };
    const auto issuedSend = [&](uint32_t number) {
        return issued(number) && messages.Get(number).kind == WorkloadKind::SEND;
    };
    if (std::none_of(circle.begin(), circle.end(), issued))
    {
        return; // within a rank: reported as a cycle
    }
    if (!error && std::none_of(circle.begin(), circle.end(), issuedSend))
    {
        return; // eager sends do not help: reported as an error
    }
    std::string message = "waits for itself across ranks";
    size_t shown = 0;
    for (size_t i = 0; i < circle.size() && shown < SHOWN; ++i)
    {
        const uint32_t other = circle[(i + 1) % circle.size()];
        const uint32_t rank = messages.RankOf(other);
        message += (i == 0 ? ": " : ", which ") +
                   std::string(issued(circle[i]) ? "needs " : "is after ") +
                   Name(rank, other - messages.GetFirst(rank)) + " of rank " + std::to_string(rank);
        ++shown;
    }
    if (circle.size() > SHOWN)
    {
        message += ", and so on through " + std::to_string(circle.size()) + " operations";
    }
    if (std::any_of(circle.begin(), circle.end(), issuedSend))
    {
        message += "; only eager sends, which do not wait for their receives, avoid it (wormhole "
                   "run --eager-limit)";
    }
    AddNumber(messages, error, circle[0], message);
}

} // namespace

WorkloadValidation
ValidateWorkload(const WorkloadSchedule& schedule, const WorkloadValidationOptions& options)
{
    return Validator(schedule, options).Run();
}

} // namespace ns3
