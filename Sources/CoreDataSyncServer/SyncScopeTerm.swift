// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import Digests

/// A conjunction of a scope's predicate: comparisons of attributes with constants, and other conditions.
struct SyncScopeTerm {
    /// A comparison of an attribute with a constant.
    struct Comparison {
        let keyPath: String
        let constant: String
        var isUUID = false

        /// The variable of the constant's values in predicates.
        var variable: String { isUUID ? Self.uuids(constant) : constant }

        /// The variable of a constant whose values are compared with UUIDs.
        static func uuids(_ constant: String) -> String { constant + "_uuids" }

        /// A value of a token as one of the attribute: tokens have texts for UUIDs. Nil for one that it can't have.
        func converted(_ value: SyncValue) -> SyncValue? {
            switch value {
            case .text(let text) where isUUID: UUID(uuidString: text).map(SyncValue.uuid)
            case .uuid(let uuid) where !isUUID: .text(uuid.uuidString)
            default: value
            }
        }
    }

    /// Identifies the conjunction among those of all scopes.
    let name: String
    private(set) var comparisons: [Comparison]
    let conditions: [NSPredicate]

    /// The key paths of the conjunction.
    var keyPaths: [String] { comparisons.map(\.keyPath) + conditions.flatMap(Self.keyPaths) }

    /// - Throws: ``SyncScopeError`` for a predicate that isn't a conjunction of what a scope may have.
    init(
        _ predicate: NSPredicate?, name: String, template: String, entity: NSEntityDescription, _ schema: SyncSchema
    ) throws {
        func refuse(_ text: String) -> SyncScopeError { SyncScopeError(template: template, text: text) }
        var (comparisons, conditions): ([Comparison], [NSPredicate]) = ([], [])
        for part in Self.conjuncts(predicate) {
            let expressions = Self.expressions(part)
            if let other = expressions.first(where: { !Self.allowed.contains($0.expressionType) }) {
                throw refuse("“\(other)” is no key path and no constant.")
            }
            if !expressions.contains(where: { $0.expressionType == .variable }) {
                guard Self.isDirect(part) else { throw refuse("“\(part)” has ANY or ALL.") }
                conditions.append(part)
                continue
            }
            guard let comparison = (part as? NSComparisonPredicate).flatMap(Self.comparison) else {
                throw refuse("“\(part)” is no comparison of an attribute with a constant by == or IN.")
            }
            comparisons.append(comparison)
        }
        self.name = name
        self.comparisons = comparisons
        self.conditions = conditions
        for path in keyPaths { try Self.check(path, entity, template, schema) }
        for (index, comparison) in comparisons.enumerated() {
            let type = Self.attribute(comparison.keyPath, of: entity)?.attributeType
            let allowed: [NSAttributeType] = [
                .stringAttributeType, .UUIDAttributeType, .integer16AttributeType, .integer32AttributeType,
                .integer64AttributeType,
            ]
            guard let type, allowed.contains(type) else {
                throw refuse("“\(comparison.keyPath)” is no attribute with texts, UUIDs or integers.")
            }
            self.comparisons[index].isUUID = type == .UUIDAttributeType
        }
    }

    // MARK: Nodes

    /// The UUIDs that stand for the values of constants, one for each combination. An object of the scope has one of
    /// them.
    ///
    /// - Throws: ``SyncFailure`` for a constant that the token hasn't got, and for too many combinations.
    func nodes(_ account: SyncAccount, limit: Int) throws -> Set<UUID> {
        var combinations: [[SyncValue]] = [[]]
        for comparison in comparisons {
            guard let given = account.constants[comparison.constant] else {
                throw SyncFailure(.badRequest, "The token has no value for $\(comparison.constant).")
            }
            let values = given.compactMap(comparison.converted)
            guard combinations.count * values.count <= limit else {
                throw SyncFailure(.badRequest, "The token has too many values for $\(comparison.constant).")
            }
            combinations = combinations.flatMap { combination in values.map { combination + [$0] } }
        }
        return Set(combinations.map(node))
    }

    /// The UUID for the values of an object; nil if the object isn't in the scope, whatever the constants are.
    func node(of object: NSManagedObject) -> UUID? {
        guard conditions.allSatisfy({ $0.evaluate(with: object) }) else { return nil }
        var values: [SyncValue] = []
        for comparison in comparisons {
            switch object.value(forKeyPath: comparison.keyPath) {
            case let text as String: values.append(.text(text))
            case let uuid as UUID: values.append(.uuid(uuid))
            case let number as NSNumber: values.append(.integer(number.int64Value))
            default: return nil
            }
        }
        return node(values)
    }

