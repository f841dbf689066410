/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rdma-control-state.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

/*
 * A state that is saved and loaded elsewhere must lead to the same course, shifted. Two flows that
 * may not send get the same random acknowledgements, notices and time-outs, one of them later and
 * further on in its sequence numbers; it has the other's state from some moment on. From then on
 * rates, windows and saved states must be the same at every step, and every timer's effect must
 * come as much later.
 */

namespace
{

using Bytes = std::vector<uint8_t>;
using Random = std::mt19937;

/** Something that a control is told. */
struct Step
{
    int64_t ns;
    uint64_t una;
    uint64_t nxt;
    bool timeout;
    RdmaAck ack;
    RdmaIntHeader header;
};

/** Telemetry of one to five switches that goes on from that of before. */
RdmaIntHeader
NextHeader(Random& random, const RdmaIntHeader& before, int64_t ns)
{
    RdmaIntHeader header = before;
    if (header.hopCount == 0 || random() % 100 == 0)
    {
        header.hopCount = 1 + random() % RdmaIntHeader::MAX_HOPS;
    }
    header.code = static_cast<uint16_t>(random() % 256);
    for (uint32_t i = 0; i < header.hopCount; ++i)
    {
        RdmaIntHeader::Hop& hop = header.hops[i];
        hop.time = static_cast<uint64_t>(ns) - random() % 3;
        hop.tx = hop.tx + random() % 120;
        hop.qlen = random() % 2 ? random() % 400 : 0;
        header.rateIndex[i] = 0; // the only rate of this network
    }
    return header;
}

/** \return \p count steps from \p ns on: mostly close together, some beyond what the time field of
 * telemetry holds (2^24 ns) */
std::vector<Step>
RandomSteps(Random& random, size_t count, int64_t ns)
{
    std::vector<Step> steps;
    Step step{};
    step.ack.rttNs = 5000;
    for (size_t i = 0; i < count; ++i)
    {
        const uint32_t gap = random() % 400;
        ns += 1 + random() % (gap == 0 ? 20000000 : gap < 20 ? 60000 : 1500);
        step.ns = ns;
        step.timeout = random() % 40 == 0;
        step.ack.nack = random() % 30 == 0;
        step.ack.echo = random() % 100 < 20;
        step.ack.nowNs = ns;
        step.ack.rttNs =
            std::max<int64_t>(4000, step.ack.rttNs + static_cast<int64_t>(random() % 4001) - 2000);
        const uint64_t most = step.nxt; // what has been sent can be acknowledged
        step.una = std::min(most, step.una + random() % 4 * 1000);
        step.nxt = step.timeout || step.ack.nack
                       ? step.una
                       : std::max(step.nxt, step.una + random() % 16 * 1000);
        step.ack.seq = step.una;
        step.header = NextHeader(random, step.header, ns);
        steps.push_back(step);
    }
    return steps;
}

/** How a flow stood after something had happened to it. */
struct Record
{
    int64_t ns;
    uint64_t rate;
    uint64_t window;
    Bytes state; ///< empty if it was a change of the rate or window by itself

    bool operator==(const Record& other) const
    {
        return ns == other.ns && rate == other.rate && window == other.window &&
               state == other.state;
    }
};

/** What the second flow was before it got the first one's state. */
enum class Before
{
    FRESH, ///< just started
    USED,  ///< on a course of its own
    SAME   ///< on the very same course, up to when the state was saved
};

/** A flow that may not send, and what happened to it. */
struct Subject
{
    RdmaQueuePair* qp{nullptr};
    std::vector<Record> records;

    RdmaCongestionControl& Control() const
    {
        return *qp->GetCongestionControl();
    }

    Bytes Save() const
    {
        Bytes state;
        Control().SaveState(*qp, state);
        return state;
    }

    void Note(int64_t ns, bool withState)
    {
        records.push_back(
            {ns, qp->GetRate(), qp->GetEffectiveWindow(), withState ? Save() : Bytes()});
    }

    /** Lets \p step happen \p laterNs later and \p further bytes further on. */
    void Do(const Step& step, int64_t laterNs, uint64_t further)
    {
        RdmaQueuePairProbe::Set(*qp, step.nxt + further, step.una + further);
        if (step.timeout)
        {
            Control().OnTimeout(*qp);
            return;
        }
        RdmaAck ack = step.ack;
        RdmaIntHeader header = step.header;
        for (uint32_t i = 0; i < header.hopCount; ++i)
        {
            header.hops[i].time = header.hops[i].time + static_cast<uint64_t>(laterNs);
        }
        ack.seq += further;
        ack.nowNs += laterNs;
        ack.telemetry = &header;
        if (ack.echo)
        {
            Control().OnCongestionNotification(*qp);
        }
        Control().OnAck(*qp, ack);
    }
};

/** One random course, saved at a random moment. */
class Course
{
  public:
    using Attributes = std::function<void(Random&, RdmaHelper&)>;

