/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-generator.h"

#include "rdma-topology-builder.h"

#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

namespace
{

std::vector<RdmaTopologyKind>
MakeKinds()
{
    std::vector<RdmaTopologyKind> kinds = RdmaBasicTopologies();
    kinds.push_back(RdmaLeafSpineTopology());
    kinds.push_back(RdmaFatTreeTopology());
    kinds.push_back(RdmaDragonflyTopology());
    for (const auto& more :
         {RdmaGridTopologies(), RdmaRailOptimizedTopologies(), RdmaSimaiTopologies()})
    {
        kinds.insert(kinds.end(), more.begin(), more.end());
    }
    return kinds;
}

const std::vector<RdmaTopologyKind>&
Kinds()
{
    static const std::vector<RdmaTopologyKind> kinds = MakeKinds();
    return kinds;
}

/** \return the kind of this name, null if there is none */
const RdmaTopologyKind*
FindKind(const std::string& name)
{
    const auto kind =
        std::find_if(Kinds().begin(), Kinds().end(), [&](const auto& k) { return k.name == name; });
    return kind == Kinds().end() ? nullptr : &*kind;
}

std::vector<std::string>
KindNames()
{
    std::vector<std::string> names;
    for (const RdmaTopologyKind& kind : Kinds())
    {
        names.push_back(kind.name);
    }
    return names;
}

/** \return the text with blanks after it, one at least */
std::string
Padded(const std::string& text, size_t width)
{
    return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::string
KindHelp(const RdmaTopologyKind& kind)
{
    constexpr size_t KEY_WIDTH = 23;
    constexpr size_t DEFAULT_WIDTH = 17;
    std::string text = kind.name + ": " + kind.summary + "\n";
    for (const RdmaTopologyKey& key : kind.keys)
    {
        text += "  " + Padded(key.name, KEY_WIDTH) + Padded(key.defaultValue, DEFAULT_WIDTH) +
                key.meaning + "\n";
    }
    return text + "  Example: " + kind.example + "\n\n";
}

} // namespace

RdmaTopology
GenerateRdmaTopology(const std::string& text)
{
    InputSpec spec(text);
    const RdmaTopologyKind* kind = FindKind(spec.Kind());
    if (!kind)
    {
        spec.Fail("no such kind of topology" + KnownNamesText(spec.Kind(), KindNames()));
    }
    return kind->make(spec);
}

RdmaTopology
LoadRdmaTopology(const std::string& fileOrSpec)
{
    if (std::ifstream(fileOrSpec))
    {
        return ReadRdmaTopology(fileOrSpec);
    }
    try
    {
        return GenerateRdmaTopology(fileOrSpec);
    }
    catch (const InputError& error)
    {
        throw InputError(
            "\"" + ShownText(fileOrSpec) +
            "\" is not a file that can be read, and as a specification: " + error.what());
    }
}

std::string
RdmaTopologyGeneratorHelp()
{
    std::string text =
        "A topology is KIND or KIND:KEY=VALUE,KEY=VALUE... Each key is given with what "
        "holds without it.\n"
        "Rates and times have units: 400Gbps, 25Mb/s; 1us, 0.5ms. A time of 0 needs none.\n\n";
    for (const RdmaTopologyKind& kind : Kinds())
    {
        text += KindHelp(kind);
    }
    text.pop_back();
    return text;
}

} // namespace ns3
