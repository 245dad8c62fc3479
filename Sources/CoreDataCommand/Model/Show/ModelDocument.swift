// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The JSON form of a model, complete and sorted by name. Values that the model doesn't set are left out.
struct ModelDocument: Encodable {
    let checksum: String
    let versionIdentifiers: [String]
    let entities: [EntityDocument]
    /// The names of the entities of each configuration.
    let configurations: [String: [String]]
    let fetchRequests: [FetchRequestDocument]
    let localization: [String: String]?
    /// The attributes of the source file for Xcode's editor.
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

/// The JSON form of an entity, without inherited properties.
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

/// The JSON form of a user info, as strings.
enum UserInfoDocument {
    static func of(_ userInfo: [AnyHashable: Any]?) -> [String: String]? {
        guard let userInfo, !userInfo.isEmpty else { return nil }
        return Dictionary(
            userInfo.map { (ModelFormatter.text(of: $0.key.base), ModelFormatter.text(of: $0.value)) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// The JSON form of a fetch request.
struct FetchRequestDocument: Encodable {
    struct SortKey: Encodable {
        let key: String?
        let ascending: Bool
    }

    let name: String?
    let entity: String?
    let predicate: String?
    let sort: [SortKey]
    let limit: Int
    let offset: Int
    let batchSize: Int
    let resultType: UInt
    let includesSubentities: Bool
    let includesPropertyValues: Bool
    let includesPendingChanges: Bool
    let returnsObjectsAsFaults: Bool
    let returnsDistinctResults: Bool
    let shouldRefreshRefetchedObjects: Bool
    let propertiesToFetch: [String]?
    let propertiesToGroupBy: [String]?
    let having: String?
    let prefetching: [String]?

    init(_ request: NSFetchRequest<any NSFetchRequestResult>, name: String?) {
        self.name = name
        entity = request.entityName
        predicate = request.predicate?.predicateText
        sort = (request.sortDescriptors ?? []).map { SortKey(key: $0.key, ascending: $0.ascending) }
        limit = request.fetchLimit
        offset = request.fetchOffset
        batchSize = request.fetchBatchSize
        resultType = request.resultType.rawValue
        includesSubentities = request.includesSubentities
        includesPropertyValues = request.includesPropertyValues
        includesPendingChanges = request.includesPendingChanges
        returnsObjectsAsFaults = request.returnsObjectsAsFaults
        returnsDistinctResults = request.returnsDistinctResults
        shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
        propertiesToFetch = Self.names(request.propertiesToFetch)
        propertiesToGroupBy = Self.names(request.propertiesToGroupBy)
        having = request.havingPredicate?.predicateText
        prefetching = request.relationshipKeyPathsForPrefetching
    }

    private static func names(_ properties: [Any]?) -> [String]? {
        properties?.map { ($0 as? NSPropertyDescription)?.name ?? ModelFormatter.text(of: $0) }
    }
}
