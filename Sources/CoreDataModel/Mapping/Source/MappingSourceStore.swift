// SPDX-License-Identifier: Apache-2.0

/// The objects of a source mapping model (`xcmapping.xml`), which is an XML store of Core Data.
struct MappingSourceStore {
    private(set) var objects: [String: MappingSourceObject] = [:]
    /// The mapping models among the objects. A valid file has one.
    private(set) var models: [MappingSourceObject] = []

    /// Adds an object; returns false if the store has an object with its ID already.
    mutating func add(_ object: MappingSourceObject) -> Bool {
        if object.type == MappingSourceObject.modelType { models.append(object) }
        return objects.updateValue(object, forKey: object.id) == nil
    }
}

/// An object of a source mapping model. Attributes are texts, relationships are IDs.
struct MappingSourceObject {
    static let modelType = "XDDEVMAPPINGMODEL"
    static let entityMappingType = "XDDEVENTITYMAPPING"
    static let attributeMappingType = "XDDEVATTRIBUTEMAPPING"
    static let relationshipMappingType = "XDDEVRELATIONSHIPMAPPING"

    let type: String
    let id: String
    /// The line in the file.
    let line: Int
    var attributes: [String: String] = [:]
    var relationships: [String: [String]] = [:]

    /// The text of an attribute; nil also for an empty text.
    func text(_ name: String) -> String? {
        guard let text = attributes[name], !text.isEmpty else { return nil }
        return text
    }

    func flag(_ name: String, whenAbsent absent: Bool) -> Bool {
        switch text(name) {
        case nil: absent
        case "1", "YES", "true": true
        default: false
        }
    }
}
