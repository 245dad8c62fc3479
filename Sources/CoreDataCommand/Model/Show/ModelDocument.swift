import CoreDataModel
import OpenCoreData

/// A model as JSON has it: everything it says, sorted by name; what it doesn't say is left out.
struct ModelDocument: Encodable {
    let checksum: String
    let versionIdentifiers: [String]
    let entities: [EntityDocument]
    /// The names of the member entities by the configuration's name.
    let configurations: [String: [String]]
    let fetchRequests: [FetchRequestDocument]
    let localization: [String: String]?
    /// What the source file says to Xcode's editor.
    let editor: [String: String]?

    init(_ model: NSManagedObjectModel) {
        checksum = model.versionChecksum
        versionIdentifiers = model.versionIdentifiers.map { ModelFormatter.text(of: $0.base) }.sortedBytewise()
        entities = model.entities.sortedBytewise { $0.name ?? "" }.map(EntityDocument.init)
        configurations = Dictionary(
            model.configurations.map { name in
                (
                    name,
                    (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sortedBytewise()
                )
            }, uniquingKeysWith: { first, _ in first })
        fetchRequests = model.fetchRequestTemplatesByName.sortedBytewise { $0.key }
            .map { FetchRequestDocument($0.value, name: $0.key) }
        localization = model.localizationDictionary
        editor = model.sourceAttributes.isEmpty ? nil : model.sourceAttributes
    }
}

/// An entity, with the properties that it declares itself.
struct EntityDocument: Encodable {
    struct Index: Encodable {
        let name: String
        let elements: [Element]
        let predicate: String?
    }

    struct Element: Encodable {
        let property: String?
        let expression: String?
        let type: String
        let ascending: Bool
    }

    let name: String
    let parent: String?
    let abstract: Bool
    let `class`: String?
    let hash: String
    let hashModifier: String?
    let renamingIdentifier: String?
    let spotlightDisplayName: String?
    let attributes: [AttributeDocument]
    let relationships: [RelationshipDocument]
    let fetchedProperties: [FetchedPropertyDocument]
    let indexes: [Index]
    let constraints: [[String]]
    let compoundIndexes: [[String]]
    let userInfo: [String: String]?
    let editor: [String: String]?

    init(_ entity: NSEntityDescription) {
        name = entity.name ?? ""
        parent = entity.superentityName
        abstract = entity.isAbstract
        `class` = entity.explicitClassName
        hash = Hexadecimal.text(of: entity.versionHash)
        hashModifier = entity.versionHashModifier
        renamingIdentifier = entity.explicitRenamingIdentifier
        spotlightDisplayName = entity.explicitSpotlightDisplayName.map(ModelFormatter.text(of:))
        let properties = entity.declaredProperties.sortedBytewise { $0.name }
        attributes = properties.compactMap { $0 as? NSAttributeDescription }.map(AttributeDocument.init)
        relationships = properties.compactMap { $0 as? NSRelationshipDescription }.map(RelationshipDocument.init)
        fetchedProperties = properties.compactMap { $0 as? NSFetchedPropertyDescription }.map(
            FetchedPropertyDocument.init)
        indexes = entity.indexes.sortedBytewise { $0.name }.map { index in
            Index(
                name: index.name, elements: index.elements.map(Self.element),
                predicate: index.partialIndexPredicate?.predicateText)
        }
        constraints = entity.uniquenessConstraintNames
        compoundIndexes = entity.compoundIndexNames
        userInfo = UserInfoDocument.of(entity.userInfo)
        editor = entity.sourceAttributes.isEmpty ? nil : entity.sourceAttributes
    }

    private static func element(_ element: NSFetchIndexElementDescription) -> Element {
        let expression = (element.property as? NSExpressionDescription)?.expression
        return Element(
            property: expression == nil ? element.propertyName : nil,
            expression: expression.map(ModelFormatter.text(of:)),
            type: element.collationType == .rTree ? "R-tree" : "binary", ascending: element.isAscending)
    }
}

/// A user info as texts.
enum UserInfoDocument {
    static func of(_ userInfo: [AnyHashable: Any]?) -> [String: String]? {
        guard let userInfo, !userInfo.isEmpty else { return nil }
        return Dictionary(
            userInfo.map { (ModelFormatter.text(of: $0.key.base), ModelFormatter.text(of: $0.value)) },
            uniquingKeysWith: { first, _ in first })
    }
}
