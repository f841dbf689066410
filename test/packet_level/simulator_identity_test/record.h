/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMULATOR_IDENTITY_RECORD_H
#define SIMULATOR_IDENTITY_RECORD_H

#include "ns3/callback.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/scheduler.h"
#include "ns3/simulator.h"

#include <functional>
#include <initializer_list>
#include <sstream>
#include <string>

/** All that can be seen of a simulation, a line each. */
class Record : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    /** Adds a line: the current time step and what is given. */
    template <typename... Parts>
    void Note(const Parts&... parts)
    {
        m_text << ns3::Simulator::Now().GetTimeStep();
        Add(parts...);
    }

    /** Adds a line without the time, for what happens while there is no simulator. */
    template <typename... Parts>
    void Add(const Parts&... parts)
    {
        ((m_text << ' ' << parts), ...);
        m_text << '\n';
    }

    /**
     * Adds a line whenever one of the trace sources fires: where, uid and size of the packet.
     * \param path with a "/" at its end
     * \param sources that take a Ptr<const Packet>; others are errors
     */
    void Packets(const std::string& path, std::initializer_list<const char*> sources);

    std::string GetText() const
    {
        return m_text.str();
    }

  private:
    std::ostringstream m_text;
};

/** Calls \p sink with the source's path and arguments whenever a trace source at \p path fires. */
template <typename... Args, typename Sink>
void
ConnectTrace(const std::string& path, Sink sink)
{
    using Function = std::function<void(std::string, Args...)>;
    ns3::Config::Connect(path, ns3::Callback<void, std::string, Args...>(Function(sink)));
}

/**
 * One of ns-3's schedulers (attribute Scheduler) that writes down (attribute Record) which event
 * leaves it: the order of all events, with their times, identifiers and contexts.
 */
class RecordingScheduler : public ns3::Scheduler
{
  public:
    static ns3::TypeId GetTypeId();

    /** Lets the simulation use \p scheduler ("ns3::MapScheduler") from now on, recorded. */
    static void Use(const ns3::Ptr<Record>& record, const std::string& scheduler);

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  private:
    void SetScheduler(const ns3::TypeId& tid);
    void Write(const char* what, const Event& event);

    ns3::Ptr<Record> m_record;
    ns3::Ptr<ns3::Scheduler> m_scheduler;
};

#endif // SIMULATOR_IDENTITY_RECORD_H
