/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-codec.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#ifdef WORKLOAD_HAS_PROTOBUF
#include "workload-chakra.pb.h"
#endif

namespace ns3
{

bool
HasWorkloadChakra()
{
#ifdef WORKLOAD_HAS_PROTOBUF
    return true;
#else
    return false;
#endif
}

void
RequireWorkloadChakra(const std::string& file)
{
    if (!HasWorkloadChakra())
    {
        throw InputError(file,
                         0,
                         "this build has no support for Chakra traces; install protobuf "
                         "(Debian: libprotobuf-dev protobuf-compiler), configure and build "
                         "again");
    }
}

#ifdef WORKLOAD_HAS_PROTOBUF

namespace
{

using Attribute = wormhole::chakra::Attribute;

/** \return a signed number as an unsigned one, if it is not negative */
bool
FromSigned(int64_t from, uint64_t& value)
{
    value = static_cast<uint64_t>(from);
    return from >= 0;
}

/** \param value set to the attribute, a whole number of any type; \return false if it is none, or
 * negative */
bool
Whole(const Attribute& attribute, uint64_t& value)
{
    switch (attribute.value_case())
    {
    case Attribute::kInt32Value:
        return FromSigned(attribute.int32_value(), value);
    case Attribute::kInt64Value:
        return FromSigned(attribute.int64_value(), value);
    case Attribute::kSint32Value:
        return FromSigned(attribute.sint32_value(), value);
    case Attribute::kSint64Value:
        return FromSigned(attribute.sint64_value(), value);
    case Attribute::kSfixed32Value:
        return FromSigned(attribute.sfixed32_value(), value);
    case Attribute::kSfixed64Value:
        return FromSigned(attribute.sfixed64_value(), value);
    case Attribute::kUint32Value:
        value = attribute.uint32_value();
        return true;
    case Attribute::kUint64Value:
        value = attribute.uint64_value();
        return true;
    case Attribute::kFixed32Value:
        value = attribute.fixed32_value();
        return true;
    case Attribute::kFixed64Value:
        value = attribute.fixed64_value();
        return true;
    default:
        return false;
    }
}

/** \return ": " and the value of an attribute, for messages; empty for lists and the like */
std::string
ValueText(const Attribute& attribute)
{
    uint64_t value = 0;
    switch (attribute.value_case())
    {
    case Attribute::kDoubleValue:
        return ": " + NumberText(attribute.double_value());
    case Attribute::kFloatValue:
        return ": " + NumberText(attribute.float_value());
    case Attribute::kBoolValue:
        return attribute.bool_value() ? ": true" : ": false";
    case Attribute::kStringValue:
        return ": " + ShownText(attribute.string_value());
    default:
        return Whole(attribute, value) ? ": " + std::to_string(value)
               : value                 ? ": " + std::to_string(static_cast<int64_t>(value))
                                       : "";
    }
}

/** Where the attributes that are whole numbers go. \return null for other names */
std::optional<uint64_t>*
WholeField(WorkloadChakraNode& node, const std::string& name)
{
    static const std::pair<const char*, std::optional<uint64_t> WorkloadChakraNode::*> FIELDS[] = {
        {"num_ops", &WorkloadChakraNode::numOps},
        {"tensor_size", &WorkloadChakraNode::tensorSize},
        {"comm_type", &WorkloadChakraNode::commType},
        {"comm_size", &WorkloadChakraNode::commSize},
        {"comm_src", &WorkloadChakraNode::commSrc},
        {"comm_dst", &WorkloadChakraNode::commDst},
        {"comm_tag", &WorkloadChakraNode::commTag},
    };
    for (const auto& [known, field] : FIELDS)
    {
        if (name == known)
        {
            return &(node.*field);
        }
    }
    return nullptr;
}

/** Takes an attribute over. \return what it should be, empty if it is that */
std::string
TakeAttribute(const Attribute& attribute, WorkloadChakraNode& node)
{
    const std::string& name = attribute.name();
    uint64_t value = 0;
    if (std::optional<uint64_t>* field = WholeField(node, name))
    {
        const bool whole = Whole(attribute, value);
        *field = value;
        return whole ? "" : "a whole number, not negative";
    }
    if (name == "is_cpu_op")
    {
        const bool flag = attribute.value_case() == Attribute::kBoolValue;
        const bool whole = !flag && Whole(attribute, value);
        node.cpuOp = flag ? attribute.bool_value() : value != 0;
        return flag || whole ? "" : "a boolean";
    }
    if (name == "pg_name")
    {
        node.group = attribute.string_value();
        return attribute.value_case() == Attribute::kStringValue ? "" : "a string";
    }
    if (name == "involved_dim")
    {
        const auto& values = attribute.booleans().values();
        node.involvedDims.assign(values.begin(), values.end());
        return attribute.value_case() == Attribute::kBooleans ? "" : "a list of booleans";
    }
    return "";
}

/** Sets an attribute that is an unsigned number, if there is a value. */
void
AddWhole(wormhole::chakra::Node& message, const char* name, const std::optional<uint64_t>& value)
{
    if (value)
    {
        Attribute* attribute = message.add_attributes();
        attribute->set_name(name);
        attribute->set_uint64_value(*value);
    }
}

} // namespace

bool
DecodeWorkloadChakraMetadata(const std::string& message, std::string& version)
{
    wormhole::chakra::Metadata metadata;
    if (!metadata.ParseFromString(message))
    {
        return false;
    }
    version = metadata.version();
    return true;
}

std::string
DecodeWorkloadChakraNode(const std::string& message, WorkloadChakraNode& node)
{
    wormhole::chakra::Node from;
    if (!from.ParseFromString(message))
    {
        return "these bytes are no protobuf message of a Chakra node";
    }
    node.id = from.id();
    node.name = from.name();
    if (from.type() < 0 || from.type() > static_cast<int>(WorkloadChakraKind::COMM_COLL))
    {
        return "type " + std::to_string(from.type()) + " is none of Chakra's, 0 to 7";
    }
    node.kind = static_cast<WorkloadChakraKind>(from.type());
    node.dependencies.assign(from.data_dependencies().begin(), from.data_dependencies().end());
    node.dependencies.insert(node.dependencies.end(),
                             from.control_dependencies().begin(),
                             from.control_dependencies().end());
    node.durationMicros = from.duration_micros();
    node.values = from.inputs().values();
    for (const Attribute& attribute : from.attributes())
    {
        const std::string wanted = TakeAttribute(attribute, node);
        if (!wanted.empty())
        {
            return "attribute " + ShownText(attribute.name()) + " is not " + wanted +
                   ValueText(attribute);
        }
    }
    return "";
}

std::string
EncodeWorkloadChakraMetadata(const std::string& version)
{
    wormhole::chakra::Metadata metadata;
    metadata.set_version(version);
    return metadata.SerializeAsString();
}

std::string
EncodeWorkloadChakraNode(const WorkloadChakraNode& node)
{
    wormhole::chakra::Node message;
    message.set_id(node.id);
    message.set_name(node.name);
    message.set_type(static_cast<int>(node.kind));
    for (const uint64_t id : node.dependencies)
    {
        message.add_data_dependencies(id);
    }
    message.set_duration_micros(node.durationMicros);
    if (!node.values.empty())
    {
        message.mutable_inputs()->set_values(node.values);
    }
    Attribute* cpu = message.add_attributes();
    cpu->set_name("is_cpu_op");
    cpu->set_bool_value(node.cpuOp);
    AddWhole(message, "num_ops", node.numOps);
    AddWhole(message, "tensor_size", node.tensorSize);
    AddWhole(message, "comm_type", node.commType);
    AddWhole(message, "comm_size", node.commSize);
    AddWhole(message, "comm_src", node.commSrc);
    AddWhole(message, "comm_dst", node.commDst);
    AddWhole(message, "comm_tag", node.commTag);
    if (!node.group.empty())
    {
        Attribute* group = message.add_attributes();
        group->set_name("pg_name");
        group->set_string_value(node.group);
    }
    if (!node.involvedDims.empty())
    {
        Attribute* dims = message.add_attributes();
        dims->set_name("involved_dim");
        for (const bool involved : node.involvedDims)
        {
            dims->mutable_booleans()->add_values(involved);
        }
    }
    return message.SerializeAsString();
}

#else // without protobuf: RequireWorkloadChakra() lets nobody come here

bool
DecodeWorkloadChakraMetadata(const std::string&, std::string&)
{
    return false;
}

std::string
DecodeWorkloadChakraNode(const std::string&, WorkloadChakraNode&)
{
    return "there is no protobuf in this build";
}

std::string
EncodeWorkloadChakraMetadata(const std::string&)
{
    return "";
}

std::string
EncodeWorkloadChakraNode(const WorkloadChakraNode&)
{
    return "";
}

#endif

} // namespace ns3
