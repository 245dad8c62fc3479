// SPDX-License-Identifier: Apache-2.0

/// The operation of an `@NSManaged` method on a to-many relationship, from the method's name.
struct RelationshipMethod {
    enum Operation {
        /// Adds or removes one object, or the objects of a collection.
        case add, remove
        /// Inserts, removes or replaces objects at one index or at several.
        case insertAt, removeAt, replaceAt

        var parameterCount: Int { self == .insertAt || self == .replaceAt ? 2 : 1 }
    }

    let operation: Operation
    /// The name of the relationship, with a lowercase first letter. The framework also finds a relationship with an
    /// uppercase first letter: `addToURLs` is a method for `URLs`.
    let key: String

    /// - Parameters:
    ///   - name: the method's name without labels.
    ///   - labels: its argument labels, nil for `_`.
    ///   - selector: the name in `@objc(…)`, which takes precedence.
    init?(name: String, labels: [String?], selector: String? = nil) {
        let selectorParts = selector.map { $0.split(separator: ":").map(String.init) } ?? []
        let found =
            (selectorParts.first.flatMap { Self.parse($0, [nil] + selectorParts.dropFirst().map(Optional.some)) })
            ?? Self.parse(name, labels)
        // A selector may have another number of parameters than the method.
        guard let found, found.0.parameterCount == labels.count else { return nil }
        (operation, key) = found
    }

    /// A form of a method's name: the operation, and what stands before and after the key.
    private typealias NameForm = (operation: Operation, prefix: String, suffix: String)

    private static func parse(_ name: String, _ labels: [String?]) -> (Operation, String)? {
        switch labels {
        case [nil]:
            let forms: [NameForm] = [
                (.add, "addTo", ""), (.remove, "removeFrom", ""),
                (.removeAt, "removeObjectFrom", "AtIndex"), (.removeAt, "remove", "AtIndexes"),
                (.add, "add", "Object"), (.remove, "remove", "Object"),
                (.add, "add", ""), (.remove, "remove", ""),
            ]
            return match(name, forms)
        case ["at"]:
            return match(name, [(.removeAt, "removeFrom", ""), (.removeAt, "remove", "")])
        case [nil, "at"]:
            return match(name, [(.insertAt, "insertInto", ""), (.insertAt, "insert", "")])
        case [nil, "atIndexes"]:
            return match(name, [(.insertAt, "insert", "")])
        case ["at", "with"]:
            return match(name, [(.replaceAt, "replace", "")])
        default:
            guard labels.count == 2, labels[0] == nil, let second = labels[1] else { return nil }
            if name == "insertObject" { return match(second, [(.insertAt, "in", "AtIndex")]) }
            if second == "withObject" || second == "with" {
                return match(name, [(.replaceAt, "replaceObjectIn", "AtIndex")])
            }
            return second.hasPrefix("with") ? match(name, [(.replaceAt, "replace", "AtIndexes")]) : nil
        }
    }

    /// The operation and the key of the first form that a name has.
    private static func match(_ name: String, _ forms: [NameForm]) -> (Operation, String)? {
        for form in forms {
            if let key = between(form.prefix, name, form.suffix) { return (form.operation, key) }
        }
        return nil
    }

    /// The part between a prefix and a suffix, with a lowercase first letter. Nil if it begins with a lowercase letter.
    private static func between(_ prefix: String, _ name: String, _ suffix: String) -> String? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
            return nil
        }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard let first = middle.first, !first.isLowercase else { return nil }
        return first.lowercased() + middle.dropFirst()
    }

    /// The statement that performs the operation.
    ///
    /// - Parameters:
    ///   - arguments: the names of the method's parameters.
    ///   - property: an expression for the `ManagedRelationship`.
    func statement(arguments: [String], property: String) -> String {
        switch operation {
        case .add: "self.add(\(arguments[0]), to: \(property))"
        case .remove: "self.remove(\(arguments[0]), from: \(property))"
        case .insertAt: "self.insert(\(arguments[0]), into: \(property), at: \(arguments[1]))"
        case .removeAt: "self.remove(at: \(arguments[0]), from: \(property))"
        case .replaceAt: "self.replace(at: \(arguments[0]), in: \(property), with: \(arguments[1]))"
        }
    }

    /// Whether the types of the parameters match the operation.
    func accepts(_ parameters: [ResolvedType]) -> Bool {
        switch operation {
        case .add, .remove: parameters.count == 1 && (Self.isObject(parameters[0]) || Self.isCollection(parameters[0]))
        case .insertAt: parameters.count == 2 && Self.fits(content: parameters[0], index: parameters[1])
        case .removeAt: parameters.count == 1 && (Self.isIndex(parameters[0]) || Self.isIndexSet(parameters[0]))
        case .replaceAt: parameters.count == 2 && Self.fits(content: parameters[1], index: parameters[0])
        }
    }

    private static func fits(content: ResolvedType, index: ResolvedType) -> Bool {
        isIndex(index) ? isObject(content) : isIndexSet(index) && isCollection(content)
    }

    private static func isObject(_ type: ResolvedType) -> Bool {
        if case .nominal = type.symbol { return type.isManagedObject }
        return false
    }

    private static func isCollection(_ type: ResolvedType) -> Bool {
        switch type.symbol {
        case .set, .array: true
        case .nominal(nil, "Foundation", let name, "C", _):
            ["NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSArray"].contains(name)
        default: false
        }
    }

    private static func isIndex(_ type: ResolvedType) -> Bool { type.symbol == .standard("i") }

    private static func isIndexSet(_ type: ResolvedType) -> Bool {
        if case .nominal(nil, _, let name, _, _) = type.symbol {
            return name == "NSIndexSet" || name == "IndexSet" || name == "NSMutableIndexSet"
        }
        return false
    }

    /// The supported method names, for messages.
    static let knownForms =
        """
        addToX(_:), removeFromX(_:), insertIntoX(_:at:), removeFromX(at:), replaceX(at:with:), addXObject(_:), \
        removeXObject(_:), addX(_:), removeX(_:) and the names of key-value coding for ordered relationships
        """
}

/// The names of primitive properties, which access the value without change notifications.
enum PrimitiveName {
    /// Whether the name denotes a primitive property: `primitiveTitle`.
    static func isPrimitive(_ name: String) -> Bool {
        guard name.hasPrefix("primitive"), let first = name.dropFirst("primitive".count).first else { return false }
        return !first.isLowercase
    }
}
