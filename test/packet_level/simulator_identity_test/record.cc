/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record.h"

#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"

using namespace ns3;

NS_OBJECT_ENSURE_REGISTERED(Record);
NS_OBJECT_ENSURE_REGISTERED(RecordingScheduler);

TypeId
Record::GetTypeId()
{
    static TypeId tid = TypeId("Record").SetParent<Object>();
    return tid;
}

void
Record::Packets(const std::string& path, std::initializer_list<const char*> sources)
{
    for (const std::string source : sources)
    {
        ConnectTrace<Ptr<const Packet>>(
            path + source,
            [this](const std::string& context, const Ptr<const Packet>& packet) {
                Note(context, packet->GetUid(), packet->GetSize());
            });
    }
}

TypeId
RecordingScheduler::GetTypeId()
{
    static TypeId tid = TypeId("RecordingScheduler")
                            .SetParent<Scheduler>()
                            .AddConstructor<RecordingScheduler>()
                            .AddAttribute("Scheduler",
                                          "What to record.",
                                          TypeIdValue(TypeId()),
                                          MakeTypeIdAccessor(&RecordingScheduler::SetScheduler),
                                          MakeTypeIdChecker())
                            .AddAttribute("Record",
                                          "Where to write.",
                                          PointerValue(),
                                          MakePointerAccessor(&RecordingScheduler::m_record),
                                          MakePointerChecker<Record>());
    return tid;
}

void
RecordingScheduler::Use(const Ptr<Record>& record, const std::string& scheduler)
{
    ObjectFactory factory("RecordingScheduler");
    factory.Set("Scheduler", TypeIdValue(TypeId::LookupByName(scheduler)));
    factory.Set("Record", PointerValue(record));
    Simulator::SetScheduler(factory);
}

void
RecordingScheduler::SetScheduler(const TypeId& tid)
{
    if (tid.GetUid()) // the initial value names none
    {
        ObjectFactory factory;
        factory.SetTypeId(tid);
        m_scheduler = factory.Create<Scheduler>();
    }
}

void
RecordingScheduler::Write(const char* what, const Event& event)
{
    m_record->Add(what, event.key.m_ts, event.key.m_uid, event.key.m_context);
}

void
RecordingScheduler::Insert(const Event& event)
{
    m_scheduler->Insert(event);
}

bool
RecordingScheduler::IsEmpty() const
{
    return m_scheduler->IsEmpty();
}

Scheduler::Event
RecordingScheduler::PeekNext() const
{
    return m_scheduler->PeekNext();
}

Scheduler::Event
RecordingScheduler::RemoveNext()
{
    const Event event = m_scheduler->RemoveNext();
    Write("next", event);
    return event;
}

void
RecordingScheduler::Remove(const Event& event)
{
    Write("remove", event);
    m_scheduler->Remove(event);
}
