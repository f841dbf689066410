/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-storage.h"

#include "ns3/input-values.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

namespace
{

// Sizes of messages, bytes, and of metadata that a server looks up.
constexpr uint64_t REQUEST = 1024;
constexpr uint64_t ANSWER = 4096;
constexpr uint64_t LOOKUP = 4096;

constexpr uint8_t CLOCK_STREAM = 1;

/** \return nanoseconds that bytes, at most 1 GiB, take; rounded up */
uint64_t
TimeNs(uint64_t bytes, uint64_t bitsPerSecond)
{
    const uint64_t scaled = bytes * 8 * 1'000'000'000;
    return scaled / bitsPerSecond + (scaled % bitsPerSecond != 0 ? 1 : 0);
}

/** Makes the schedule, request by request. */
class Maker
{
  public:
    Maker(const WorkloadStorageService& service, uint32_t hosts)
        : m_service(service),
          m_balancers(hosts),
          m_gateways(m_balancers + service.loadBalancers),
          m_metadata(m_gateways + service.gateways),
          m_coordinators(m_metadata + service.metadataServers),
          m_stores(m_coordinators + service.coordinators),
          m_builder(m_stores + service.blockStores),
          m_hosts(hosts),
          m_nextStore(service.coordinators, 0),
          m_mounting(m_builder.Category("mount")),
          m_asking(m_builder.Category("read request")),
          m_reading(m_builder.Category("read data")),
          m_writing(m_builder.Category("write data")),
          m_copying(m_builder.Category("write copies")),
          m_replying(m_builder.Category("write reply"))
    {
    }

    void Add(const WorkloadStorageRequest& request)
    {
        Host& host = m_hosts[request.unit];
        std::vector<uint32_t> waits = WaitForArrival(request);
        if (!host.mounted)
        {
            host.results = {Mount(request.unit, waits)};
            host.mounted = true;
        }
        waits.insert(waits.end(), host.results.begin(), host.results.end());
        const uint64_t end = request.offset + request.bytes;
        const uint64_t first = request.offset / m_service.sliceBytes;
        const uint64_t last = (end - 1) / m_service.sliceBytes;
        if (waits.size() > 1 && last > first)
        {
            waits = {After(request.unit, m_builder.Calc(request.unit, 0), waits)};
        }
        std::vector<uint32_t> results;
        for (uint64_t slice = first; slice <= last; ++slice)
        {
            const uint64_t from = std::max(request.offset, slice * m_service.sliceBytes);
            const uint64_t to = std::min(end, (slice + 1) * m_service.sliceBytes);
            results.push_back(request.write ? Write(request.unit, slice, to - from, waits)
                                            : Read(request.unit, slice, to - from, waits));
        }
        if (m_service.chained)
        {
            host.results = std::move(results);
        }
    }

    WorkloadSchedule Build()
    {
        return m_builder.Build();
    }

  private:
    struct Host
    {
        bool mounted{false};
        std::vector<uint32_t> results; //!< operations that the next request waits for
        bool started{false};
        uint32_t clock{0};   //!< of the last request, if started
        uint64_t clockNs{0}; //!< when that is over
    };

    /** Lets an operation wait for others of its rank. \return the operation */
    uint32_t After(uint32_t rank, uint32_t operation, const std::vector<uint32_t>& waits)
    {
        for (const uint32_t before : waits)
        {
            m_builder.Require(rank, operation, before);
        }
        return operation;
    }

    /** Sends when \p waits of the sender are over. \return the receive */
    uint32_t Message(uint32_t from, uint32_t to, uint64_t bytes, const std::vector<uint32_t>& waits)
    {
        const uint32_t tag = m_builder.NewTag();
        After(from, m_builder.Send(from, to, bytes, tag), waits);
        return m_builder.Recv(to, from, bytes, tag);
    }

    /** Computes when an operation is over. \return the computation */
    uint32_t Compute(uint32_t rank, uint64_t ns, uint32_t before)
    {
        return After(rank, m_builder.Calc(rank, ns), {before});
    }

    uint64_t ReadNs(uint64_t bytes) const
    {
        return TimeNs(bytes, m_service.readRate);
    }

    uint64_t WriteNs(uint64_t bytes) const
    {
        return TimeNs(bytes, m_service.writeRate);
    }

