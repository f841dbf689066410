/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What ranks say to the simulation, kind by kind.
 */

#include "live-collective.h"
#include "live-server.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace wormhole
{

using ns3::InputError;

/** \return whether it was the last message of the rank's turn */
bool
LiveServer::Handle(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    own.state = LiveRank::State::WAITS;
    switch (own.message.kind)
    {
    case WORMHOLE_LIVE_COMMUNICATOR:
        own.AddCommunicator(own.message.record, rank, m_communicators);
        break;
    case WORMHOLE_LIVE_SEND:
        HandleSend(rank);
        break;
    case WORMHOLE_LIVE_RECEIVE:
    case WORMHOLE_LIVE_MATCHED_RECEIVE:
        HandleReceive(rank);
        break;
    case WORMHOLE_LIVE_COLLECTIVE:
    case WORMHOLE_LIVE_NEIGHBORS:
        HandleCollective(rank);
        break;
    case WORMHOLE_LIVE_CANCEL:
        HandleCancel(rank);
        break;
    case WORMHOLE_LIVE_WAIT:
        HandleWait(rank);
        break;
    case WORMHOLE_LIVE_PROBE:
        HandleProbe(rank);
        break;
    case WORMHOLE_LIVE_TOGETHER:
        HandleTogether(rank);
        break;
    case WORMHOLE_LIVE_FINISH:
        own.state = LiveRank::State::FINISHED;
        m_program.Release(rank);
        m_program.Send(rank, LiveAnswer(own.sincePs).Frame());
        m_network.Finish(rank, own.sincePs);
        break;
    case WORMHOLE_LIVE_THREAD:
        throw InputError("called by a second thread; only the thread that called MPI_Init may call "
                         "MPI in wormhole live");
    case WORMHOLE_LIVE_UNSUPPORTED:
    case WORMHOLE_LIVE_KINDS:
        throw InputError("wormhole live does not simulate this function; "
                         "docs/how-to/live.md says what it does");
    }
    return own.message.IsAnswered();
}

void
LiveServer::HandleWait(uint32_t rank)
{
    const LiveMessage& wait = m_ranks[rank].message;
    m_ranks[rank].BeginWait(wait);
    if ((wait.bits & WORMHOLE_LIVE_NOW) == 0 || m_ranks[rank].IsOver(wait))
    {
        AnswerWaitIfOver(rank);
        return;
    }
    AfterLook(rank, [this, rank](int64_t ps) {
        LiveAnswer answer(ps);
        m_ranks[rank].PutOver(m_ranks[rank].message, answer);
        Answer(rank, answer);
    });
}

/** Calls \p found when the rank's look is over, with that time. */
void
LiveServer::AfterLook(uint32_t rank, const std::function<void(int64_t ps)>& found)
{
    const int64_t ps = m_ranks[rank].sincePs + m_options.pollNs * LIVE_PS_PER_NS;
    const int64_t waitPs = std::max<int64_t>(ps - m_network.NowPs(), 0);
    m_network.Schedule(rank, (waitPs + LIVE_PS_PER_NS - 1) / LIVE_PS_PER_NS, [found, ps] {
        found(ps);
    });
}

void
LiveServer::AnswerWaitIfOver(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    if (own.IsOver(own.message))
    {
        LiveAnswer answer(own.EndPs(own.message));
        own.PutOver(own.message, answer);
        Answer(rank, answer);
    }
}

void
LiveServer::Over(uint32_t rank,
                 uint32_t request,
                 int64_t ps,
                 wormhole_live_end end,
                 const LiveSent& got)
{
    if (request == 0)
    {
        return; // a send that the rank does not ask about
    }
    LiveRank& own = m_ranks[rank];
    LiveRequest& ended = own.requests.at(request);
    ended.end = end;
    ended.got = got;
    ended.receive = 0;
    ended.overPs = ps;
    own.End(ended);
    if (own.state == LiveRank::State::WAITS && own.message.kind == WORMHOLE_LIVE_WAIT &&
        (own.message.bits & WORMHOLE_LIVE_NOW) == 0)
    {
        AnswerWaitIfOver(rank);
    }
}

void
LiveServer::HandleSend(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    const ns3::WorkloadMpiRecord& record = own.message.record;
    const LiveCommunicator& comm = own.Find(record.comm);
    const uint32_t dst = own.MemberOf(comm, record.peer);
    const LiveSending sending = own.message.bits & WORMHOLE_LIVE_BUFFERED ? LiveSending::BUFFERED
                                : own.message.bits & WORMHOLE_LIVE_SYNCHRONOUS
                                    ? LiveSending::SYNCHRONOUS
                                    : LiveSending::STANDARD;
    const LiveEnvelope envelope{comm.GetContext(), rank, dst, record.tag};
    if (record.request != 0)
    {
        LiveRequest& request = own.AddRequest(record.request);
        request.sends = true;
        request.envelope = envelope;
    }
    m_messages.Send({envelope, record.bytes, own.sent[dst]++},
                    sending,
                    own.sincePs,
                    [this, rank, request = record.request](int64_t ps) {
                        Over(rank, request, ps, WORMHOLE_LIVE_DONE, {});
                    });
}

/** \return what the rank's receive or probe asks for */
LiveEnvelope
LiveServer::EnvelopeOf(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    const ns3::WorkloadMpiRecord& record = own.message.record;
    const LiveCommunicator& comm = own.Find(record.comm);
    const uint32_t bits = own.message.bits;
    return {comm.GetContext(),
            bits & WORMHOLE_LIVE_ANY_SOURCE ? LiveEnvelope::ANY : own.MemberOf(comm, record.peer),
            rank,
            bits & WORMHOLE_LIVE_ANY_TAG ? LiveEnvelope::ANY : record.tag};
}

void
LiveServer::HandleReceive(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    const uint32_t number = own.message.record.request;
    const auto over = [this, rank, number](const LiveSent& got, int64_t ps) {
        Over(rank, number, ps, WORMHOLE_LIVE_RECEIVED, got);
    };
    if (own.message.kind == WORMHOLE_LIVE_RECEIVE)
    {
        const LiveEnvelope envelope = EnvelopeOf(rank);
        own.AddRequest(number).envelope = envelope;
        const uint64_t receive = m_messages.Receive(envelope, own.sincePs, over);
        LiveRequest& request = own.requests.at(number);
        request.receive = request.over ? 0 : receive;
        return;
    }
    const auto taken = own.taken.find(own.message.message);
    if (taken == own.taken.end())
    {
        throw InputError("message " + std::to_string(own.message.message) +
                         ", which no probe has taken");
    }
    own.AddRequest(number);
    const uint64_t message = taken->second;
    own.taken.erase(taken);
    m_messages.ReceiveTaken(message, own.sincePs, over);
}

void
LiveServer::HandleCollective(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    const ns3::WorkloadMpiRecord& record = own.message.record;
    LiveCommunicator& comm = own.Find(record.comm);
    const uint64_t context = comm.TakeContext();
    m_collectives.Add(context, rank, comm.group->members.size(), record);
    const auto part =
        std::make_shared<LiveCollective>(m_messages, context, comm.group->members, comm.rank);
    if (own.message.kind == WORMHOLE_LIVE_COLLECTIVE)
    {
        const std::string fault =
            ns3::WorkloadMpiCollectiveFault(record, part->GetSize(), part->GetRank());
        if (!fault.empty())
        {
            throw InputError(fault);
        }
        ns3::AddWorkloadMpiCollective(*part, record);
    }
    for (const auto& [from, bytes] : record.from)
    {
        own.MemberOf(comm, from);
        part->Receive(from, bytes);
    }
    for (const auto& [to, bytes] : record.to)
    {
        own.MemberOf(comm, to);
        part->Send(to, bytes);
    }
    part->Next();
    own.AddRequest(record.request);
    part->Begin(own.sincePs, [this, rank, request = record.request](int64_t ps) {
        Over(rank, request, ps, WORMHOLE_LIVE_DONE, {});
    });
}

void
LiveServer::HandleCancel(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    const uint32_t number = own.message.record.request;
    const auto request = own.requests.find(number);
    if (request != own.requests.end() && request->second.receive != 0 &&
        m_messages.Cancel(request->second.receive))
    {
        Over(rank, number, own.sincePs, WORMHOLE_LIVE_CANCELLED, {});
    }
}

void
LiveServer::HandleProbe(uint32_t rank)
{
    if (!AnswerProbeIfFound(rank) && (m_ranks[rank].message.bits & WORMHOLE_LIVE_NOW) != 0)
    {
        const uint64_t call = m_ranks[rank].calls;
        AfterLook(rank, [this, rank, call](int64_t ps) {
            // answered before, if a message has come meanwhile
            if (m_ranks[rank].state == LiveRank::State::WAITS && m_ranks[rank].calls == call)
            {
                LiveAnswer answer(ps);
                answer.Put(0);
                Answer(rank, answer);
            }
        });
    }
}

bool
LiveServer::AnswerProbeIfFound(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    if (own.state != LiveRank::State::WAITS || own.message.kind != WORMHOLE_LIVE_PROBE)
    {
        return false;
    }
    const std::optional<uint64_t> message = m_messages.Probe(EnvelopeOf(rank));
    if (!message)
    {
        return false;
    }
    const LiveSent& sent = m_messages.Get(*message);
    LiveAnswer answer(std::max(own.sincePs, m_messages.GetArrivalPs(*message)));
    answer.Put(1);
    answer.Put(sent.envelope.src);
    answer.Put(sent.envelope.tag);
    answer.Put(sent.bytes);
    if (own.message.bits & WORMHOLE_LIVE_TAKE)
    {
        const uint32_t number = ++own.lastTaken;
        answer.Put(number);
        own.taken[number] = *message;
        m_messages.Take(*message);
    }
    Answer(rank, answer);
    return true;
}

void
LiveServer::HandleTogether(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    const ns3::WorkloadMpiGroup* const group = own.Find(own.message.record.comm).group;
    std::vector<uint32_t>& there = m_together[group];
    there.push_back(rank);
    if (there.size() == group->members.size())
    {
        const std::vector<uint32_t> all = std::move(there);
        m_together.erase(group);
        int64_t ps = 0;
        for (const uint32_t member : all)
        {
            ps = std::max(ps, m_ranks[member].sincePs);
        }
        for (const uint32_t member : all)
        {
            Answer(member, LiveAnswer(ps));
        }
    }
}

} // namespace wormhole
