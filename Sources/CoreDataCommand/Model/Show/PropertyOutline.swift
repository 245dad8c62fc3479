import CoreDataModel
import OpenCoreData

/// What is to be known of any property, in words.
struct PropertyOutline {
    let property: NSPropertyDescription

    var notes: [String] {
        var notes: [String] = []
        if let renamed = property.renamingIdentifier, renamed != property.name {
            notes.append("renamed from \(renamed)")
        }
        if let modifier = property.versionHashModifier, !modifier.isEmpty { notes.append("hash modifier \(modifier)") }
        if property.isIndexedBySpotlight { notes.append("indexed by Spotlight") }
        if property.storesInExternalRecord { notes.append("in an external record") }
        notes += zip(property.validationPredicates, property.validationWarnings).map { predicate, warning in
            // Numbers are the error codes of the limits that Xcode's editor offers.
            "valid if \(predicate.predicateText)" + ((warning as? String).map { " (“\($0)”)" } ?? "")
        }
        notes += (property.userInfo ?? [:]).map {
            "user info \(ModelFormatter.text(of: $0.key.base)) = \(ModelFormatter.text(of: $0.value))"
        }
        .sorted()
        return notes
    }
}
