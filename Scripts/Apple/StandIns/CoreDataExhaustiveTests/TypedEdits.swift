import CoreData

/// Changes as the accessors of a generated class make them: with Apple's framework these are key-value coding.
extension NSManagedObject {
    func assign(_ value: Any?, of type: NSAttributeType, to key: String) { setValue(value, forKey: key) }
    func assign(_ destination: NSManagedObject?, to key: String) { setValue(destination, forKey: key) }
    func assign(_ members: Set<NSManagedObject>, to key: String) { setValue(members, forKey: key) }
    func assign(_ members: NSOrderedSet, to key: String) { setValue(members, forKey: key) }

    func addMember(_ member: NSManagedObject, to key: String) {
        if entity.relationshipsByName[key]?.isOrdered == true {
            mutableOrderedSetValue(forKey: key).add(member)
        } else {
            mutableSetValue(forKey: key).add(member)
        }
    }
    func removeMember(_ member: NSManagedObject, from key: String) {
        if entity.relationshipsByName[key]?.isOrdered == true {
            mutableOrderedSetValue(forKey: key).remove(member)
        } else {
            mutableSetValue(forKey: key).remove(member)
        }
    }
    func insertMember(_ member: NSManagedObject, into key: String, at index: Int) {
        mutableOrderedSetValue(forKey: key).insert(member, at: index)
    }
}
