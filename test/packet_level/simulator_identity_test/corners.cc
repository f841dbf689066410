/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios.h"

#include "ns3/event-id.h"

#include <memory>
#include <thread>
#include <vector>

using namespace ns3;

namespace
{

Time
Steps(uint64_t steps)
{
    return TimeStep(steps);
}

/** A user's program; each stage is about one corner. */
class Corners
{
  public:
    explicit Corners(const Ptr<Record>& record)
        : m_record(record)
    {
    }

    void Run()
    {
        Identifiers();
        Cancelled();
        Chain();
        OwnIdentifier();
        Stopped();
        Nested();
        OtherSchedulers();
        OtherThread();
        LatestTime();
        Destroyed();
    }

  private:
    void Happen(const std::string& what)
    {
        m_record->Note(what, "in", Simulator::GetContext());
    }

    /** Runs, and records what Run leaves behind. */
    void Go(const std::string& stage)
    {
        Simulator::Run();
        m_record->Note(stage,
                       "over",
                       Simulator::IsFinished(),
                       Simulator::GetEventCount(),
                       Simulator::GetContext());
    }

    void Show(const std::string& what, const EventId& id)
    {
        m_record->Note(what,
                       id.GetTs(),
                       id.GetUid(),
                       id.GetContext(),
                       Simulator::IsExpired(id),
                       Simulator::GetDelayLeft(id).GetTimeStep());
    }

    EventId After(uint64_t steps, const std::string& what)
    {
        return Simulator::Schedule(Steps(steps), &Corners::Happen, this, what);
    }

    void Identifiers()
    {
        Show("nothing", EventId());
        Show("plain", After(3, "plain"));
        Show("now", Simulator::ScheduleNow(&Corners::Happen, this, "now"));
        Show("destroy", Simulator::ScheduleDestroy(&Corners::Happen, this, "destroy"));
        Simulator::ScheduleWithContext(77, Steps(2), &Corners::Happen, this, "context");
        Show("after all these", After(1, "after all these"));
        Go("identifiers");
    }

    void Cancelled()
    {
        const EventId cancelled = After(5, "never: cancelled");
        const EventId removed = After(5, "never: removed");
        const EventId stays = After(5, "stays");
        for (int twice = 0; twice < 2; ++twice)
        {
            Simulator::Cancel(cancelled);
            Simulator::Remove(removed);
            Show("cancelled", cancelled);
            Show("removed", removed);
            Simulator::Cancel(EventId());
            Simulator::Remove(EventId());
        }
        Go("cancelled"); // a cancelled event counts as one, a removed one does not
        for (const EventId& id : {cancelled, removed, stays})
        {
            Simulator::Cancel(id);
            Simulator::Remove(id);
            Show("past", id);
        }
    }

    /** At one instant: earlier requests first, whatever asks for them. */
    void Chain()
    {
        Simulator::Schedule(Steps(4), [this] {
            Happen("first");
            Simulator::ScheduleNow(&Corners::Happen, this, "now, from the first");
            Simulator::ScheduleWithContext(5, Time(0), [this] {
                Happen("context, from the first");
                After(0, "zero delay, from there");
            });
        });
        After(4, "second");
        Simulator::ScheduleWithContext(9, Steps(4), &Corners::Happen, this, "third");
        Go("chain");
        After(0, "inherits the context of the last event");
        Go("after the chain");
        Go("nothing to do");
    }

    /** What an event sees of itself and of others at its instant. */
    void OwnIdentifier()
    {
        m_ids.clear();
        for (int i = 0; i < 3; ++i)
        {
            m_ids.push_back(Simulator::Schedule(Steps(6), [this, i] {
                Happen("one of three");
                for (const EventId& id : m_ids)
                {
                    Show("seen from one of three", id);
                }
                Simulator::Cancel(m_ids[i]);
                Simulator::Remove(m_ids[i]);
                if (i == 1)
                {
                    Simulator::Remove(m_ids[2]);
                }
            }));
        }
        Go("own identifier");
    }

