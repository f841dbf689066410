/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-port.h"

#include <algorithm>

// What processes send to each other, and what comes to them from outside of windows.

namespace ns3
{

/** Takes what ports have sent to other threads in the window out of them. */
void
RdmaProcesses::SendMail(Lane& lane)
{
    for (std::vector<Letter>& letters : lane.mail)
    {
        for (Letter& letter : letters)
        {
            RdmaEvent& event = *letter.first.event;
            event.m_seq = 0;
            --event.m_entries;
            letter.port->Depart(letter.frames);
        }
    }
}

/** Brings what others have sent to processes of \p lane there. */
void
RdmaProcesses::TakeMail(Lane& lane)
{
    for (std::vector<Letter>& letters : lane.came)
    {
        for (Letter& letter : letters)
        {
            const RdmaDue due{letter.first.time, lane.queue->Known(letter.first.place)};
            if (RdmaEvent* const landed = letter.port->Land(due, letter.frames))
            {
                Schedule(*landed, due);
            }
        }
        letters.clear();
    }
}

/** Brings \p entry, which was scheduled outside of windows, to its process. */
void
RdmaProcesses::Land(const RdmaEventQueue& queue, const Entry& entry)
{
    RdmaEvent* event = entry.event;
    --event->m_entries;
    if (!entry.IsValid())
    {
        return;
    }
    event->m_seq = 0;
    const RdmaDue due{entry.time, queue.Known(entry.place)};
    RdmaPort* const port = event->GetCutPort();
    if (const uint32_t to = m_processes[event->m_process - 1].lane; !IsOwn(to))
    {
        ++event->m_entries; // until SendMail
        event->m_seq = entry.place;
        m_lanes[m_own].mail[to].push_back({{due.place, due.time, event}, port, {}});
        m_lanes[m_own].mailTime =
            std::min(m_lanes[m_own].mailTime, static_cast<uint64_t>(due.time));
        return;
    }
    if (port)
    {
        RdmaFrameFifo frames;
        port->Depart(frames);
        event = port->Land(due, frames);
    }
    if (event)
    {
        Schedule(*event, due);
    }
}

void
RdmaProcesses::LandOutside()
{
    m_gathered = m_gathered && m_outside.empty();
    for (const Entry& entry : m_outside)
    {
        Land(m_queue, entry);
    }
    m_outside.clear();
}

void
RdmaProcesses::Schedule(RdmaEvent& event, const RdmaDue& due)
{
    event.m_queue = &m_queue;
    event.m_time = due.time;
    event.m_seq = due.place;
    ++event.m_entries;
    Post(event.m_process, {due.place, due.time, &event});
}

void
RdmaProcesses::Post(uint32_t process, const Entry& entry)
{
    m_processes[process - 1].inbox.push_back(entry);
    List(process, static_cast<uint64_t>(entry.time));
}

/** Brings \p entry, which the thread \p from has scheduled, to its process: when the next window
 * begins if it is another thread's in a window, else now. */
void
RdmaProcesses::Send(uint32_t from, const Entry& entry)
{
    Lane& lane = m_lanes[from];
    if (!lane.queue->m_running)
    {
        if (m_lanes.size() == 1)
        {
            Post(entry.event->m_process, entry);
            return;
        }
        if (entry.event->GetCutPort())
        {
            m_outside.push_back(entry); // the frame is not in the port yet
            return;
        }
        Land(m_queue, entry);
        return;
    }
    const uint32_t process = entry.event->m_process;
    NS_ABORT_MSG_IF(process == 0,
                    "RdmaSimulatorImpl::Windows: what is told of flows scheduled an event of the "
                    "network as a whole; switch Windows off");
    const uint32_t to = m_processes[process - 1].lane;
    if (to == from)
    {
        Post(process, entry);
        return;
    }
    lane.mail[to].push_back({entry, entry.event->GetCutPort(), {}});
    lane.mailTime = std::min(lane.mailTime, static_cast<uint64_t>(entry.time));
}

} // namespace ns3
