// SPDX-License-Identifier: Apache-2.0

/// The description of a model class without a schema: its own properties, and the names of their key paths.
///
/// Made once for each class. Sendable: immutable; default values and key paths are only read.
final class ModelMetadata: @unchecked Sendable {
    let type: any PersistentModel.Type
    let name: String
    /// The model class that the class inherits from.
    let superclass: ModelMetadata?
    /// The properties that the class declares, without inherited ones.
    let properties: [Schema.PropertyMetadata]
    /// The constraints and indexes that the class declares.
    let declarations: [any SchemaProperty]
    private let namesByKeyPath: [AnyKeyPath: String]

    private static let known = Locked<[ObjectIdentifier: ModelMetadata]>([:])

    static func of(_ type: any PersistentModel.Type) -> ModelMetadata {
        let key = ObjectIdentifier(type)
        if let known = known.withLock({ $0[key] }) { return known }
        // Default values run code of the program, so the lock isn't held.
        let new = ModelMetadata(type)
        return known.withLock { known in
            if let first = known[key] { return first }
            known[key] = new
            return new
        }
    }

    private init(_ type: any PersistentModel.Type) {
        self.type = type
        name = String(describing: type)
        superclass = (_getSuperclass(type) as? any PersistentModel.Type).map { ModelMetadata.of($0) }
        let all = type.schemaMetadata
        declarations = all.compactMap { property in
            property.metadata is any KeyPathDeclaration ? property.metadata : nil
        }
        let inherited = Set(superclass?.allProperties.map(\.name) ?? [])
        properties = all.filter { !($0.metadata is any KeyPathDeclaration) && !inherited.contains($0.name) }
            .map { $0.withTypedDefault }
        var names: [AnyKeyPath: String] = [:]
        for property in all where !(property.metadata is any KeyPathDeclaration) {
            names[property.keypath] = property.name
        }
        namesByKeyPath = names
    }

    /// The properties of the class and its superclasses, inherited ones first.
    var allProperties: [Schema.PropertyMetadata] { (superclass?.allProperties ?? []) + properties }

    /// The classes from this class up to the root class, which inherits from no model class.
    var chain: [ModelMetadata] { [self] + (superclass?.chain ?? []) }

    /// The name of a property, by a key path that leads to it and not further.
    func name(of keyPath: AnyKeyPath) -> String? { namesByKeyPath[keyPath] ?? superclass?.name(of: keyPath) }

    func property(named name: String) -> Schema.PropertyMetadata? {
        properties.first { $0.name == name } ?? superclass?.property(named: name)
    }
}

/// The names of key paths that begin at models.
enum ModelKeyPaths {
    private static let known = Locked<[AnyKeyPath: String?]>([:])

    static func properties(of type: any PersistentModel.Type) -> [Schema.PropertyMetadata] {
        ModelMetadata.of(type).allProperties
    }

    /// The names of key paths. A key path without a name is represented by its description.
    static func names(_ keyPaths: [AnyKeyPath]) -> [String] { keyPaths.map { name(of: $0) ?? "\($0)" } }

    /// The name of a key path of a model, for example `author.name`; nil for a key path to something that isn't stored.
    static func name(of keyPath: AnyKeyPath) -> String? {
        guard let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type else { return nil }
        if let name = ModelMetadata.of(root).name(of: keyPath) { return name }
        if let known = known.withLock({ $0[keyPath] }) { return known }
        let name = KeyPathComponents(keyPath)?.names(fromModel: root)?.joined(separator: ".")
        known.withLock { $0[keyPath] = .some(name) }
        return name
    }

    /// The key by which models are sorted. For an enumeration with raw values it is the key of the raw value.
    static func sortKey(of keyPath: AnyKeyPath) -> String? {
        guard let name = name(of: keyPath) else { return nil }
        return name + (rawElement(of: Swift.type(of: keyPath).valueType, name: name).map { ".\($0)" } ?? "")
    }

    /// The element with the value of a type that is stored as a composite attribute of one element.
    static func rawElement(of type: any Any.Type, name: String) -> String? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        guard let shape = CompositeShape(of: type, named: last), shape.elements.count == 1,
            TypeKind.unwrapped(type).type is any RawRepresentable.Type
        else { return nil }
        return shape.elements[0].name
    }
}

/// Constraints or indexes over key paths, for types that are known at run time.
protocol KeyPathDeclaration {
    /// The names of the key paths of each constraint or index; the key path in place of a missing name.
    var declared: [[Result<String, UnnamedKeyPath>]] { get }
    /// Whether each of them is an R-tree.
    var areTrees: [Bool] { get }
}

/// A key path that leads to no stored property.
struct UnnamedKeyPath: Error {
    let text: String
}

private func named(_ keyPaths: [AnyKeyPath]) -> [Result<String, UnnamedKeyPath>] {
    keyPaths.map { keyPath in
        ModelKeyPaths.name(of: keyPath).map { .success($0) } ?? .failure(UnnamedKeyPath(text: "\(keyPath)"))
    }
}

extension Schema.Unique: KeyPathDeclaration {
    var declared: [[Result<String, UnnamedKeyPath>]] { constraints.map { named($0) } }
    var areTrees: [Bool] { constraints.map { _ in false } }
}

extension Schema.Index: KeyPathDeclaration {
    var declared: [[Result<String, UnnamedKeyPath>]] { indices.map { named($0.keyPaths) } }
    var areTrees: [Bool] { indices.map { !$0.isBinary } }
}