    void Stopped()
    {
        Simulator::Stop(); // forgotten by Run
        Simulator::Stop(Steps(10));
        Simulator::Stop(Steps(10));
        Simulator::Stop(Steps(20));
        After(10, "at the time of the stops, after them");
        After(15, "between the stops");
        Simulator::Schedule(Steps(15), [this] {
            Simulator::Stop();
            Simulator::Stop();
            Simulator::ScheduleNow(&Corners::Happen, this, "now, after the stop");
        });
        for (int run = 0; run < 6; ++run)
        {
            Go("stopped");
            After(0, "between runs");
        }
    }

    void Nested()
    {
        const EventId later = After(9, "later");
        Simulator::Schedule(Steps(3), [this, later] {
            After(2, "inner");
            Simulator::Stop(Steps(4));
            Go("nested");
            Show("later", later);
        });
        Go("outer");
        Go("rest");
    }

    void OtherSchedulers()
    {
        for (const std::string name : {"Heap", "List", "Calendar", "PriorityQueue", "Map"})
        {
            const std::string scheduler = "ns3::" + name + "Scheduler";
            for (uint64_t delay : {7, 3, 3, 5})
            {
                After(delay, "pending when the scheduler is replaced");
            }
            RecordingScheduler::Use(m_record, scheduler);
            Simulator::Schedule(Steps(3), [this, scheduler] {
                RecordingScheduler::Use(m_record, scheduler);
                Happen("replaced again");
            });
            Go(scheduler);
        }
    }

    /** Requests of a thread that is over before its event is, so that the order is known. */
    void OtherThread()
    {
        Simulator::Schedule(Steps(2), [this] {
            std::thread([this] {
                for (uint64_t i = 0; i < 5; ++i)
                {
                    Simulator::ScheduleWithContext(40 + i,
                                                   Steps(i % 2),
                                                   &Corners::Happen,
                                                   this,
                                                   "foreign");
                }
            }).join();
            After(0, "own, after the foreign ones");
            Simulator::Stop();
        });
        Go("other thread");
        After(0, "between runs");
        After(1, "between runs");
        Go("the foreign ones");
        std::thread([this] {
            Simulator::ScheduleWithContext(50, Steps(1), &Corners::Happen, this, "between runs");
        }).join();
        After(1, "own, before the foreign one is known");
        Go("foreign between runs");
    }

    void LatestTime()
    {
        const Time left = Simulator::GetMaximumSimulationTime() - Simulator::Now();
        Simulator::Stop(left);
        const EventId last = Simulator::Schedule(left, &Corners::Happen, this, "at the end");
        After(1, "before the end");
        Show("at the end", last);
        Go("end");
        Show("at the end", last);
        Go("after the end");
    }

    /** \return what an event that never happens holds: the record tells when it goes */
    std::shared_ptr<void> Guest(const std::string& name)
    {
        return std::shared_ptr<void>(nullptr, [record = m_record, name](void*) {
            record->Add(name, "is gone");
        });
    }

    void Destroyed()
    {
        const auto destroy = [this](const std::string& what) {
            return Simulator::ScheduleDestroy(&Corners::Happen, this, what);
        };
        const EventId cancelled = destroy("never: cancelled");
        const EventId removed = destroy("never: removed");
        const EventId stays = destroy("stays");
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        for (const EventId& id : {cancelled, removed, stays})
        {
            m_record->Note("destroy", id.GetTs(), id.GetUid(), Simulator::IsExpired(id));
        }
        Simulator::ScheduleDestroy([this, stays] {
            Happen("destroying");
            m_record->Note("expired", Simulator::IsExpired(stays));
            Simulator::ScheduleDestroy(&Corners::Happen, this, "from within");
        });
        Simulator::ScheduleNow([guest = Guest("first guest")] {});
        Simulator::Schedule(Steps(0), [guest = Guest("second guest")] {});
        std::thread([guest = Guest("guest from afar")] {
            Simulator::ScheduleWithContext(1, Time(0), [guest] {});
        }).join();
    }

    Ptr<Record> m_record;
    std::vector<EventId> m_ids;
};

} // namespace

void
RunCorners(const Ptr<Record>& record)
{
    Corners corners(record);
    corners.Run();
    Simulator::Destroy(); // calls back
    record->Add("destroyed");
}