    Course(const std::string& control, uint32_t seed, const Attributes& attributes)
        : m_random(seed),
          m_before(static_cast<Before>(seed % 3)),
          m_net(RdmaTestStar(3), [&](RdmaHelper& helper) {
              helper.SetCongestionControl(control);
              helper.SetHostAttribute("RetransmissionTimeout", TimeValue(Time(0)));
              attributes(m_random, helper);
          })
    {
        StartFlows();
        m_steps = RandomSteps(m_random, STEPS, START + 1);
        m_cut = m_random() % (STEPS / 2);
        m_saved = (m_cut ? m_steps[m_cut - 1].ns : START) + 1;
        m_saved += m_random() % (m_steps[m_cut].ns - m_saved + 1);
        m_later = 1 + m_random() % 30000000;
        // far from the first byte, or back to the first byte
        const uint64_t una = m_cut ? m_steps[m_cut - 1].una : 0;
        m_further = m_random() % 3 ? m_random() % 900000000 : -una;
    }

    /** \return what is wrong; empty if nothing is */
    std::string Run()
    {
        if (m_before != Before::FRESH)
        {
            ScheduleBefore();
        }
        m_net.At(m_saved, [this] { SaveFirst(); });
        for (size_t i = 0; i < STEPS; ++i)
        {
            ScheduleStep(m_first, m_steps[i], 0, 0);
        }
        m_net.At(m_saved + m_later, [this] { LoadSecond(); });
        for (size_t i = m_cut; i < STEPS; ++i)
        {
            ScheduleStep(m_second, m_steps[i], m_later, m_further);
        }
        m_net.Run(m_steps.back().ns + m_later + TAIL);
        return m_wrong.empty() ? Compare() : m_wrong;
    }

    /** \return changes of the rate or the window after the state was saved */
    size_t GetChanges() const
    {
        size_t changes = 0;
        for (size_t i = 1; i < m_first.records.size(); ++i)
        {
            changes += m_first.records[i].rate != m_first.records[i - 1].rate ||
                       m_first.records[i].window != m_first.records[i - 1].window;
        }
        return changes;
    }

  private:
    static constexpr size_t STEPS = 160;
    static constexpr int64_t START = 10000; ///< when the pauses have arrived, ns
    static constexpr int64_t TAIL = 300000; ///< in which only timers act, ns

    void StartFlows()
    {
        for (uint32_t host : {0, 1})
        {
            RdmaTestSendPfc(m_net.Port(3, host), 3, true);
        }
        m_net.Run(START);
        for (Subject* subject : {&m_first, &m_second})
        {
            subject->qp = &m_net.Flow(subject == &m_second, 2, 2000000000, 50000);
            auto note = [this, subject](const RdmaQueuePair&, uint64_t) {
                subject->Note(m_net.Now(), false);
            };
            m_net.network->GetHost(subject == &m_second)
                ->TraceConnectWithoutContext(
                    "Rate",
                    Callback<void, const RdmaQueuePair&, uint64_t>(
                        std::function<void(const RdmaQueuePair&, uint64_t)>(note)));
        }
    }

    void ScheduleStep(Subject& subject, const Step& step, int64_t later, uint64_t further)
    {
        m_net.At(step.ns + later, [this, &subject, &step, later, further] {
            m_net.network->Sync();
            subject.Do(step, later, further);
            subject.Note(m_net.Now(), true);
        });
    }

    void ScheduleBefore()
    {
        m_beforeSteps =
            m_before == Before::SAME ? m_steps : RandomSteps(m_random, m_cut, START + 1);
        for (size_t i = 0; i < m_cut; ++i)
        {
            if (m_beforeSteps[i].ns < m_saved + m_later)
            {
                ScheduleStep(m_second, m_beforeSteps[i], 0, 0);
            }
        }
    }

    void SaveFirst()
    {
        m_net.network->Sync();
        m_state = m_first.Save();
        m_rate = m_first.qp->GetRate();
        m_window = m_first.qp->GetWindow();
        m_nxt = m_first.qp->GetSndNxt();
        m_first.records.clear();
        if (m_before == Before::SAME && m_second.Save() != m_state)
        {
            m_wrong = "the same course led to another state";
        }
    }

