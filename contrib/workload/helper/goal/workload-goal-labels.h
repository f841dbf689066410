/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_LABELS_H
#define WORKLOAD_GOAL_LABELS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The labels of one rank and the operations that they stand for: a hash table.
 *
 * Adding and finding take constant time; what is held is the text of the labels and some 24 bytes
 * for each.
 */
class WorkloadGoalLabels
{
  public:
    WorkloadGoalLabels();

    /** Forgets all labels. O(labels) */
    void Clear();

    /**
     * \param text the label; \param length of it, less than 4 GiB
     * \param operation that it stands for
     * \return false, and nothing changes, if it is there already
     */
    bool Add(const char* text, size_t length, uint32_t operation);

    /** \return the operation that a label stands for; null if there is no such label */
    const uint32_t* Find(const char* text, size_t length) const;

  private:
    struct Label
    {
        uint64_t text; //!< where it stands in m_text
        uint32_t length;
        uint32_t hash;
        uint32_t operation;
    };

    /** \return the slot that holds the label, or the free one where it belongs */
    size_t SlotOf(const char* text, size_t length, uint32_t hash) const;

    void Grow();

    std::vector<uint32_t> m_slots; //!< index into m_labels plus 1; 0 is free
    std::vector<Label> m_labels;
    std::string m_text;
};

} // namespace ns3

#endif // WORKLOAD_GOAL_LABELS_H
