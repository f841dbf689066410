/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_LOGGOPS_MEASURE_H
#define MPI_LOGGOPS_MEASURE_H

#include <cstdint>
#include <vector>

namespace mpiloggops
{

/** What messages of a size cost those who send and receive them. */
struct Overheads
{
    double ns{0};  ///< o: time in MPI_Send, or in MPI_Recv of a message that is there
    double gap{0}; ///< from one to the next of those that follow each other, if that is more than o
};

/** Measures messages between ranks 0 and 1. Both call each function; rank 0 gets the results. All
 * figures are medians, so that a run that was interrupted does not count. */
class Measure
{
  public:
    /** \param rank 0 or 1 \param most bytes of a message \param apart whether they are received
     * into another buffer than they are sent from */
    Measure(int rank, uint64_t most, bool apart);

    /** \param bytes of a message whose send does not wait for its receive */
    Overheads FindOverheads(uint64_t bytes);

    /** \return most bytes of a message whose send does not wait for its receive */
    uint64_t FindEager();

    /** \return what a message takes one way: half of there and back, ns */
    double OneWay(uint64_t bytes);

    /** \return what a message of a rank to itself takes, its send and its receive together, ns */
    double FindSelf(uint64_t bytes);

  private:
    void Send(uint64_t bytes);
    void Receive(uint64_t bytes);
    void RoundTrips(uint64_t bytes, int count);
    bool Waits(uint64_t bytes);

    const int m_rank;
    const uint64_t m_most;
    std::vector<char> m_bytes;
    std::vector<char> m_received; //!< of messages that are received apart, or from itself
    const bool m_apart;
};

} // namespace mpiloggops

#endif // MPI_LOGGOPS_MEASURE_H
