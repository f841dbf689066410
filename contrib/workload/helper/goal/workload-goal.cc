/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal.h"

#include "workload-goal-binary-format.h"
#include "workload-goal-binary-reader.h"
#include "workload-goal-text-reader.h"
#include "workload-goal-writer.h"

#include "ns3/input-values.h"

#include <fstream>

namespace ns3
{

namespace
{

WorkloadSchedule
ReadAll(WorkloadGoalReader& reader, const std::string& name)
{
    WorkloadSchedule schedule;
    schedule.origin = name;
    WorkloadRank rank;
    while (reader.Next(rank))
    {
        schedule.ranks.push_back(std::move(rank));
        rank = {};
    }
    schedule.ranks.shrink_to_fit();
    schedule.warnings = reader.GetWarnings();
    return schedule;
}

void
WriteAll(WorkloadGoalWriter& writer, const WorkloadSchedule& schedule)
{
    for (const WorkloadRank& rank : schedule.ranks)
    {
        writer.Write(rank);
    }
    writer.Finish();
}

/** \return the line of an operation of a file, which is read once more; 0 if that finds none */
uint64_t
FindLine(const std::string& file, uint32_t rank, uint32_t operation)
{
    try
    {
        WorkloadGoalNotes notes;
        std::ifstream in(file, std::ios::binary);
        const auto reader = MakeWorkloadGoalReader(in, file, &notes);
        WorkloadRank read;
        for (uint32_t r = 0; r <= rank && reader->Next(read); ++r)
        {
        }
        return notes.LineOf(rank, operation);
    }
    catch (const InputError&) // it has changed since
    {
        return 0;
    }
}

uint32_t
RankCount(const WorkloadSchedule& schedule)
{
    return static_cast<uint32_t>(schedule.ranks.size());
}

} // namespace

bool
IsWorkloadGoalBinary(std::istream& in)
{
    // no text begins with these two bytes
    const auto second = [](uint64_t magic) { return static_cast<int>(magic >> 8); };
    const int first = in.peek();
    for (const uint64_t magic : {WORKLOAD_GOAL_MAGIC, WORKLOAD_GOAL_MAGIC_CONSUMED})
    {
        if (first == static_cast<int>(magic & 0xff))
        {
            in.get();
            const bool same = in.peek() == second(magic);
            in.clear();
            in.unget();
            return same;
        }
    }
    return false;
}

std::unique_ptr<WorkloadGoalReader>
MakeWorkloadGoalReader(std::istream& in, const std::string& name, WorkloadGoalNotes* notes)
{
    if (IsWorkloadGoalBinary(in))
    {
        return std::make_unique<WorkloadGoalBinaryReader>(in, name);
    }
    return std::make_unique<WorkloadGoalTextReader>(in, name, notes);
}

WorkloadSchedule
ReadGoal(const std::string& file, WorkloadGoalNotes* notes)
{
    std::ifstream in = OpenInput(file);
    WorkloadSchedule schedule = ReadAll(*MakeWorkloadGoalReader(in, file, notes), file);
    schedule.findLine = [file](uint32_t rank, uint32_t operation) {
        return FindLine(file, rank, operation);
    };
    return schedule;
}

WorkloadSchedule
ReadGoalText(std::istream& in, const std::string& name, WorkloadGoalNotes* notes)
{
    WorkloadGoalTextReader reader(in, name, notes);
    return ReadAll(reader, name);
}

WorkloadSchedule
ReadGoalBinary(std::istream& in, const std::string& name)
{
    WorkloadGoalBinaryReader reader(in, name);
    return ReadAll(reader, name);
}

void
WriteGoalText(std::ostream& out, const WorkloadSchedule& schedule)
{
    WorkloadGoalTextWriter writer(out, RankCount(schedule));
    WriteAll(writer, schedule);
}

void
WriteGoalBinary(std::ostream& out, const WorkloadSchedule& schedule)
{
    WorkloadGoalBinaryWriter writer(out, RankCount(schedule));
    WriteAll(writer, schedule);
}

std::unique_ptr<WorkloadGoalWriter>
MakeWorkloadGoalWriter(std::ostream& out, uint32_t ranks, bool binary)
{
    if (binary)
    {
        return std::make_unique<WorkloadGoalBinaryWriter>(out, ranks);
    }
    return std::make_unique<WorkloadGoalTextWriter>(out, ranks);
}

WorkloadGoalConversion
ConvertGoal(std::istream& in, const std::string& name, std::ostream& out, bool binary)
{
    const auto reader = MakeWorkloadGoalReader(in, name);
    WorkloadGoalConversion done;
    done.ranks = reader->GetRankCount();
    const auto writer = MakeWorkloadGoalWriter(out, done.ranks, binary);
    WorkloadRank rank;
    while (out && reader->Next(rank))
    {
        done.operations += rank.operations.size();
        done.dependencies += rank.waiters.size();
        writer->Write(rank);
    }
    writer->Finish();
    done.warnings = reader->GetWarnings();
    return done;
}

} // namespace ns3
