/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-helper.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"

#include <algorithm>

// The classes that a network is made of, chosen by their names, and their attributes: controls,
// schedulers and routers.

namespace ns3
{

namespace
{

/** \return the classes that can be made and derive from \p base */
std::vector<std::string>
ListClasses(const TypeId& base)
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(base) && type != base && type.HasConstructor())
        {
            names.push_back(type.GetName());
        }
    }
    return names;
}

/** \return a factory of \p typeId, a class that derives from \p base; \p what these are */
ObjectFactory
FactoryOf(const std::string& typeId, const TypeId& base, const std::string& what)
{
    const std::vector<std::string> known = ListClasses(base);
    if (std::find(known.begin(), known.end(), typeId) == known.end())
    {
        TypeId type;
        const bool derives = TypeId::LookupByNameFailSafe(typeId, &type) && type != base &&
                             type.IsChildOf(base) && !type.HasConstructor();
        throw InputError(ShownText(typeId) + ": " +
                         (derives ? "its TypeId has no constructor; add AddConstructor to it"
                                  : "no such " + what + KnownNamesText(typeId, known)));
    }
    ObjectFactory factory;
    factory.SetTypeId(typeId);
    return factory;
}

/** \return \p made by its factory \throws InputError if it cannot be copied, as each flow, port or
 * switch needs */
template <typename T>
Ptr<T>
Copyable(const Ptr<T>& made)
{
    if (!made->Fork())
    {
        const std::string name = made->GetInstanceTypeId().GetName();
        throw InputError(name + ": Fork returns null; it must return a copy, such as CopyObject<" +
                         name + ">(this)");
    }
    return made;
}

} // namespace

void
RdmaHelper::SetCongestionControl(const std::string& typeId)
{
    m_hasControl = !typeId.empty();
    if (m_hasControl)
    {
        m_control = FactoryOf(typeId, RdmaCongestionControl::GetTypeId(), "congestion control");
    }
}

void
RdmaHelper::SetClassControl(uint8_t priority, const std::string& typeId, bool varWindow)
{
    const ObjectFactory factory =
        typeId.empty()
            ? ObjectFactory()
            : FactoryOf(typeId, RdmaCongestionControl::GetTypeId(), "congestion control");
    m_classControls[priority] = {factory, !typeId.empty(), varWindow};
}

/** \return what makes all kinds of objects */
std::vector<ObjectFactory*>
RdmaHelper::GetFactories()
{
    std::vector<ObjectFactory*> factories{&m_network, &m_host, &m_switch};
    if (m_hasControl)
    {
        factories.push_back(&m_control);
    }
    for (auto& [priority, control] : m_classControls)
    {
        if (control.any)
        {
            factories.push_back(&control.factory);
        }
    }
    if (m_hasScheduler)
    {
        factories.push_back(&m_scheduler);
    }
    if (m_hasRouter)
    {
        factories.push_back(&m_router);
    }
    return factories;
}

bool
RdmaHelper::SetAttributeOf(const std::string& typeId,
                           const std::string& name,
                           const AttributeValue& value)
{
    bool any = false;
    for (ObjectFactory* factory : GetFactories())
    {
        if (factory->GetTypeId().GetName() == typeId)
        {
            factory->Set(name, value);
            any = true;
        }
    }
    return any;
}

std::vector<std::string>
RdmaHelper::GetTypes() const
{
    RdmaHelper copy(*this);
    std::vector<std::string> types;
    for (const ObjectFactory* factory : copy.GetFactories())
    {
        const std::string name = factory->GetTypeId().GetName();
        if (std::find(types.begin(), types.end(), name) == types.end())
        {
            types.push_back(name);
        }
    }
    return types;
}

Ptr<RdmaCongestionControl>
RdmaHelper::CreateClassControl(uint8_t priority) const
{
    const auto control = m_classControls.find(priority);
    return control != m_classControls.end() && control->second.any
               ? Copyable(control->second.factory.Create<RdmaCongestionControl>())
               : nullptr;
}

void
RdmaHelper::SetScheduler(const std::string& typeId)
{
    m_hasScheduler = !typeId.empty();
    if (m_hasScheduler)
    {
        m_scheduler = FactoryOf(typeId, RdmaEgressScheduler::GetTypeId(), "egress scheduler");
    }
}

Ptr<RdmaEgressScheduler>
RdmaHelper::CreateScheduler() const
{
    return m_hasScheduler ? Copyable(m_scheduler.Create<RdmaEgressScheduler>()) : nullptr;
}

void
RdmaHelper::SetRouter(const std::string& typeId)
{
    m_hasRouter = !typeId.empty();
    if (m_hasRouter)
    {
        m_router = FactoryOf(typeId, RdmaRouter::GetTypeId(), "router");
    }
}

Ptr<RdmaRouter>
RdmaHelper::CreateRouter() const
{
    return m_hasRouter ? Copyable(m_router.Create<RdmaRouter>()) : nullptr;
}

std::vector<std::string>
RdmaHelper::ListRouters()
{
    return ListClasses(RdmaRouter::GetTypeId());
}

std::vector<std::string>
RdmaHelper::ListSchedulers()
{
    return ListClasses(RdmaEgressScheduler::GetTypeId());
}

std::vector<std::string>
RdmaHelper::ListCongestionControls()
{
    return ListClasses(RdmaCongestionControl::GetTypeId());
}

void
RdmaHelper::SetCongestionControlAttribute(const std::string& name, const AttributeValue& value)
{
    if (!m_hasControl)
    {
        throw InputError("RdmaHelper::SetCongestionControlAttribute: " + name +
                         " is set, but no congestion control is chosen; call SetCongestionControl "
                         "first");
    }
    m_control.Set(name, value);
}

Ptr<RdmaCongestionControl>
RdmaHelper::CreateCongestionControl() const
{
    return m_hasControl ? Copyable(m_control.Create<RdmaCongestionControl>()) : nullptr;
}

} // namespace ns3