    private func node(_ values: [SyncValue]) -> UUID {
        var text = name
        for value in values {
            let part =
                switch value {
                case .text(let text): "t" + text
                case .uuid(let uuid): "u" + uuid.uuidString
                case .integer(let number): "i\(number)"
                default: "?"
                }
            text += "\u{0}\(part.utf8.count):\(part)"
        }
        return SyncIdentity.uuid("\u{0}scope", text) ?? UUID()
    }

    // MARK: Predicates

    /// The conjunctions of a template's predicate.
    static func terms(
        of predicate: NSPredicate?, template: String, entity: NSEntityDescription, _ schema: SyncSchema
    ) throws -> [SyncScopeTerm] {
        var parts = [predicate]
        if let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .or {
            parts = compound.subpredicates
        }
        return try parts.enumerated().map {
            try SyncScopeTerm($1, name: "\(template)/\($0)", template: template, entity: entity, schema)
        }
    }

    private static func conjuncts(_ predicate: NSPredicate?) -> [NSPredicate] {
        guard let predicate else { return [] }
        if let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and {
            return compound.subpredicates.flatMap(conjuncts)
        }
        return [predicate]
    }

    private static func comparison(_ predicate: NSComparisonPredicate) -> Comparison? {
        guard predicate.comparisonPredicateModifier == .direct, predicate.options.isEmpty else { return nil }
        let (left, right) = (predicate.leftExpression, predicate.rightExpression)
        switch (predicate.predicateOperatorType, left.expressionType, right.expressionType) {
        case (.equalTo, .keyPath, .variable), (.in, .keyPath, .variable):
            return Comparison(keyPath: left.keyPath, constant: right.variable)
        case (.equalTo, .variable, .keyPath):
            return Comparison(keyPath: right.keyPath, constant: left.variable)
        default: return nil
        }
    }

    private static func expressions(_ predicate: NSPredicate) -> [NSExpression] {
        switch predicate {
        case let compound as NSCompoundPredicate:
            return compound.subpredicates.flatMap(expressions)
        case let comparison as NSComparisonPredicate:
            return [comparison.leftExpression, comparison.rightExpression].flatMap(parts)
        default: return []
        }
    }

    private static func parts(_ expression: NSExpression) -> [NSExpression] {
        switch expression.expressionType {
        case .aggregate: (expression.collection as? [NSExpression] ?? []).flatMap(parts)
        default: [expression]
        }
    }

    /// Other expressions may give another value without a save.
    private static let allowed: [NSExpression.ExpressionType] = [
        .constantValue, .keyPath, .variable, .evaluatedObject,
    ]

    private static func isDirect(_ predicate: NSPredicate) -> Bool {
        switch predicate {
        case let compound as NSCompoundPredicate: compound.subpredicates.allSatisfy(isDirect)
        case let comparison as NSComparisonPredicate: comparison.comparisonPredicateModifier == .direct
        default: true
        }
    }

    private static func keyPaths(_ predicate: NSPredicate) -> [String] {
        expressions(predicate).filter { $0.expressionType == .keyPath }.map(\.keyPath)
    }

    // MARK: Key paths

    /// Checks that a key path names a property of the objects, or an attribute behind one to-one relationship.
    ///
    /// They have to travel: the server notices no changes of others.
    private static func check(
        _ path: String, _ entity: NSEntityDescription, _ template: String, _ schema: SyncSchema
    ) throws {
        let keys = path.split(separator: ".").map(String.init)
        func travels(_ key: String, _ entity: NSEntityDescription?) -> Bool {
            !(entity.flatMap { schema.entity($0) }?.names([key]).isEmpty ?? true)
        }
        if let first = keys.first, travels(first, entity) {
            switch (keys.count, entity.propertiesByName[first]) {
            case (1, is NSAttributeDescription): return
            case (1, let relationship as NSRelationshipDescription) where !relationship.isToMany: return
            case (2, let relationship as NSRelationshipDescription) where !relationship.isToMany:
                if attribute(path, of: entity) != nil, travels(keys[1], relationship.destinationEntity) { return }
            default: break
            }
        }
        throw SyncScopeError(
            template: template,
            text: """
                “\(path)” is no property of “\(entity.name ?? "")” that travels, nor an attribute behind one to-one \
                relationship.
                """
        )
    }

    private static func attribute(_ path: String, of entity: NSEntityDescription) -> NSAttributeDescription? {
        var entity: NSEntityDescription? = entity
        let keys = path.split(separator: ".").map(String.init)
        for key in keys.dropLast() { entity = entity?.relationshipsByName[key]?.destinationEntity }
        return keys.last.flatMap { entity?.attributesByName[$0] }
    }
}