    void LoadSecond()
    {
        m_net.network->Sync();
        RdmaQueuePair& qp = *m_second.qp;
        const uint64_t una = m_cut ? m_steps[m_cut - 1].una : 0;
        RdmaQueuePairProbe::Set(qp, m_nxt + m_further, una + m_further);
        qp.SetWindow(m_window);
        qp.SetRate(m_rate);
        const Bytes before = m_second.Save();
        Bytes unfit = m_state;
        unfit.push_back(0);
        const bool longer = m_second.Control().LoadState(qp, unfit);
        unfit.resize(m_state.size() - 1);
        const bool shorter = m_second.Control().LoadState(qp, unfit);
        if (longer || shorter || m_second.Control().LoadState(qp, {}) || m_second.Save() != before)
        {
            m_wrong = "a state that does not fit was loaded";
        }
        if (!m_second.Control().LoadState(qp, m_state))
        {
            m_wrong = "the state was not loaded";
        }
        if (m_second.Save() != m_state)
        {
            m_wrong = "the state loaded is another one";
        }
        m_second.records.clear();
    }

    std::string Compare() const
    {
        // the first one's tail is longer by how much later the second one is
        const int64_t end = m_steps.back().ns + TAIL;
        size_t compared = 0;
        for (const Record& record : m_first.records)
        {
            if (record.ns >= end)
            {
                break;
            }
            Record expected = record;
            expected.ns += m_later;
            if (compared >= m_second.records.size() || !(m_second.records[compared] == expected))
            {
                return "record " + std::to_string(compared) + " differs";
            }
            ++compared;
        }
        const bool more =
            compared < m_second.records.size() && m_second.records[compared].ns < end + m_later;
        return more ? "more happened to the second flow" : "";
    }

    Random m_random;
    Before m_before;
    RdmaTestNetwork m_net;
    Subject m_first;
    Subject m_second;
    std::vector<Step> m_steps;
    std::vector<Step> m_beforeSteps;
    size_t m_cut;       //!< the first step after saving
    int64_t m_saved;    //!< ns
    int64_t m_later;    //!< ns
    uint64_t m_further; //!< bytes; modulo 2^64
    Bytes m_state;
    uint64_t m_rate{0};
    uint64_t m_window{0};
    uint64_t m_nxt{0};
    std::string m_wrong;
};

/** Random courses under one control. */
class RdmaStateMoved : public RdmaTestCase
{
  public:
    RdmaStateMoved(const std::string& control, Course::Attributes attributes)
        : RdmaTestCase(control + " goes on the same, later, further on and as another flow"),
          m_control(control),
          m_attributes(std::move(attributes))
    {
    }

  private:
    void DoRun() override
    {
        size_t changes = 0;
        for (uint32_t seed = 0; seed < COURSES; ++seed)
        {
            Course course("ns3::" + m_control, seed, m_attributes);
            const std::string wrong = course.Run();
            changes += course.GetChanges();
            Simulator::Destroy();
            RDMA_TEST_REQUIRE(EQ, wrong, "", m_control << ", seed " << seed);
        }
        NS_TEST_EXPECT_MSG_GT(changes, COURSES * 5, "the rate moved");
    }

    static constexpr uint32_t COURSES = harness::Repetitions(300);
    std::string m_control;
    Course::Attributes m_attributes;
};

void
HpccAttributes(Random& random, RdmaHelper& helper)
{
    for (const char* name : {"MultiRate", "FastReact", "SampleFeedback"})
    {
        helper.SetCongestionControlAttribute(name, BooleanValue(random() % 2));
    }
    helper.SetCongestionControlAttribute("MaxStage", UintegerValue(random() % 4));
}

void
DcqcnAttributes(Random& random, RdmaHelper& helper)
{
    helper.SetCongestionControlAttribute("ClampTarget", BooleanValue(random() % 2));
    helper.SetCongestionControlAttribute("RateOnFirstNotification",
                                         DoubleValue(random() % 2 ? 1 : 0.5));
    // shorter than DecreaseInterval, equal (timers coincide), and longer
    const uint64_t increase[] = {2500, 4000, 8000, 55000};
    helper.SetCongestionControlAttribute("IncreaseInterval",
                                         TimeValue(NanoSeconds(increase[random() % 4])));
}

void
TimelyAttributes(Random& random, RdmaHelper& helper)
{
    // within what the round-trip times are
    helper.SetCongestionControlAttribute("TLow", TimeValue(NanoSeconds(6000)));
    helper.SetCongestionControlAttribute("THigh", TimeValue(NanoSeconds(12000)));
    helper.SetCongestionControlAttribute("Beta", DoubleValue(random() % 2 ? 0.8 : 0.1));
    helper.SetCongestionControlAttribute("HyperStage", UintegerValue(random() % 4));
}

void
NoAttributes(Random&, RdmaHelper&)
{
}

RDMA_TEST(RdmaStateBytes, "numbers are the same bytes on every machine, and relative to the flow")
{
    RdmaTestNetwork net(RdmaTestPair());
    RdmaQueuePair& qp = net.Flow(0, 1, 1000000);
    RdmaQueuePairProbe::Set(qp, 5000, 4000);
    const int64_t now = 0; // nothing runs
    Bytes bytes{9, 9};
    RdmaStateWriter writer(qp, bytes);
    writer.Value(true);
    writer.Value(uint32_t{0x01020304});
    writer.Value(-2.0); // 0xC000000000000000
    writer.Sequence(4000);
    writer.Time(now + 258);
    writer.TimerTime(now * 1000 - 1);
    const Bytes expected{1,
                         4,
                         3,
                         2,
                         1,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0xC0,
                         // -1000 = -0x3E8
                         0x18,
                         0xFC,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         // 258 = 0x102
                         2,
                         1,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         // -1
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF,
                         0xFF};
    NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "least significant byte first");

