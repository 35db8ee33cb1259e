/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-types.h"

#include "ns3/boolean.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

namespace ns3::gridftp
{

namespace
{

std::set<std::string>&
GetRecord()
{
    static std::set<std::string> names;
    return names;
}

/** The accessor of the added attribute: it stores nothing in the object and notes its type. */
class ConstructionRecorder final : public AttributeAccessor
{
  public:
    bool Set(ObjectBase* object, const AttributeValue& /* value */) const override
    {
        TypeId type = object->GetInstanceTypeId();
        while (GetRecord().insert(type.GetName()).second && type.HasParent())
        {
            type = type.GetParent();
        }
        return true;
    }

    bool Get(const ObjectBase* /* object */, AttributeValue& /* attribute */) const override
    {
        return false;
    }

    bool HasGetter() const override
    {
        return false;
    }

    bool HasSetter() const override
    {
        return true;
    }
};

} // namespace

void
RecordConstructedTypes(const std::set<std::string>& others)
{
    const auto record = [](TypeId type) {
        type.AddAttribute("GridftpConstructionRecorder",
                          "Reports that an object is constructed.",
                          BooleanValue(false),
                          Create<ConstructionRecorder>(),
                          MakeBooleanChecker());
    };
    record(Object::GetTypeId());
    for (const auto& name : others)
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(name, &type) && type != Object::GetTypeId() &&
            !type.IsChildOf(Object::GetTypeId()))
        {
            record(type);
        }
    }
}

const std::set<std::string>&
GetConstructedTypes()
{
    return GetRecord();
}

} // namespace ns3::gridftp
