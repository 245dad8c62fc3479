// SPDX-License-Identifier: Apache-2.0

/// The meaning of a derived attribute's expression, recognized once for the checks of models and for all stores.
package struct Derivation: @unchecked Sendable {
    package enum Form {
        /// The number of objects in a to-many relationship.
        case count(NSRelationshipDescription)
        /// The sum of an attribute of the objects in a to-many relationship.
        case sum(NSRelationshipDescription, NSAttributeDescription)
        /// An attribute of the object at a to-one relationship.
        case related(NSRelationshipDescription, NSAttributeDescription)
        /// Another key path, another function of key paths, or the time: computed when the object itself is saved.
        case own
        /// An expression that no store computes.
        case unsupported(Mismatch)
    }

    package let expression: NSExpression
    package let form: Form
    /// The key paths that the expression reads, as it writes them; empty if no store computes it.
    package let keyPaths: [String]

    /// The relationship whose objects change the value: the store keeps it up to date when they are saved.
    package var relationship: NSRelationshipDescription? {
        switch form {
        case .count(let relationship), .sum(let relationship, _), .related(let relationship, _): relationship
        case .own, .unsupported: nil
        }
    }

    /// Recognizes the expression of a derived attribute that an entity declares.
    init(_ expression: NSExpression, of entity: NSEntityDescription?) {
        self.expression = expression
        do {
            let paths = try Self.keyPaths(of: expression)
            keyPaths = paths
            form = entity.flatMap { Self.overRelationship(expression, paths, of: $0) } ?? .own
        } catch {
            keyPaths = []
            form = .unsupported(error)
        }
    }

    /// The functions of to-many relationships, as the operators of key paths that mean the same.
    private static let operators = ["count:": "@count", "sum:": "@sum"]
    private static let functions: Set<String> = ["canonical:", "uppercase:", "lowercase:", "now"]

    private static func keyPaths(of expression: NSExpression) throws(Mismatch) -> [String] {
        switch expression.expressionType {
        case .keyPath: return [expression.keyPath]
        case .function where functions.contains(expression.function) || operators[expression.function] != nil:
            let arguments = expression.arguments ?? []
            guard arguments.allSatisfy({ $0.expressionType == .keyPath }) else { throw .argument }
            return arguments.map(\.keyPath)
        default: throw .function
        }
    }

    /// `tracks.@count`, `count:(tracks)`, `tracks.length.@sum`, `tracks.@sum.length`, `sum:(tracks.length)` or
    /// `album.title`.
    private static func overRelationship(
        _ expression: NSExpression, _ paths: [String], of entity: NSEntityDescription
    ) -> Form? {
        guard paths.count == 1 else { return nil }
        var keys = KeyPathEvaluation.split(paths[0])
        if expression.expressionType == .function {
            guard let name = operators[expression.function] else { return nil }
            keys.append(name)
        }
        guard let first = keys.first, let relationship = entity.property(named: first) as? NSRelationshipDescription,
            !relationship.isTransient
        else { return nil }
        func attribute(_ name: String) -> NSAttributeDescription? {
            let attribute = relationship.destinationEntity?.property(named: name) as? NSAttributeDescription
            return attribute?.isTransient == true || attribute is NSCompositeAttributeDescription ? nil : attribute
        }
        switch (relationship.isToMany, keys.count) {
        case (false, 2): return attribute(keys[1]).map { .related(relationship, $0) }
        case (true, 2): return keys[1] == "@count" ? .count(relationship) : nil
        case (true, 3):
            guard let position = keys[1...].firstIndex(of: "@sum") else { return nil }
            return attribute(keys[3 - position]).map { .sum(relationship, $0) }
        default: return nil
        }
    }

    /// The part of an expression that no store computes.
    package enum Mismatch: Error, CustomStringConvertible {
        case argument
        case function

        /// The end of a sentence about the derivation.
        package var description: String {
            switch self {
            case .argument: "has an argument that is not a key path"
            case .function: "is not a key path, count:, sum:, canonical:, uppercase:, lowercase: or now()"
            }
        }
    }
}

extension NSDerivedAttributeDescription {
    /// The derivation, recognized; nil without an expression.
    package final var derivation: Derivation? { derivationExpression.map { Derivation($0, of: owningEntity) } }
}