    /** \return what ends when the request arrives; nothing if times do not count */
    std::vector<uint32_t> WaitForArrival(const WorkloadStorageRequest& request)
    {
        if (!m_service.timed)
        {
            return {};
        }
        Host& host = m_hosts[request.unit];
        m_builder.SetCategory(0);
        const uint64_t ns = request.arrivalNs - host.clockNs;
        const uint32_t clock = m_builder.Calc(request.unit, ns, CLOCK_STREAM);
        if (host.started)
        {
            m_builder.Require(request.unit, clock, host.clock);
        }
        host.started = true;
        host.clock = clock;
        host.clockNs = request.arrivalNs;
        return {clock};
    }

    /** \return the operation after which the host knows its disk */
    uint32_t Mount(uint32_t host, const std::vector<uint32_t>& waits)
    {
        m_builder.SetCategory(m_mounting);
        const uint32_t balancer = m_balancers + host % m_service.loadBalancers;
        const uint32_t gateway = m_gateways + host % m_service.gateways;
        const uint32_t metadata = m_metadata + host % m_service.metadataServers;
        uint32_t got = Message(host, balancer, ANSWER, waits);
        got = Message(balancer, gateway, ANSWER, {got});
        got = Message(gateway, metadata, ANSWER, {got});
        got = Compute(metadata, ReadNs(LOOKUP), got);
        got = Message(metadata, gateway, ANSWER, {got});
        got = Message(gateway, balancer, ANSWER, {got});
        return Message(balancer, host, ANSWER, {got});
    }

    /** \return a coordinator's first store and the one behind its last */
    std::pair<uint32_t, uint32_t> StoresOf(uint32_t coordinator) const
    {
        const uint32_t all = m_service.blockStores;
        const uint32_t each = (all - 1) / m_service.coordinators + 1;
        return {std::min(coordinator * each, all), std::min((coordinator + 1) * each, all)};
    }

    /** \return the operation after which the host has the data */
    uint32_t Read(uint32_t host, uint64_t slice, uint64_t bytes, const std::vector<uint32_t>& waits)
    {
        const auto c = static_cast<uint32_t>(slice % m_service.coordinators);
        const uint32_t coordinator = m_coordinators + c;
        const auto [first, end] = StoresOf(c);
        const uint32_t store = m_stores + first + m_nextStore[c];
        m_nextStore[c] = (m_nextStore[c] + 1) % (end - first);

        m_builder.SetCategory(m_asking);
        uint32_t got = Message(host, coordinator, REQUEST, waits);
        got = Compute(coordinator, ReadNs(LOOKUP), got);
        got = Message(coordinator, host, ANSWER, {got});
        got = Message(host, store, REQUEST, {got});
        m_builder.SetCategory(m_reading);
        got = Compute(store, ReadNs(bytes), got);
        return Message(store, host, bytes, {got});
    }

    /** \return the operation after which the host knows that all stores have the data */
    uint32_t Write(uint32_t host,
                   uint64_t slice,
                   uint64_t bytes,
                   const std::vector<uint32_t>& waits)
    {
        const auto c = static_cast<uint32_t>(slice % m_service.coordinators);
        const uint32_t coordinator = m_coordinators + c;
        const auto [first, end] = StoresOf(c);

        m_builder.SetCategory(m_writing);
        uint32_t got = Message(host, coordinator, bytes, waits);
        got = Compute(coordinator, WriteNs(bytes), got);
        std::vector<uint32_t> replies;
        for (uint32_t store = m_stores + first; store < m_stores + end; ++store)
        {
            m_builder.SetCategory(m_copying);
            uint32_t copied = Message(coordinator, store, bytes, {got});
            copied = Compute(store, WriteNs(bytes), copied);
            m_builder.SetCategory(m_replying);
            replies.push_back(Message(store, coordinator, REQUEST, {copied}));
        }
        return Message(coordinator, host, ANSWER, replies);
    }

