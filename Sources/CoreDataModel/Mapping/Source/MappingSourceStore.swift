/// The objects of a source mapping model (`xcmapping.xml`), which is a store of Core Data in XML.
struct MappingSourceStore {
    private(set) var objects: [String: MappingSourceObject] = [:]
    /// The mapping models among them; a sound file has one.
    private(set) var models: [MappingSourceObject] = []

    /// Adds an object; false if there is one with its ID already.
    mutating func add(_ object: MappingSourceObject) -> Bool {
        if object.type == MappingSourceObject.modelType { models.append(object) }
        return objects.updateValue(object, forKey: object.id) == nil
    }
}

/// An object of a source mapping model: attributes as text, relationships as IDs. An attribute that is absent is nil.
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

    /// An attribute's text; nil also for the empty text.
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
