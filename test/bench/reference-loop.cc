/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Provenance: the reference measurements that the project was given, laid out
// by clang-format and otherwise unchanged, so that figures can be compared with theirs.
//
// The speed floor of packet-level simulation on this machine: the least that a single-threaded
// simulator must do for case ring64 (64 hosts, 8 leaf and 8 spine switches, 100 Gb/s, 1 us links,
// host h sends to h+8), with per-packet acknowledgements and a fixed window, and nothing else: no
// congestion control, no shared buffer, no ECN, no PFC, no tracing. A real packet level is compared
// with it as a ratio, in the same run, on the same machine.
//
//   g++ -O3 -o floor floor.cc && ./floor [packets per flow = 20000]
//
// Prints one JSON object. A packet-hop is one data packet crossing one link; the acknowledgement's
// hop is included in its cost.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

struct Frame
{
    uint32_t flow, seq;
    uint16_t bytes;
    uint8_t hop;
    bool ack;
    Frame* next;
};

struct Fifo
{
    Frame* head = nullptr;
    Frame* tail = nullptr;

    void Push(Frame* f)
    {
        f->next = nullptr;
        (tail ? tail->next : head) = f;
        tail = f;
    }

    Frame* Pop()
    {
        Frame* f = head;
        head = f->next;
        if (!head)
        {
            tail = nullptr;
        }
        return f;
    }
};

struct Event
{
    uint64_t time;
    uint32_t uid;
    uint32_t port;
    bool arrival;

    bool Before(const Event& o) const
    {
        return time < o.time || (time == o.time && uid < o.uid);
    }
};

class EventHeap // 4-ary
{
  public:
    bool Empty() const
    {
        return m_heap.empty();
    }

    void Push(const Event& e)
    {
        size_t i = m_heap.size();
        m_heap.push_back(e);
        for (; i && e.Before(m_heap[(i - 1) / 4]); i = (i - 1) / 4)
        {
            m_heap[i] = m_heap[(i - 1) / 4];
        }
        m_heap[i] = e;
    }

    Event Pop()
    {
        const Event top = m_heap.front();
        const Event last = m_heap.back();
        m_heap.pop_back();
        const size_t n = m_heap.size();
        size_t i = 0;
        for (size_t first = 1; first < n; first = 4 * i + 1)
        {
            size_t least = first;
            for (size_t c = first + 1; c < n && c < first + 4; ++c)
            {
                least = m_heap[c].Before(m_heap[least]) ? c : least;
            }
            if (!m_heap[least].Before(last))
            {
                break;
            }
            m_heap[i] = m_heap[least];
            i = least;
        }
        if (n)
        {
            m_heap[i] = last;
        }
        return top;
    }

  private:
    std::vector<Event> m_heap;
};

struct Port
{
    Fifo queue, wire;
    std::deque<uint64_t> arrivals;
    bool busy = false;
};

struct Flow
{
    uint32_t data[4], acks[4];
    uint32_t sent = 0, acked = 0;
};

int
main(int argc, char** argv)
{
    const uint32_t packets = argc > 1 ? atoi(argv[1]) : 20000;
    const uint32_t window = 110; // about one bandwidth-delay product
    const uint64_t delay = 1000; // ns

    enum
    {
        UP = 0,
        DOWN = 64,
        LEAF_UP = 128,
        LEAF_DOWN = 192,
        PORTS = 256
    };

    std::vector<Port> ports(PORTS);
    std::vector<Flow> flows(64);
    for (uint32_t h = 0; h < 64; ++h)
    {
        const uint32_t d = (h + 8) % 64, spine = h % 8;
        flows[h] = {{UP + h, LEAF_UP + h / 8 * 8 + spine, LEAF_DOWN + d / 8 * 8 + spine, DOWN + d},
                    {UP + d, LEAF_UP + d / 8 * 8 + spine, LEAF_DOWN + h / 8 * 8 + spine, DOWN + h}};
    }
    EventHeap events;
    uint64_t now = 0, hops = 0, count = 0;
    uint32_t uid = 0;
    Fifo pool;
    auto transmit = [&](uint32_t p) {
        if (!ports[p].busy && ports[p].queue.head)
        {
            ports[p].busy = true;
            events.Push({now + ports[p].queue.head->bytes * 8 / 100, uid++, p, false});
        }
    };
    auto send = [&](uint32_t id) {
        Flow& f = flows[id];
        while (f.sent < packets && f.sent - f.acked < window)
        {
            Frame* x = pool.head ? pool.Pop() : new Frame;
            *x = {id, f.sent++, 1090, 0, false, nullptr};
            ports[f.data[0]].queue.Push(x);
        }
        transmit(f.data[0]);
    };
    const auto start = std::chrono::steady_clock::now();
    for (uint32_t id = 0; id < flows.size(); ++id)
    {
        send(id);
    }
    for (; !events.Empty(); ++count)
    {
        const Event e = events.Pop();
        now = e.time;
        Port& port = ports[e.port];
        if (!e.arrival) // the last bit has left
        {
            Frame* f = port.queue.Pop();
            port.busy = false;
            if (!port.wire.head)
            {
                events.Push({now + delay, uid++, e.port, true});
            }
            port.wire.Push(f);
            port.arrivals.push_back(now + delay);
            transmit(e.port);
            continue;
        }
        Frame* f = port.wire.Pop();
        port.arrivals.pop_front();
        if (port.wire.head)
        {
            events.Push({port.arrivals.front(), uid++, e.port, true});
        }
        Flow& flow = flows[f->flow];
        hops += !f->ack;
        if (++f->hop < 4)
        {
            const uint32_t next = f->ack ? flow.acks[f->hop] : flow.data[f->hop];
            ports[next].queue.Push(f);
            transmit(next);
        }
        else if (!f->ack)
        {
            f->ack = true;
            f->hop = 0;
            f->bytes = 90;
            ports[flow.acks[0]].queue.Push(f);
            transmit(flow.acks[0]);
        }
        else
        {
            flow.acked = f->seq + 1;
            const uint32_t id = f->flow;
            pool.Push(f);
            send(id);
        }
    }
    const double s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("{\"events\": %lu, \"packet_hops\": %lu, \"seconds\": %.3f, \"ns_per_packet_hop\": "
           "%.1f, \"last_ns\": %lu}\n",
           count,
           hops,
           s,
           s * 1e9 / hops,
           now);
}
