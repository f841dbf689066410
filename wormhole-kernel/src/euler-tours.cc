/*
 * SPDX-License-Identifier: MIT
 */
#include "euler-tours.h"

#include <utility>

namespace wormhole
{

using Node = EulerTours::Node;

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
    m_nodes[vertex].vertices = 1;
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
    if (a == b)
    {
        return true;
    }
    Splay(a);
    Splay(b);
    return m_nodes[a].parent != NONE;
}

std::size_t
EulerTours::Size(Node vertex)
{
    Splay(vertex);
    return m_nodes[vertex].vertices;
}

void
EulerTours::SetFlags(Node vertex, std::uint8_t flags)
{
    if (m_nodes[vertex].flags != flags)
    {
        Splay(vertex);
        m_nodes[vertex].flags = flags;
        Update(vertex);
    }
}

Node
EulerTours::First(Node vertex, std::uint8_t flags)
{
    Splay(vertex);
    return FirstBelow(vertex, flags);
}

Node
EulerTours::Next(Node vertex, std::uint8_t flags)
{
    Splay(vertex);
    return FirstBelow(m_nodes[vertex].right, flags);
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
        std::uint32_t vertices = item.owner != NONE ? 1 : 0;
        std::uint8_t flags = item.flags;
        for (const Node child : {item.left, item.right})
        {
            if (child != NONE)
            {
                vertices += m_nodes[child].vertices;
                flags |= m_nodes[child].subtreeFlags;
                findings.Expect(m_nodes[child].parent == node, "parent in a tour", child);
            }
        }
        findings.Expect(vertices == item.vertices, "vertices in a tour", node);
        findings.Expect(flags == item.subtreeFlags, "flags in a tour", node);
    }
}

void
EulerTours::Update(Node node)
{
    Item& item = m_nodes[node];
    item.vertices = item.owner != NONE ? 1 : 0;
    item.subtreeFlags = item.flags;
    for (const Node child : {item.left, item.right})
    {
        if (child != NONE)
        {
            item.vertices += m_nodes[child].vertices;
            item.subtreeFlags |= m_nodes[child].subtreeFlags;
        }
    }
}

void
EulerTours::Rotate(Node node)
{
    const Node parent = m_nodes[node].parent;
    const Node grandparent = m_nodes[parent].parent;
    const bool isLeft = m_nodes[parent].left == node;
    Node& inner = isLeft ? m_nodes[node].right : m_nodes[node].left;
    (isLeft ? m_nodes[parent].left : m_nodes[parent].right) = inner;
    if (inner != NONE)
    {
        m_nodes[inner].parent = parent;
    }
    inner = parent;
    m_nodes[parent].parent = node;
    m_nodes[node].parent = grandparent;
    if (grandparent != NONE)
    {
        Item& above = m_nodes[grandparent];
        (above.left == parent ? above.left : above.right) = node;
    }
    Update(parent);
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
    Update(node);
}

Node
EulerTours::SplitBefore(Node node)
{
    Splay(node);
    const Node before = std::exchange(m_nodes[node].left, NONE);
    if (before != NONE)
    {
        m_nodes[before].parent = NONE;
        Update(node);
    }
    return before;
}

Node
EulerTours::SplitAfter(Node node)
{
    Splay(node);
    const Node after = std::exchange(m_nodes[node].right, NONE);
    if (after != NONE)
    {
        m_nodes[after].parent = NONE;
        Update(node);
    }
    return after;
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
    m_nodes[b].parent = a;
    Update(a);
    return a;
}

Node
EulerTours::FirstBelow(Node node, std::uint8_t flags) const
{
    if (node == NONE || (m_nodes[node].subtreeFlags & flags) == 0)
    {
        return NONE;
    }
    while (true)
    {
        const Item& item = m_nodes[node];
        if (item.left != NONE && (m_nodes[item.left].subtreeFlags & flags) != 0)
        {
            node = item.left;
        }
        else if ((item.flags & flags) != 0)
        {
            return node;
        }
        else
        {
            node = item.right;
        }
    }
}

} // namespace wormhole
