// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Unarchives a mapping model. A part with several references is decoded once for each reference; a budget limits the
/// total number.
struct MappingModelUnarchiver {
    private let budget = KeyedArchiveBudget()
    private let predicates: PredicateUnarchiver

    init() { predicates = PredicateUnarchiver(budget: budget) }

    func model(_ root: KeyedArchiveObject) throws -> NSMappingModel {
        guard root.className == "NSMappingModel" else {
            throw keyedArchiveError("it contains an object of class \(root.className), not a mapping model")
        }
        let model = NSMappingModel()
        guard let archived = try root.objects("NSEntityMappings") else {
            throw root.typeMismatch("NSEntityMappings", "the entity mappings")
        }
        model.entityMappings = try archived.map(entityMapping)
        return model
    }

    private func entityMapping(_ object: KeyedArchiveObject) throws -> NSEntityMapping {
        guard object.className == "NSEntityMapping" else {
            throw keyedArchiveError("an object of class \(object.className) was found instead of an entity mapping")
        }
        try budget.spend()
        let mapping = NSEntityMapping()
        mapping.name = try object.string("NSMappingName")
        guard let raw = UInt(exactly: try object.integer("NSMappingType") ?? 0),
            let type = NSEntityMappingType(rawValue: raw)
        else {
            throw object.typeMismatch("NSMappingType", "the number of a mapping type, 0 to 5")
        }
        mapping.mappingType = type
        mapping.sourceEntityName = try object.string("NSSourceEntityName")
        mapping.sourceEntityVersionHash = try data(object, "NSSourceEntityVersionHash")
        mapping.destinationEntityName = try object.string("NSDestinationEntityName")
        mapping.destinationEntityVersionHash = try data(object, "NSDestinationEntityVersionHash")
        mapping.sourceExpression = try object.object("NSSourceExpression").map(predicates.expression)
        mapping.entityMigrationPolicyClassName = try object.string("NSEntityMigrationPolicyClassName")
        mapping.attributeMappings = try object.objects("NSAttributeMappings")?.map(propertyMapping)
        mapping.relationshipMappings = try object.objects("NSRelationshipMappings")?.map(propertyMapping)
        mapping.userInfo = try userInfo(object)
        return mapping
    }

    private func propertyMapping(_ object: KeyedArchiveObject) throws -> NSPropertyMapping {
        guard object.className == "NSPropertyMapping" else {
            throw keyedArchiveError("an object of class \(object.className) was found instead of a property mapping")
        }
        try budget.spend()
        let mapping = NSPropertyMapping()
        mapping.name = try object.string("NSDestinationPropertyName")
        mapping.valueExpression = try object.object("NSValueExpression").map(predicates.expression)
        mapping.propertyTransforms = try KeyedArchiveFoundationDecoder.decodeOrPreserve(
            object.value("NSPropertyTransforms"), budget: budget)
        mapping.userInfo = try userInfo(object)
        return mapping
    }

    private func data(_ object: KeyedArchiveObject, _ key: String) throws -> Data? {
        switch try object.value(key) {
        case .none: return nil
        case .plain(.data(let data)): return data
        case .object(let wrapped) where wrapped.className == "NSData" || wrapped.className == "NSMutableData":
            guard let data = wrapped.contents["NS.data"]?.dataValue else { throw object.typeMismatch(key, "data") }
            return data
        default: throw object.typeMismatch(key, "data")
        }
    }

    func userInfo(_ object: KeyedArchiveObject) throws -> [AnyHashable: Any]? {
        guard let archived = try object.object("NSUserInfo") else { return nil }
        return try entries(archived)
    }

    /// Decodes a dictionary. Values of classes that only the application knows stay undecoded.
    func entries(_ dictionary: KeyedArchiveObject) throws -> [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for (key, value) in try dictionary.pairs() {
            guard let key = try KeyedArchiveFoundationDecoder.decodeOrPreserve(key, budget: budget) as? AnyHashable
            else {
                throw keyedArchiveError("a key of the user info is nil")
            }
            result[key] = try KeyedArchiveFoundationDecoder.decodeOrPreserve(value, budget: budget) ?? NSNull()
        }
        return result
    }
}