    RdmaQueuePairProbe::Set(qp, 400, 0);
    RdmaStateReader reader(qp, bytes);
    bool flag;
    uint32_t word;
    double real;
    int64_t seq;
    int64_t ns;
    int64_t ps;
    reader.Value(flag);
    reader.Value(word);
    reader.Value(real);
    reader.Sequence(seq);
    reader.Time(ns);
    NS_TEST_EXPECT_MSG_EQ(reader.IsComplete(), false, "eight bytes are left");
    reader.TimerTime(ps);
    NS_TEST_EXPECT_MSG_EQ(reader.IsComplete(), true, "all read");
    NS_TEST_EXPECT_MSG_EQ(flag, true, "bool");
    NS_TEST_EXPECT_MSG_EQ(word, 0x01020304, "32 bits");
    NS_TEST_EXPECT_MSG_EQ(real, -2, "double");
    NS_TEST_EXPECT_MSG_EQ(seq, 400 - 1000, "1000 before snd_nxt, so before the first byte");
    NS_TEST_EXPECT_MSG_EQ(ns, 258, "time");
    NS_TEST_EXPECT_MSG_EQ(ps, -1, "time");
    reader.Value(flag);
    NS_TEST_EXPECT_MSG_EQ(reader.IsComplete(), false, "one byte too few");
}

RDMA_TEST(RdmaStateSize, "states hold no more than what is in use")
{
    const auto size = [](const std::string& control, int hops) {
        RdmaTestNetwork net(RdmaTestPair(), [&control](RdmaHelper& helper) {
            helper.SetCongestionControl(control);
        });
        Subject subject;
        subject.qp = &net.Flow(0, 1, 1000000);
        if (hops)
        {
            Step step{};
            step.nxt = 3000;
            step.una = step.ack.seq = 1000;
            step.header.hopCount = static_cast<uint8_t>(hops);
            subject.Do(step, 0, 0);
        }
        const size_t bytes = subject.Save().size();
        Simulator::Destroy();
        return bytes;
    };
    // a round is 9 B, a reference 20 B, the number of hops 1 B, and each hop 8 B
    NS_TEST_EXPECT_MSG_EQ(size("ns3::RdmaHpcc", 0), 30, "before any telemetry");
    NS_TEST_EXPECT_MSG_EQ(size("ns3::RdmaHpcc", 1), 38, "one switch");
    NS_TEST_EXPECT_MSG_EQ(size("ns3::RdmaHpcc", 5), 70, "five switches");
    NS_TEST_EXPECT_MSG_EQ(size("ns3::RdmaDcqcn", 0), 9, "never notified: the target");
}

class RdmaControlStateSuite : public TestSuite
{
  public:
    RdmaControlStateSuite()
        : TestSuite("rdma-control-state", RDMA_TEST_UNIT)
    {
        AddTestCase(new RdmaStateBytes, RDMA_TEST_QUICK);
        AddTestCase(new RdmaStateSize, RDMA_TEST_QUICK);
        Add("RdmaHpcc", HpccAttributes);
        Add("RdmaDcqcn", DcqcnAttributes);
        Add("RdmaTimely", TimelyAttributes);
        Add("RdmaDctcp", NoAttributes);
        Add("RdmaSwift", NoAttributes);
        Add("RdmaPowerTcp", NoAttributes);
        Add("RdmaHpccPint", NoAttributes);
        Add("RdmaNscc", NoAttributes);
    }

  private:
    void Add(const std::string& control, const Course::Attributes& attributes)
    {
        AddTestCase(new RdmaStateMoved(control, attributes), RDMA_TEST_QUICK);
    }
};

RdmaControlStateSuite g_rdmaControlStateSuite;

} // namespace
