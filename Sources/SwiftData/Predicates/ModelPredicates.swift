// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Swift predicates over models as predicates of fetch requests.
enum ModelPredicates {
    /// The predicate of a fetch request.
    ///
    /// - Throws: `SwiftDataError.unsupportedPredicate` with the part that can't be translated.
    static func predicate<T: PersistentModel>(_ predicate: Predicate<T>, in context: ModelContext) throws
        -> NSPredicate
    {
        try translating(T.self) {
            try PredicateTranslation.predicate(of: predicate, types: ModelPredicateTypes(context))
        }
    }

    /// The predicate of a fetch request template, whose variables have names.
    ///
    /// - Throws: `SwiftDataError.unsupportedPredicate` with the part that can't be translated.
    static func template<each Input>(
        _ predicate: Predicate<repeat each Input>, of type: any PersistentModel.Type, variables: [String]
    ) throws -> NSPredicate {
        try translating(type) {
            try PredicateTranslation.predicate(of: predicate, names: variables, types: ModelPredicateTypes(nil))
        }
    }

    private static func translating(_ type: any PersistentModel.Type, _ body: () throws -> NSPredicate) throws
        -> NSPredicate
    {
        do {
            return try body()
        } catch let error as UntranslatableError {
            throw SwiftDataError(
                .unsupportedPredicate, "A predicate of \(type) can't be translated: \(error.description).")
        }
    }
}

/// The meaning of models, their identifiers, and their composite attributes in predicates.
private struct ModelPredicateTypes: PredicateTypes {
    /// The context of the fetch; nil for a template.
    private let context: ModelContext?

    init(_ context: ModelContext?) { self.context = context }

    // MARK: Properties

    func property(_ keyPath: AnyKeyPath, of root: NSExpression) throws -> NSExpression? {
        let type = Swift.type(of: keyPath)
        guard type.rootType is any PersistentModel.Type else { return structureProperty(keyPath, of: root) }
        if let name = ModelKeyPaths.name(of: keyPath) {
            let element = ModelKeyPaths.rawElement(of: type.valueType, name: name).map { ".\($0)" } ?? ""
            return root.appendingKeyPath(name + element)
        }
        // The identifier of a model is compared as the model is.
        if type.valueType == PersistentIdentifier.self { return root }
        throw UntranslatableError("\(keyPath), which is no stored property")
    }

    /// A property of a structure that is stored as a composite attribute.
    private func structureProperty(_ keyPath: AnyKeyPath, of root: NSExpression) -> NSExpression? {
        let type = Swift.type(of: keyPath)
        guard let shape = CompositeShape(of: type.rootType, named: ""), case .structure = shape.form,
            !(TypeKind.unwrapped(type.rootType).type is any RawRepresentable.Type),
            let name = KeyPathComponents(keyPath)?.names(fromStructure: type.rootType)?.joined(separator: ".")
        else { return nil }
        let element = ModelKeyPaths.rawElement(of: type.valueType, name: name).map { ".\($0)" } ?? ""
        return root.appendingKeyPath(name + element)
    }

    // MARK: Constants

    func constant(_ value: Any) throws -> Any? {
        guard let context else {
            guard value is any PersistentModel || value is PersistentIdentifier else { return nil }
            throw UntranslatableError("a model as a constant: a template is of no context")
        }
        if let model = value as? any PersistentModel {
            let object = model.storage.object
            return context.objectID(of: PersistentIdentifier(object.objectID)) ?? object.objectID
        }
        if let identifier = value as? PersistentIdentifier {
            return context.rowID(of: identifier) ?? missingObjectID(of: identifier, in: context)
        }
        return nil
    }

    /// An ID of no object, for an identifier of no store of the container.
    private func missingObjectID(of identifier: PersistentIdentifier, in context: ModelContext) -> NSManagedObjectID? {
        let model = context.managed.schemaModel
        let entity = model.entitiesByName[identifier.entityName] ?? model.entities.first
        return entity.map { NSManagedObjectID(layout: $0.entityLayout, store: nil, key: .min) }
    }

    func elements(of type: any Any.Type, value: Any?) throws -> [(path: String, value: Any?)]? {
        let type = TypeKind.unwrapped(type).type
        guard let shape = CompositeShape(of: type, named: ""), !(type is any RawRepresentable.Type) else { return nil }
        var values: [String: Any] = [:]
        if let value {
            guard let encodable = value as? any Encodable else { return nil }
            values = try CompositeEncoding.dictionary(of: encodable, named: "")
        }
        return Self.leaves(of: shape, values, prefix: "")
    }

    private static func leaves(of shape: CompositeShape, _ values: [String: Any], prefix: String)
        -> [(path: String, value: Any?)]
    {
        shape.elements.flatMap { element -> [(path: String, value: Any?)] in
            guard element.form.isComposite, let inner = CompositeShape(of: element.type, named: element.name) else {
                return [(prefix + element.name, values[element.name])]
            }
            let values = values[element.name] as? [String: Any] ?? [:]
            return leaves(of: inner, values, prefix: "\(prefix)\(element.name).")
        }
    }

    func isAlwaysPresent(_ type: any Any.Type) -> Bool {
        let type = TypeKind.unwrapped(type).type
        return type is any RelationshipCollection.Type
    }

    // MARK: Classes

    func isOfClass(_ object: NSExpression, _ type: any Any.Type) throws -> NSPredicate? {
        guard let model = TypeKind.unwrapped(type).type as? any PersistentModel.Type else { return nil }
        guard let context else { throw UntranslatableError("the class \(model) in a template") }
        guard let layout = context.managed.schemaModel.layout(of: model) else {
            throw UntranslatableError("the class \(model), which isn't in the schema")
        }
        let entities = context.managed.schemaModel.entities.filter { $0.isKindOf(entity: layout.entity) }
        let comparison = NSComparisonPredicate(
            leftExpression: object.appendingKeyPath("entity"),
            rightExpression: NSExpression(forConstantValue: entities), modifier: .direct, type: .in, options: [])
        comparison.missingValues = .different
        return comparison
    }
}
