// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import Digests

/// The scopes of a server, by the entities of their objects.
struct SyncScopes: @unchecked Sendable {
    // Sendable: nothing in it changes.

    /// A relationship that leads from an object to others that belong to the same scope.
    struct Hop: Hashable {
        let relationship: NSRelationshipDescription
        let inverse: NSRelationshipDescription

        /// The entity of the objects that lead to others.
        var source: NSEntityDescription { relationship.entity }
        var destination: NSEntityDescription? { relationship.destinationEntity }
    }

    /// A way from the objects of a template to those of an entity.
    struct Route {
        let term: SyncScopeTerm
        let root: NSEntityDescription
        let hops: [Hop]

        var entity: NSEntityDescription? { hops.last?.destination ?? root }
    }

    let routes: [Route]
    /// The relationships of all scopes, each once.
    let hops: [Hop]
    /// Tells scopes apart that were declared differently.
    let digest: Int64

    /// - Throws: ``SyncScopeError`` for a template that can't be a scope, and for objects that would refer to an object
    ///   outside of their scope by a relationship that needs one.
    init(_ scopes: [SyncScope], _ model: NSManagedObjectModel, _ schema: SyncSchema) throws {
        var routes: [Route] = []
        for scope in scopes { routes += try Self.routes(of: scope, model, schema) }
        self.routes = routes
        var seen: Set<Hop> = []
        hops = routes.flatMap(\.hops).filter { seen.insert($0).inserted }
        let text = scopes.map { scope in
            let predicate = model.fetchRequestTemplate(forName: scope.template)?.predicate
            return [scope.template, predicate.map { "\($0)" } ?? "", scope.follows.joined(separator: ",")]
                .joined(separator: "\u{0}")
        }.joined(separator: "\u{0}\u{0}")
        digest = SHA256.hash(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        try checkReferences(schema)
    }

    private static func routes(
        of scope: SyncScope, _ model: NSManagedObjectModel, _ schema: SyncSchema
    ) throws -> [Route] {
        func refuse(_ text: String) -> SyncScopeError { SyncScopeError(template: scope.template, text: text) }
        guard let template = model.fetchRequestTemplate(forName: scope.template) else {
            throw refuse("The model has no fetch request template of this name.")
        }
        guard let root = template.entityName.flatMap({ model.entitiesByName[$0] }), schema.entity(root) != nil
        else { throw refuse("Its entity doesn't travel.") }
        guard template.includesSubentities, template.fetchLimit == 0, template.fetchOffset == 0 else {
            throw refuse("It has a limit, an offset, or no subentities.")
        }
        let terms = try SyncScopeTerm.terms(
            of: template.predicate, template: scope.template, entity: root, schema)
        var ways: [[Hop]] = [[]]
        for path in scope.follows {
            var (hops, entity): ([Hop], NSEntityDescription?) = ([], root)
            for key in path.split(separator: ".").map(String.init) {
                guard let relationship = entity?.relationshipsByName[key] else {
                    throw refuse("“\(entity?.name ?? "")” has no relationship “\(key)”.")
                }
                guard let inverse = relationship.inverseRelationship,
                    let destination = relationship.destinationEntity,
                    schema.entity(destination) != nil
                else { throw refuse("“\(key)” has no inverse relationship, or leads to objects that don't travel.") }
                // Objects of a superentity would lead there, too.
                guard inverse.destinationEntity?.name == entity?.name else {
                    throw refuse(
                        "“\(key)” is a relationship of “\(inverse.destinationEntity?.name ?? "")”, not of "
                            + "“\(entity?.name ?? "")”.")
                }
                hops.append(Hop(relationship: relationship, inverse: inverse))
                entity = destination
                if !ways.contains(hops) { ways.append(hops) }
            }
        }
        return terms.flatMap { term in ways.map { Route(term: term, root: root, hops: $0) } }
    }

    /// The routes to the objects of an entity.
    func routes(to entity: NSEntityDescription) -> [Route] {
        routes.filter { route in route.entity.map { entity.isKindOf(entity: $0) } ?? false }
    }

    /// The relationships that lead from the objects of an entity.
    func hops(from entity: NSEntityDescription) -> [Hop] { hops.filter { entity.isKindOf(entity: $0.source) } }

    // MARK: Required references

    /// Checks that each object of a scope has the ends of the relationships that need one in the same scope.
    private func checkReferences(_ schema: SyncSchema) throws {
        for route in routes {
            for entity in route.entity?.withSubentities ?? [] {
                for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
                where Self.isRequired(relationship) && !isClosed(relationship, route, schema) {
                    throw SyncScopeError(
                        template: String(route.term.name.prefix { $0 != "/" }),
                        text: """
                            An object of “\(entity.name ?? "")” needs an object for “\(relationship.name)”, which \
                            isn't in the scope: follow the relationship, or make it optional.
                            """)
                }
            }
        }
    }

    private static func isRequired(_ relationship: NSRelationshipDescription) -> Bool {
        relationship.isToMany ? relationship.minCount > 0 : !relationship.isOptional
    }

    private func isClosed(_ relationship: NSRelationshipDescription, _ route: Route, _ schema: SyncSchema) -> Bool {
        // An object that doesn't travel isn't needed on the replica either: its model says so.
        guard let destination = relationship.destinationEntity, schema.entity(destination) != nil else { return true }
        if let last = route.hops.last, last.inverse.name == relationship.name, !last.inverse.isToMany { return true }
        return routes.contains { other in
            guard let reached = other.entity, destination.isKindOf(entity: reached) else { return false }
            // All objects of the entity are in the scope of everybody.
            if other.hops.isEmpty, other.term.comparisons.isEmpty, other.term.conditions.isEmpty { return true }
            return other.term.name == route.term.name && other.hops.count == route.hops.count + 1
                && other.hops.dropLast() == route.hops[...] && other.hops.last?.relationship.name == relationship.name
        }
    }
}

extension NSEntityDescription {
    /// The entity and all below it.
    fileprivate var withSubentities: [NSEntityDescription] { [self] + subentities.flatMap(\.withSubentities) }
}

// MARK: Predicates

extension SyncScopes.Route {
    /// Selects the objects of the route, with the constants as variables.
    var predicate: NSPredicate {
        predicate(hops.reversed().map(\.inverse)[...], Base(variable: nil, prefix: []), depth: 0)
    }

