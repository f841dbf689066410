/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_CONFIG_H
#define RDMA_HPCC_CONFIG_H

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup rdma Which public simulator a config.txt is written for, told by its keys. */
enum class RdmaHpccFlavour : uint8_t
{
    HPCC,  ///< no key of the others
    ASTRA, ///< NIC_TOTAL_PAUSE_TIME, and no other key of SimAI
    SIMAI  ///< at least one key that only SimAI knows
};

/** \ingroup rdma The congestion control that CC_MODE selects. */
enum class RdmaHpccControl : uint8_t
{
    NONE,     ///< any mode not listed here: line rate, and the window if HAS_WIN
    DCQCN,    ///< mode 1
    HPCC,     ///< mode 3
    TIMELY,   ///< mode 7
    DCTCP,    ///< mode 8
    HPCC_PINT ///< mode 10
};

/** \ingroup rdma One link that fails, as LINK_DOWN says. */
struct RdmaHpccLinkDown
{
    uint64_t microseconds{0}; ///< after t = 2 s; more than 0
    uint32_t a{0};            ///< node
    uint32_t b{0};            ///< node, not a
};

/** \ingroup rdma ECN marking of an egress queue at one link rate. */
struct RdmaHpccEcn
{
    uint64_t kminBytes{0}; ///< no mark up to here
    uint64_t kmaxBytes{0}; ///< every packet is marked beyond; not less than kminBytes
    double pmax{0};        ///< probability of a mark at kmaxBytes, in [0, 1]
};

/**
 * \ingroup rdma
 * \brief Every key of HPCC's config.txt and of SimAI's, with the driver's value where the file is
 * silent.
 *
 * ReadRdmaHpccConfig() guarantees the ranges of RdmaHpccConfigHelp(). An empty file name means that
 * the key is absent. Files are named as written: relative to the working directory, as in the
 * driver.
 */
struct RdmaHpccConfig
{
    // Inputs
    std::string topologyFile; ///< TOPOLOGY_FILE; empty in SimAI's, where the command line names it
    std::string flowFile;     ///< FLOW_FILE
    std::string traceFile;    ///< TRACE_FILE: nodes whose packets are traced

    // Outputs
    std::string traceOutputFile;          ///< TRACE_OUTPUT_FILE: binary packet trace
    std::string fctOutputFile{"fct.txt"}; ///< FCT_OUTPUT_FILE: completion times
    std::string pfcOutputFile{"pfc.txt"}; ///< PFC_OUTPUT_FILE: pause frames received
    std::string qlenMonFile;              ///< QLEN_MON_FILE: queue lengths (format by flavour)
    std::optional<uint64_t> qlenMonStart; ///< QLEN_MON_START, ns; present if HPCC's monitor is on
    std::optional<uint64_t> qlenMonEnd;   ///< QLEN_MON_END, ns; present if HPCC's monitor is on
    bool enableTrace{false};              ///< ENABLE_TRACE: write traceOutputFile

    // Run
    double simulatorStopTime{
        3.01}; ///< SIMULATOR_STOP_TIME, s; may be far beyond ns-3's range: no limit then

    // Packets and reliability
    uint32_t packetPayloadSize{1000}; ///< PACKET_PAYLOAD_SIZE, bytes
    uint32_t l2ChunkSize{0};          ///< L2_CHUNK_SIZE, bytes; 0: no chunks
    uint32_t l2AckInterval{1};        ///< L2_ACK_INTERVAL, bytes; never 0
    bool l2BackToZero{false};         ///< L2_BACK_TO_ZERO: go back to the start of the chunk
    bool ackHighPrio{false};    ///< ACK_HIGH_PRIO: a pause of class 3 does not stop a host's ACKs
    double errorRatePerLink{0}; ///< ERROR_RATE_PER_LINK, for links whose own rate is 0

    // Switches
    uint32_t bufferSize{16};                  ///< BUFFER_SIZE, MiB per switch
    bool enableQcn{true};                     ///< ENABLE_QCN: ECN marking
    std::map<uint64_t, uint64_t> kmaxMap;     ///< KMAX_MAP: link rate in bit/s -> 1000 B
    std::map<uint64_t, uint64_t> kminMap;     ///< KMIN_MAP: link rate in bit/s -> 1000 B
    std::map<uint64_t, double> pmaxMap;       ///< PMAX_MAP: link rate in bit/s -> probability
    bool useDynamicPfcThreshold{true};        ///< USE_DYNAMIC_PFC_THRESHOLD: always true
    uint32_t pauseTime{5};                    ///< PAUSE_TIME, us: the field of the PFC frame
    std::optional<RdmaHpccLinkDown> linkDown; ///< LINK_DOWN; absent for 0 0 0

