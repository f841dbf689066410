/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRACE_RECORD_H
#define RDMA_TRACE_RECORD_H

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup rdma What a record of HPCC's binary packet trace tells. */
enum class RdmaTraceEvent : uint8_t
{
    RECEIVE = 0,
    ENQUEUE = 1,
    DEQUEUE = 2,
    DROP = 3
};

/**
 * \ingroup rdma
 * \brief A record of HPCC's binary packet trace, as it lies in the file (in the byte order of the
 * machine).
 */
struct RdmaTraceRecord
{
    static constexpr uint8_t DATA = 0x11;
    static constexpr uint8_t ACK = 0xfc;
    static constexpr uint8_t NACK = 0xfd;
    static constexpr uint8_t PFC = 0xfe;
    static constexpr uint8_t CNP = 0xff;

    /** Fields of data. */
    struct Data
    {
        uint16_t sport;
        uint16_t dport;
        uint32_t seq;       ///< offset of the first byte in the flow, modulo 2^32
        uint64_t timestamp; ///< ns, when the frame began to leave its host
        uint16_t priority;
        uint16_t payload; ///< bytes
    };

    /** Fields of ACK and NACK. */
    struct Ack
    {
        uint16_t sport;
        uint16_t dport;
        uint16_t flags; ///< bit 0: congestion echo
        uint16_t priority;
        uint32_t seq;       ///< next byte expected, modulo 2^32
        uint64_t timestamp; ///< ns, that of the data frame
    };

    /** Fields of PFC. */
    struct Pfc
    {
        uint32_t pauseTime;  ///< us; 0 resumes
        uint32_t queueBytes; ///< at the sender of the frame
        uint8_t queue;
    };

    /** Fields of CNP and of ordinary TCP and UDP packets. */
    struct Ports
    {
        uint16_t sport;
        uint16_t dport;
    };

    uint64_t time;       ///< ns
    uint16_t node;       ///< number in the topology
    uint8_t interface;   ///< from 1
    uint8_t queue;       ///< 0 for RECEIVE
    uint32_t queueBytes; ///< in that queue of the port, after the event
    uint32_t source;     ///< IPv4, host order
    uint32_t destination;
    uint16_t wireBytes;
    uint8_t protocol; ///< DATA, ACK, ...; that of an ordinary packet's IPv4 header; 0 if none
    RdmaTraceEvent event;
    uint8_t ecn;      ///< 3 if marked, else 0
    uint8_t isSwitch; ///< 0 host, 1 switch
    uint8_t padding[2];

    union {
        uint8_t bytes[24]; ///< all that follows
        Data data;
        Ack ack;
        Pfc pfc;
        Ports ports;
    };
};

static_assert(sizeof(RdmaTraceRecord) == 56, "a record has 56 bytes in the file");
static_assert(offsetof(RdmaTraceRecord, wireBytes) == 24 && offsetof(RdmaTraceRecord, data) == 32,
              "fields lie where HPCC's readers look");

/** \ingroup rdma A port in the header of HPCC's binary packet trace. */
struct RdmaTracePort
{
    uint16_t node;
    uint8_t interface; ///< from 1
    uint64_t rate;     ///< bit/s
};

/** \ingroup rdma HPCC's binary packet trace in memory. */
struct RdmaTraceFile
{
    std::vector<RdmaTracePort> ports;
    uint32_t largestBdp{0}; ///< bytes
    std::vector<RdmaTraceRecord> records;
};

/**
 * Reads a binary packet trace whole: 56 bytes of memory per record.
 * \param file path
 * \throws InputError if it cannot be read or ends within the header or a record
 */
RdmaTraceFile ReadRdmaTraceFile(const std::string& file);

/**
 * Prints a record as the trace reader of HPCC's simulator does: time, node, interface:queue, queue
 * bytes, event, ECN bits, addresses, ports, and what the protocol has.
 */
std::ostream& operator<<(std::ostream& out, const RdmaTraceRecord& record);

} // namespace ns3

#endif // RDMA_TRACE_RECORD_H
