/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/euler-tours.h"

#include <utility>

namespace wormhole
{

using Node = EulerTours::Node;

EulerTours::Counts&
EulerTours::Counts::operator+=(const Counts& other)
{
    vertices += other.vertices;
    flagged[0] += other.flagged[0];
    flagged[1] += other.flagged[1];
    return *this;
}

EulerTours::Counts&
EulerTours::Counts::operator-=(const Counts& other)
{
    vertices -= other.vertices;
    flagged[0] -= other.flagged[0];
    flagged[1] -= other.flagged[1];
    return *this;
}

Node
EulerTours::Add(std::uint32_t owner, std::uint32_t count)
{
    if (m_free.size() <= count)
    {
        m_free.resize(count + 1);
    }
    Node vertex = static_cast<Node>(m_nodes.size());
    if (m_free[count].empty())
    {
        m_nodes.resize(m_nodes.size() + count);
    }
    else
    {
        vertex = m_free[count].back();
        m_free[count].pop_back();
    }
    m_nodes[vertex].owner = owner;
    m_nodes[vertex].counts = Own(vertex);
    return vertex;
}

void
EulerTours::Remove(Node vertex, std::uint32_t count)
{
    for (Node node = vertex; node < vertex + count; ++node)
    {
        m_nodes[node] = {};
    }
    m_free[count].push_back(vertex);
}

void
EulerTours::Link(Node a, Node b, Node edge)
{
    if (Size(a) < Size(b))
    {
        std::swap(a, b);
    }
    // A tour may begin at any of its vertices; so that of b does, and is put in behind a.
    const Node beforeB = SplitBefore(b);
    const Node tour = Join(b, beforeB);
    const Node behindA = SplitAfter(a);
    Join(Join(Join(Join(a, edge), tour), edge + 1), behindA);
}

void
EulerTours::Cut(Node edge)
{
    const Node before = SplitBefore(edge);
    const Node behind = SplitAfter(edge);
    // The other direction of the edge is either before or behind.
    Splay(edge + 1);
    const bool isBefore = before != NONE && RootOf(before) == edge + 1;
    const Node left = SplitBefore(edge + 1);
    const Node right = SplitAfter(edge + 1);
    if (isBefore)
    {
        Join(left, behind);
    }
    else
    {
        Join(before, right);
    }
}

bool
EulerTours::Connected(Node a, Node b)
{
    Splay(a);
    Splay(b);
    return m_nodes[a].parent != NONE;
}

std::size_t
EulerTours::Size(Node vertex)
{
    Splay(vertex);
    return m_nodes[vertex].counts.vertices;
}

void
EulerTours::SetFlags(Node vertex, std::uint8_t flags)
{
    if (m_nodes[vertex].flags != flags)
    {
        Splay(vertex);
        m_nodes[vertex].counts -= Own(vertex);
        m_nodes[vertex].flags = flags;
        m_nodes[vertex].counts += Own(vertex);
    }
}

Node
EulerTours::First(Node vertex, unsigned flag)
{
    Splay(vertex);
    return FirstBelow(vertex, flag);
}

Node
EulerTours::Next(Node vertex, unsigned flag)
{
    Splay(vertex);
    return FirstBelow(m_nodes[vertex].right, flag);
}

void
EulerTours::AppendOwners(Node vertex, std::vector<std::uint32_t>& owners)
{
    Splay(vertex);
    std::vector<Node> rest{vertex};
    while (!rest.empty())
    {
        const Item& item = m_nodes[rest.back()];
        rest.pop_back();
        if (item.owner != NONE)
        {
            owners.push_back(item.owner);
        }
        for (const Node child : {item.left, item.right})
        {
            if (child != NONE)
            {
                rest.push_back(child);
            }
        }
    }
}

Node
EulerTours::RootOf(Node node) const
{
    while (m_nodes[node].parent != NONE)
    {
        node = m_nodes[node].parent;
    }
    return node;
}

void
EulerTours::SelfCheck(Findings& findings) const
{
    for (Node node = 0; node < m_nodes.size(); ++node)
    {
        const Item& item = m_nodes[node];
        Counts counts = Own(node);
        for (const Node child : {item.left, item.right})
        {
            if (child != NONE)
            {
                counts += m_nodes[child].counts;
                findings.Expect(m_nodes[child].parent == node, "parent in a tour", child);
            }
        }
        findings.Expect(counts.vertices == item.counts.vertices, "vertices in a tour", node);
        findings.Expect(counts.flagged == item.counts.flagged, "flags in a tour", node);
    }
}

EulerTours::Counts
EulerTours::Own(Node node) const
{
    const Item& item = m_nodes[node];
    const std::uint32_t flags = item.flags;
    return {item.owner != NONE ? 1U : 0U, {flags & 1, flags >> 1}};
}

void
EulerTours::Rotate(Node node)
{
    Item& item = m_nodes[node];
    const Node parent = item.parent;
    Item& below = m_nodes[parent];
    const bool isLeft = below.left == node;
    Node& inner = isLeft ? item.right : item.left;
    const Counts all = below.counts;
    below.counts -= item.counts;
    (isLeft ? below.left : below.right) = inner;
    if (inner != NONE)
    {
        m_nodes[inner].parent = parent;
        below.counts += m_nodes[inner].counts;
    }
    inner = parent;
    item.parent = below.parent;
    item.counts = all;
    below.parent = node;
    if (item.parent != NONE)
    {
        Item& above = m_nodes[item.parent];
        (above.left == parent ? above.left : above.right) = node;
    }
}

void
EulerTours::Splay(Node node)
{
    while (m_nodes[node].parent != NONE)
    {
        const Node parent = m_nodes[node].parent;
        const Node grandparent = m_nodes[parent].parent;
        if (grandparent != NONE)
        {
            const bool sameSide =
                (m_nodes[parent].left == node) == (m_nodes[grandparent].left == parent);
            Rotate(sameSide ? parent : node);
        }
        Rotate(node);
    }
}

Node
EulerTours::SplitBefore(Node node)
{
    return Detach(node, &Item::left);
}

Node
EulerTours::SplitAfter(Node node)
{
    return Detach(node, &Item::right);
}

Node
EulerTours::Detach(Node node, Node Item::*side)
{
    Splay(node);
    const Node child = std::exchange(m_nodes[node].*side, NONE);
    if (child != NONE)
    {
        m_nodes[child].parent = NONE;
        m_nodes[node].counts -= m_nodes[child].counts;
    }
    return child;
}

Node
EulerTours::Join(Node a, Node b)
{
    if (a == NONE || b == NONE)
    {
        return a == NONE ? b : a;
    }
    while (m_nodes[a].right != NONE)
    {
        a = m_nodes[a].right;
    }
    Splay(a);
    m_nodes[a].right = b;
    m_nodes[a].counts += m_nodes[b].counts;
    m_nodes[b].parent = a;
    return a;
}

Node
EulerTours::FirstBelow(Node node, unsigned flag) const
{
    const auto has = [&](Node below) {
        return below != NONE && m_nodes[below].counts.flagged[flag] > 0;
    };
    if (!has(node))
    {
        return NONE;
    }
    while (has(m_nodes[node].left) || (m_nodes[node].flags >> flag & 1U) == 0)
    {
        node = has(m_nodes[node].left) ? m_nodes[node].left : m_nodes[node].right;
    }
    return node;
}

} // namespace wormhole