    // Window and pacing, whatever the control
    uint32_t ccMode{1};   ///< CC_MODE as written; see Control()
    bool hasWin{true};    ///< HAS_WIN: bytes in flight are limited
    bool globalT{true};   ///< GLOBAL_T: largest base RTT and BDP of all pairs, not the pair's own
    bool varWin{false};   ///< VAR_WIN: the window shrinks with the rate
    bool rateBound{true}; ///< RATE_BOUND: pace at the control's rate, not at line rate
    uint64_t minRate{100000000}; ///< MIN_RATE, bit/s
    uint64_t rateAi{5000000};    ///< RATE_AI, bit/s
    uint64_t rateHai{50000000};  ///< RATE_HAI, bit/s

    // DCQCN (EWMA_GAIN: DCTCP too)
    double alphaResumeInterval{55}; ///< ALPHA_RESUME_INTERVAL, us
    double rateDecreaseInterval{4}; ///< RATE_DECREASE_INTERVAL, us
    double rpTimer{1500};           ///< RP_TIMER, us
    double ewmaGain{0.0625};        ///< EWMA_GAIN; the driver's own 1/16 is an integer division, 0
    uint32_t fastRecoveryTimes{5};  ///< FAST_RECOVERY_TIMES
    bool clampTargetRate{false};    ///< CLAMP_TARGET_RATE

    // DCTCP
    uint64_t dctcpRateAi{1000000000}; ///< DCTCP_RATE_AI, bit/s

    // HPCC
    bool fastReact{true};       ///< FAST_REACT
    double uTarget{0.95};       ///< U_TARGET
    uint32_t miThresh{5};       ///< MI_THRESH
    uint32_t intMulti{1};       ///< INT_MULTI: multiplies the units of INT's byte counters
    bool multiRate{true};       ///< MULTI_RATE: a rate per hop
    bool sampleFeedback{false}; ///< SAMPLE_FEEDBACK
    double pintLogBase{1.05};   ///< PINT_LOG_BASE
    double pintProb{1};         ///< PINT_PROB

    // SimAI's monitors
    std::string bwMonFile;            ///< BW_MON_FILE
    std::string rateMonFile;          ///< RATE_MON_FILE
    std::string cnpMonFile;           ///< CNP_MON_FILE
    std::optional<uint64_t> monStart; ///< MON_START, us; absent: 0
    std::optional<uint64_t> monEnd;   ///< MON_END, us; absent: until the run ends
    std::optional<uint64_t>
        qpMonInterval; ///< QP_MON_INTERVAL, us; present if a rate or CNP file is
    std::optional<uint64_t>
        qlenMonInterval; ///< QLEN_MON_INTERVAL, us; present if SimAI's queue monitor is on
    std::optional<uint64_t> bwMonInterval;     ///< BW_MON_INTERVAL, us; present if bwMonFile is
    std::optional<uint64_t> nicTotalPauseTime; ///< NIC_TOTAL_PAUSE_TIME: absent or 0

    // Where it came from
    std::string file;                      ///< name for messages; empty if not read from a file
    std::map<std::string, uint64_t> lines; ///< key -> line, for the keys that the file sets

    /** \return what ccMode selects */
    RdmaHpccControl Control() const;

    /** \return the simulator that the present keys belong to */
    RdmaHpccFlavour Flavour() const;

    /** \return the line of a key, 0 if the file does not set it */
    uint64_t LineOf(const std::string& key) const;

    /**
     * \param rate bit/s of a port
     * \return thresholds for that port
     * \throws InputError, at the line of the map, if a map has no entry for the rate
     */
    RdmaHpccEcn EcnAt(uint64_t rate) const;
};

/**
 * Reads a config.txt: `KEY value` pairs in any order, separated by white space.
 * \param file path
 * \return the configuration, with the driver's values for keys that are absent
 * \throws InputError with file, line, value and remedy: unknown key (with the nearest known one), key given
 * twice, value missing or out of range, a key without effect in this combination, a key we reject
 */
RdmaHpccConfig ReadRdmaHpccConfig(const std::string& file);

/** As ReadRdmaHpccConfig(file), from a stream; \p name stands for the file in messages. */
RdmaHpccConfig ReadRdmaHpccConfig(std::istream& in, const std::string& name);

/** Writes the effective configuration as config.txt, every key that applies on a line, so that
 * reading it gives the same. */
void WriteRdmaHpccConfig(std::ostream& out, const RdmaHpccConfig& config);

/** \return what WriteRdmaHpccConfig() writes, as pairs of key and value, in the order of the
 * documentation */
std::vector<std::pair<std::string, std::string>> RdmaHpccConfigItems(const RdmaHpccConfig& config);

/** \return all keys with unit, default, range and meaning, as text for a terminal of 100 columns */
std::string RdmaHpccConfigHelp();

/** \return the same as a table in Markdown, one row per key (docs/reference/config-keys.md holds
 * it)
 */
std::string RdmaHpccConfigMarkdown();

} // namespace ns3

#endif // RDMA_HPCC_CONFIG_H