    /// The beginning of the key paths of a predicate.
    private struct Base {
        let variable: String?
        let prefix: [String]

        func appending(_ key: String) -> Base { Base(variable: variable, prefix: prefix + [key]) }

        /// The expression in a format string.
        func text(_ keyPath: String?) -> String {
            let keys = (variable.map { ["$" + $0] } ?? []) + prefix.map(Self.quoted) + (keyPath.map { [$0] } ?? [])
            return keys.isEmpty ? "SELF" : keys.joined(separator: ".")
        }

        /// A key that may be a word of predicates.
        static func quoted(_ key: String) -> String { "#" + key }
    }

    private func predicate(
        _ inverses: ArraySlice<NSRelationshipDescription>, _ base: Base, depth: Int
    ) -> NSPredicate {
        guard let inverse = inverses.first else { return predicate(base) }
        let rest = inverses.dropFirst()
        guard inverse.isToMany else { return predicate(rest, base.appending(inverse.name), depth: depth) }
        let variable = "scope\(depth)"
        let inner = predicate(rest, Base(variable: variable, prefix: []), depth: depth + 1)
        let collection = NSExpression(format: base.appending(inverse.name).text(nil))
        let objects = NSExpression(forSubquery: collection, usingIteratorVariable: variable, predicate: inner)
        return NSComparisonPredicate(
            leftExpression: NSExpression(
                forFunction: objects, selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forConstantValue: "@count")]),
            rightExpression: NSExpression(forConstantValue: 0), modifier: .direct, type: .greaterThan, options: [])
    }

    /// The conjunction of the template, about the objects of a base.
    private func predicate(_ base: Base) -> NSPredicate {
        var parts = term.comparisons.map { comparison in
            NSPredicate(format: "\(base.text(quoted(comparison.keyPath))) IN $\(comparison.variable)")
        }
        if !base.prefix.isEmpty { parts.append(NSPredicate(format: "\(base.text(nil)) != nil")) }
        parts += term.conditions.map { rewritten($0, base) }
        return parts.isEmpty ? NSPredicate(value: true) : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }

    private func quoted(_ keyPath: String) -> String {
        keyPath.split(separator: ".").map { Base.quoted(String($0)) }.joined(separator: ".")
    }

    private func rewritten(_ predicate: NSPredicate, _ base: Base) -> NSPredicate {
        switch predicate {
        case let compound as NSCompoundPredicate:
            NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: compound.subpredicates.map { rewritten($0, base) })
        case let comparison as NSComparisonPredicate:
            NSComparisonPredicate(
                leftExpression: rewritten(comparison.leftExpression, base),
                rightExpression: rewritten(comparison.rightExpression, base),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
        default: predicate
        }
    }

    private func rewritten(_ expression: NSExpression, _ base: Base) -> NSExpression {
        switch expression.expressionType {
        case .keyPath: NSExpression(format: base.text(quoted(expression.keyPath)))
        case .evaluatedObject: NSExpression(format: base.text(nil))
        case .aggregate:
            NSExpression(
                forAggregate: (expression.collection as? [NSExpression] ?? []).map { rewritten($0, base) })
        default: expression
        }
    }
}
