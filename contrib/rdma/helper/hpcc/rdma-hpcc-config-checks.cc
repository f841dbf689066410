/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-hpcc-config-keys.h"

#include "ns3/input-error.h"

namespace ns3
{

namespace
{

/** Throws unless the key is absent. */
void
RejectKey(const RdmaHpccConfig& config, const std::string& key, const std::string& message)
{
    if (config.LineOf(key))
    {
        throw InputError(config.file, config.LineOf(key), key + ": " + message);
    }
}

void
CheckReliability(const RdmaHpccConfig& config)
{
    if (!config.LineOf("L2_ACK_INTERVAL"))
    {
        throw InputError(config.file,
                         0,
                         "L2_ACK_INTERVAL is missing, which means 0: no receiver would "
                         "acknowledge, so no flow could complete; add L2_ACK_INTERVAL 1");
    }
    if (config.l2BackToZero && config.l2ChunkSize == 0)
    {
        RejectKey(config,
                  "L2_BACK_TO_ZERO",
                  "there is no chunk to go back to, since L2_CHUNK_SIZE is 0; set L2_CHUNK_SIZE "
                  "(4000 is usual), or L2_BACK_TO_ZERO to 0");
    }
}

void
CheckEcn(const RdmaHpccConfig& config)
{
    for (const auto& [rate, kmin] : config.kminMap)
    {
        const auto kmax = config.kmaxMap.find(rate);
        if (kmax != config.kmaxMap.end() && kmin > kmax->second)
        {
            RejectKey(config,
                      "KMIN_MAP",
                      std::to_string(kmin) + " at rate " + std::to_string(rate) + " is more than " +
                          std::to_string(kmax->second) + " in KMAX_MAP (line " +
                          std::to_string(config.LineOf("KMAX_MAP")) + "); lower it");
        }
    }
}

void
CheckTrace(RdmaHpccConfig& config)
{
    const bool files = !config.traceFile.empty() && !config.traceOutputFile.empty();
    if (!config.LineOf("ENABLE_TRACE"))
    {
        config.enableTrace = files;
    }
    else if (config.enableTrace && !files)
    {
        RejectKey(config,
                  "ENABLE_TRACE",
                  "a packet trace needs TRACE_FILE and TRACE_OUTPUT_FILE; add them, or set "
                  "ENABLE_TRACE to 0");
    }
}

/** A key that does nothing without another one is an error. */
void
CheckNeed(const RdmaHpccConfig& config, const std::string& key, bool met, const std::string& needed)
{
    if (!met)
    {
        RejectKey(config, key, "no effect without " + needed + "; add that, or remove this");
    }
}

void
SetIfAbsent(std::optional<uint64_t>& member, uint64_t value)
{
    member = member.value_or(value);
}

void
CheckOrder(const RdmaHpccConfig& config,
           const std::string& start,
           uint64_t from,
           const std::string& end,
           uint64_t to)
{
    if (from > to)
    {
        const std::string& key = config.LineOf(end) ? end : start;
        RejectKey(config,
                  key,
                  (key == end ? "" : end + " ") + std::to_string(to) + " is before " + start + " " +
                      std::to_string(from) + "; set both so that the end comes last");
    }
}

void
CheckHpccMonitor(RdmaHpccConfig& config)
{
    const bool on = !config.qlenMonFile.empty();
    CheckNeed(config, "QLEN_MON_START", on, "QLEN_MON_FILE");
    CheckNeed(config, "QLEN_MON_END", on, "QLEN_MON_FILE");
    if (on)
    {
        SetIfAbsent(config.qlenMonStart, 2000000000);
        SetIfAbsent(config.qlenMonEnd, 2100000000);
        CheckOrder(config,
                   "QLEN_MON_START",
                   *config.qlenMonStart,
                   "QLEN_MON_END",
                   *config.qlenMonEnd);
    }
}

void
CheckSimAiMonitors(RdmaHpccConfig& config)
{
    for (const char* key : {"QLEN_MON_START", "QLEN_MON_END"})
    {
        RejectKey(config,
                  key,
                  "HPCC's queue monitor, while other keys ask for SimAI's; use MON_START, MON_END "
                  "and QLEN_MON_INTERVAL, or remove SimAI's keys");
    }
    const bool qlen = !config.qlenMonFile.empty();
    const bool bandwidth = !config.bwMonFile.empty();
    const bool pairs = !config.rateMonFile.empty() || !config.cnpMonFile.empty();
    const std::string any = "QLEN_MON_FILE, BW_MON_FILE, RATE_MON_FILE or CNP_MON_FILE";
    CheckNeed(config, "MON_START", qlen || bandwidth || pairs, any);
    CheckNeed(config, "MON_END", qlen || bandwidth || pairs, any);
    CheckNeed(config, "QLEN_MON_INTERVAL", qlen, "QLEN_MON_FILE");
    CheckNeed(config, "BW_MON_INTERVAL", bandwidth, "BW_MON_FILE");
    CheckNeed(config, "QP_MON_INTERVAL", pairs, "RATE_MON_FILE or CNP_MON_FILE");
    if (qlen)
    {
        SetIfAbsent(config.qlenMonInterval, 10000);
    }
    if (bandwidth)
    {
        SetIfAbsent(config.bwMonInterval, 10000);
    }
    if (pairs)
    {
        SetIfAbsent(config.qpMonInterval, 100);
    }
    CheckOrder(config,
               "MON_START",
               config.monStart.value_or(0),
               "MON_END",
               config.monEnd.value_or(UINT64_MAX));
}

} // namespace

void
CompleteRdmaHpccConfig(RdmaHpccConfig& config)
{
    CheckReliability(config);
    CheckEcn(config);
    CheckTrace(config);
    if (config.Flavour() == RdmaHpccFlavour::SIMAI)
    {
        CheckSimAiMonitors(config);
    }
    else
    {
        CheckHpccMonitor(config);
    }
}

} // namespace ns3
