import CoreDataModel
import OpenCoreData

/// What is to be known of a relationship beside its destination, in words.
struct RelationshipOutline {
    let relationship: NSRelationshipDescription

    var notes: String {
        var notes: [String] = []
        if let inverse = relationship.inverseRelationship?.name { notes.append("inverse \(inverse)") }
        notes.append(ModelFormatter.name(of: relationship.deleteRule).lowercased())
        if !relationship.isOptional { notes.append("required") }
        if relationship.isTransient { notes.append("transient") }
        if let count { notes.append(count) }
        return (notes + PropertyOutline(property: relationship).notes).joined(separator: ", ")
    }

    /// The bounds of a to-many relationship, where the model sets any; a maximum of 0 means none.
    private var count: String? {
        guard relationship.isToMany, relationship.minCount > 0 || relationship.maxCount > 0 else { return nil }
        let maximum = relationship.maxCount == 0 ? "" : "\(relationship.maxCount)"
        return "count \(relationship.minCount)...\(maximum)"
    }
}
