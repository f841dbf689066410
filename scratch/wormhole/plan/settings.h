/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SETTINGS_H
#define WORMHOLE_CLI_SETTINGS_H

#include "ns3/object-base.h"
#include "ns3/rdma-helper.h"

#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/**
 * Applies `--set TYPE::ATTRIBUTE=VALUE`.
 * \param text what stands after --set
 * \param helper that builds the network; it knows what types there will be
 * \param native whether ns3::RdmaSimulatorImpl, or one derived from it, will run it
 * \throws InputError for an unknown type or attribute, a value that does not fit, a type that this
 * run does not use, or an attribute that an option of its own sets
 */
void ApplySetting(const std::string& text, ns3::RdmaHelper& helper, bool native);

/**
 * \param shown the option as it is shown in messages
 * \param type TypeId that there is
 * \param name of the attribute
 * \param text its value
 * \return the value
 * \throws InputError if there is no such attribute, or the value does not fit
 */
ns3::Ptr<ns3::AttributeValue> CheckAttribute(const std::string& shown,
                                             const std::string& type,
                                             const std::string& name,
                                             const std::string& text);

/** \return what \p attributes, names and values that fit, set the Boolean attribute \p name to; \p
 * otherwise without that */
bool IsSet(const std::vector<std::pair<std::string, std::string>>& attributes,
           const std::string& name,
           bool otherwise);

/** \return all attributes of an object with their values, those of parents last */
std::vector<std::pair<std::string, std::string>> ListAttributes(const ns3::ObjectBase& object);

} // namespace wormhole

#endif // WORMHOLE_CLI_SETTINGS_H