    const WorkloadStorageService& m_service;
    // First rank of each kind.
    uint32_t m_balancers;
    uint32_t m_gateways;
    uint32_t m_metadata;
    uint32_t m_coordinators;
    uint32_t m_stores;
    WorkloadScheduleBuilder m_builder;
    std::vector<Host> m_hosts;
    std::vector<uint32_t> m_nextStore; //!< by coordinator: who serves the next read, within its set
    // Categories.
    uint8_t m_mounting;
    uint8_t m_asking;
    uint8_t m_reading;
    uint8_t m_writing;
    uint8_t m_copying;
    uint8_t m_replying;
};

/** Checks that every coordinator has a store. */
void
CheckService(const WorkloadStorageService& service, const std::string& origin)
{
    const uint32_t stores = service.blockStores;
    const uint32_t each = stores == 0 ? 0 : (stores - 1) / service.coordinators + 1;
    if (uint64_t{each} * (service.coordinators - 1) >= stores)
    {
        throw InputError(origin,
                         0,
                         std::to_string(stores) + " block stores do not give each of " +
                             std::to_string(service.coordinators) + " coordinators a set of " +
                             std::to_string(each) +
                             "; take a multiple (bss=) of the coordinators (ccs=)");
    }
}

/** Checks a request, after \p last, when the host's previous one arrived. */
void
CheckRequest(const WorkloadStorageRequest& request,
             size_t number,
             const WorkloadStorageService& service,
             uint32_t hosts,
             std::vector<uint64_t>& last,
             const std::string& origin)
{
    const std::string which = "request " + std::to_string(number) + ": ";
    if (request.unit >= hosts)
    {
        throw InputError(origin,
                         0,
                         which + "ASU " + std::to_string(request.unit) + ", but there are " +
                             std::to_string(hosts) + " hosts; raise hosts= or leave it out");
    }
    if (service.timed && request.arrivalNs < last[request.unit])
    {
        throw InputError(origin,
                         0,
                         which + "it arrives before the one before it of ASU " +
                             std::to_string(request.unit) +
                             "; sort the trace by time, or ignore times (times=0)");
    }
    last[request.unit] = request.arrivalNs;
}

} // namespace

WorkloadSchedule
MakeStorageSchedule(const std::vector<WorkloadStorageRequest>& requests,
                    const WorkloadStorageService& service,
                    const std::string& origin)
{
    CheckService(service, origin);
    uint32_t hosts = std::max<uint32_t>(service.hosts, 1);
    if (service.hosts == 0)
    {
        for (const WorkloadStorageRequest& request : requests)
        {
            hosts = std::max(hosts, request.unit + 1);
        }
    }
    std::vector<uint64_t> last(hosts, 0);
    Maker maker(service, hosts);
    for (size_t i = 0; i < requests.size(); ++i)
    {
        CheckRequest(requests[i], i + 1, service, hosts, last, origin);
        maker.Add(requests[i]);
    }
    WorkloadSchedule schedule = maker.Build();
    schedule.origin = origin;
    return schedule;
}

WorkloadSchedule
MakeStorageSchedule(InputSpec& spec)
{
    const auto count = [&](const char* key, uint64_t defaultValue) {
        return static_cast<uint32_t>(spec.Integer(key, defaultValue, 1, 100000));
    };
    spec.Require("file", "trace.spc");
    const std::string file = spec.Word("file", "");
    WorkloadSpcOptions options;
    options.addressUnit =
        spec.Choice("lba", "blocks", {"blocks", "bytes"}) == "bytes" ? 1 : options.addressUnit;
    options.limit = spec.Integer("limit", 0, 1, UINT64_MAX);
    WorkloadStorageService service;
    service.hosts = static_cast<uint32_t>(spec.Integer("hosts", 0, 1, WORKLOAD_SPC_UNITS));
    service.loadBalancers = count("slb", service.loadBalancers);
    service.gateways = count("gs", service.gateways);
    service.metadataServers = count("mds", service.metadataServers);
    service.coordinators = count("ccs", service.coordinators);
    service.blockStores = count("bss", service.blockStores);
    service.sliceBytes = spec.Integer("slice", service.sliceBytes, 512, uint64_t{1} << 30);
    service.readRate = spec.Rate("read", service.readRate);
    service.writeRate = spec.Rate("write", service.writeRate);
    service.chained = spec.Flag("chain", service.chained);
    service.timed = spec.Flag("times", service.timed);
    spec.Finish();
    std::ifstream in =
        OpenInput(file, "the file cannot be opened; it should be an SPC block trace");
    return MakeStorageSchedule(ReadWorkloadSpcTrace(in, file, options), service, file);
}

} // namespace ns3
