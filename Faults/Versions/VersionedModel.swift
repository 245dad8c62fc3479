import OpenCoreData

/// Two versions of a model. Entries have owners, so that each process can have its own rows.
///
/// In the second version further entities precede the others, so that the numbers of these change; a text has another
/// name, a number another type, one attribute is gone and one is new.
enum VersionedModel {
    /// The default value of the attribute that the second version adds.
    static let newText = "new"

    /// - Parameter isNamed: whether the versions have identifiers, so that a store isn't migrated to a former one.
    static func make(_ version: Int, isNamed: Bool) -> NSManagedObjectModel {
        let entry = FaultModel.entity("Entry", entryAttributes(version))
        let note = FaultModel.entity("Note", [FaultModel.attribute("memo", .stringAttributeType)])
        let group = FaultModel.entity("Group", [FaultModel.attribute("name", .stringAttributeType)])
        let tag = FaultModel.entity("Tag", [FaultModel.attribute("name", .stringAttributeType)])
        let counter = FaultModel.entity("Counter", [FaultModel.attribute("number", .integer64AttributeType)])
        pair(group, "members", .cascadeDeleteRule, entry, "group", isToOne: true)
        pair(tag, "entries", .nullifyDeleteRule, entry, "tags", isToOne: false)
        entry.subentities = [note]
        var entities = [entry, note, group, tag, counter]
        if version == 2 {
            let draft = FaultModel.entity("Draft", [FaultModel.attribute("hint", .stringAttributeType)])
            entry.subentities = [draft, note]
            entities += [draft, FaultModel.entity("Annex", [FaultModel.attribute("street", .stringAttributeType)])]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        if isNamed { model.versionIdentifiers = ["\(version)"] }
        return model
    }

    static func textKey(_ version: Int) -> String { version == 1 ? "text" : "title" }

    private static func entryAttributes(_ version: Int) -> [NSAttributeDescription] {
        let image = FaultModel.attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        let text = FaultModel.attribute(textKey(version), .stringAttributeType)
        text.renamingIdentifier = textKey(3 - version)
        let own: NSAttributeDescription
        if version == 1 {
            own = FaultModel.attribute("seen", .integer64AttributeType)
        } else {
            own = FaultModel.attribute("extra", .stringAttributeType)
            own.defaultValue = newText
        }
        return [
            FaultModel.attribute("name", .stringAttributeType), FaultModel.attribute("owner", .integer64AttributeType),
            FaultModel.attribute("slot", .integer64AttributeType),
            FaultModel.attribute("position", version == 1 ? .integer64AttributeType : .doubleAttributeType),
            text, image, own,
        ]
    }

    private static func pair(
        _ owner: NSEntityDescription, _ name: String, _ rule: NSDeleteRule, _ member: NSEntityDescription,
        _ inverseName: String, isToOne: Bool
    ) {
        let members = FaultModel.relationship(name, member, rule)
        members.maxCount = 0
        members.isOrdered = isToOne
        let inverse = FaultModel.relationship(inverseName, owner, .nullifyDeleteRule)
        inverse.maxCount = isToOne ? 1 : 0
        members.inverseRelationship = inverse
        inverse.inverseRelationship = members
        owner.properties.append(members)
        member.properties.append(inverse)
    }
}
