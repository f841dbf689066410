/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-host.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/** \return a value of attribute \p index of RdmaHost that is not its default */
std::string
AnotherValue(std::size_t index)
{
    static const std::map<std::string, std::string> ofTexts{{"Recovery", "irn"},
                                                            {"Entropy", "reps"},
                                                            {"CongestionControl", "ns3::RdmaHpcc"}};
    const TypeId::AttributeInformation about = RdmaHost::GetTypeId().GetAttribute(index);
    if (ofTexts.count(about.name) > 0)
    {
        return ofTexts.at(about.name);
    }
    if (const auto usual = DynamicCast<const BooleanValue>(about.initialValue))
    {
        return usual->Get() ? "false" : "true";
    }
    return DynamicCast<const TimeValue>(about.initialValue) ? "7us" : "5";
}

std::string
ValueOf(const Ptr<const RdmaHost>& host, const std::string& name)
{
    StringValue value;
    host->GetAttribute(name, value);
    return value.Get();
}

} // namespace

TEST(HostSettings, AreThoseOfTheHostThatOneIsACopyOf)
{
    ObjectFactory factory("ns3::RdmaHost");
    const TypeId type = RdmaHost::GetTypeId();
    const auto usual = factory.Create<RdmaHost>();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        factory.Set(type.GetAttribute(i).name, StringValue(AnotherValue(i)));
    }
    const Ptr<const RdmaHost> host = factory.Create<RdmaHost>();
    const Ptr<const RdmaHost> copy = CopyObject(host);
    EXPECT_EQ(copy->GetInstanceTypeId(), type);
    EXPECT_GT(type.GetAttributeN(), 20U);
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const std::string name = type.GetAttribute(i).name;
        EXPECT_NE(ValueOf(host, name), ValueOf(usual, name)) << name;
        EXPECT_EQ(ValueOf(copy, name), ValueOf(host, name)) << name;
    }
}
