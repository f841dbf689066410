/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_HEADER_H
#define WORKLOAD_SIMAI_HEADER_H

#include "ns3/input-text-reader.h"
#include "ns3/workload-simai.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload Most layers of a SimAI workload file, recomputed ones included. */
constexpr uint64_t WORKLOAD_SIMAI_MAX_LAYERS = 10'000'000;

/** \ingroup workload Of all its layers, each computation counted twice: leaves room in 64 bits of
 * picoseconds. */
constexpr uint64_t WORKLOAD_SIMAI_MAX_TOTAL_NS = 4'000'000'000'000'000;

/** \ingroup workload Warnings that are kept of one file. */
constexpr size_t WORKLOAD_SIMAI_MAX_WARNINGS = 100;

/** \ingroup workload Adds a warning about line \p line to those of \p file, unless they are too
 * many. */
void WarnOfWorkloadSimAi(WorkloadSimAiFile& file, uint64_t line, const std::string& text);

/**
 * \ingroup workload
 * \brief The first line of a SimAI workload file: its policy, and values by keys.
 *
 * All members throw InputError with file and line.
 */
class WorkloadSimAiHeader
{
  public:
    /**
     * \param reader at the start of the file; must outlive the header
     * \param file what is read; must outlive the header
     */
    WorkloadSimAiHeader(TextReader& reader, WorkloadSimAiFile& file);

    /** Reads the line. */
    void Read();

    /** Completes the header from \p options, and checks that nothing is missing that the layers,
     * which have been read, need. */
    void TakeOptions(const WorkloadSimAiOptions& options);

    /** Marks the layers, which have been read, as the lists of checkpoints say.
     *  \param totalNs what they compute so far, in units of WORKLOAD_SIMAI_MAX_TOTAL_NS */
    void MarkCheckpoints(uint64_t totalNs);

  private:
    struct Value;

    void ReadWord(const std::string& word);
    void NeedValue(const std::string& key);
    void SetValue(const Value& value, uint32_t number);
    uint64_t WholePart(const std::string& word);
    void ReadIndices(const std::string& key, std::vector<uint64_t>& indices);
    void Mark(const std::vector<uint64_t>& indices,
              const std::string& key,
              bool WorkloadSimAiLayer::*flag);
    [[noreturn]] void Fail(const std::string& message) const;

    static const Value VALUES[];

    TextReader& m_reader;
    WorkloadSimAiFile& m_file;
    uint64_t m_line{1};
    std::vector<uint64_t> m_checkpoints;
    std::vector<uint64_t> m_initiates;
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_HEADER_H
