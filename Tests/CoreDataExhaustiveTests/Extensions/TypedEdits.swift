import CoreData

/// Changes as the accessors of a generated class make them, through `ManagedProperty` and `ManagedRelationship`.
extension NSManagedObject {
    func assign(_ value: Any?, of type: NSAttributeType, to key: String) {
        switch (type, value) {
        case (.stringAttributeType, let value as String?): self[ManagedProperty<String?>(key)] = value
        case (.integer16AttributeType, let value as NSNumber?): self[ManagedProperty<Int16?>(key)] = value?.int16Value
        case (.integer32AttributeType, let value as NSNumber?): self[ManagedProperty<Int32?>(key)] = value?.int32Value
        case (.integer64AttributeType, let value as NSNumber?): self[ManagedProperty<Int64?>(key)] = value?.int64Value
        case (.booleanAttributeType, let value as NSNumber?): self[ManagedProperty<Bool?>(key)] = value?.boolValue
        case (.doubleAttributeType, let value as NSNumber?): self[ManagedProperty<Double?>(key)] = value?.doubleValue
        case (.floatAttributeType, let value as NSNumber?): self[ManagedProperty<Float?>(key)] = value?.floatValue
        case (.dateAttributeType, let value as Date?): self[ManagedProperty<Date?>(key)] = value
        case (.binaryDataAttributeType, let value as Data?): self[ManagedProperty<Data?>(key)] = value
        default: setValue(value, forKey: key)
        }
    }

    func assign(_ destination: NSManagedObject?, to key: String) {
        self[ManagedProperty<NSManagedObject?>(key)] = destination
    }
    func assign(_ members: Set<NSManagedObject>, to key: String) {
        self[ManagedProperty<Set<NSManagedObject>>(key)] = members
    }
    func assign(_ members: NSOrderedSet, to key: String) { self[ManagedProperty<NSOrderedSet?>(key)] = members }

    func addMember(_ member: NSManagedObject, to key: String) { add(member, to: ManagedRelationship(key)) }
    func removeMember(_ member: NSManagedObject, from key: String) { remove(member, from: ManagedRelationship(key)) }
    func insertMember(_ member: NSManagedObject, into key: String, at index: Int) {
        insert(member, into: ManagedRelationship(key), at: index)
    }
}
