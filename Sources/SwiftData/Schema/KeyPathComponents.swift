// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The components of a key path, without a value of its root type.
///
/// Swift has no function that takes a key path apart. The description of a key path has the names of stored properties,
/// and the address of the getter of each computed property. The properties of models are computed. In memory the
/// identity of a computed property stands before its getter. Two key paths with different roots, or made in different
/// modules, have equal identities for the same property. `==` of key paths compares these identities too, but only for
/// key paths of one type.
struct KeyPathComponents {
    enum Component: Equatable {
        /// A computed property.
        case computed(identity: UInt)
        /// A stored property of a structure or an object.
        case stored(name: String)
    }

    let components: [Component]

    /// The components of a key path; nil if its description or its memory isn't understood.
    init?(_ keyPath: AnyKeyPath) {
        guard let parts = Self.parts(of: keyPath) else { return nil }
        var memory = KeyPathMemory(keyPath)
        var components: [Component] = []
        for part in parts {
            switch part {
            case .getter(let address):
                guard let identity = memory.identity(ofGetter: address) else { return nil }
                components.append(.computed(identity: identity))
            case .name(let name): components.append(.stored(name: name))
            }
        }
        self.components = components
    }

    /// The names of a key path from a structure; nil if a part of it isn't stored.
    func names(fromStructure root: any Any.Type) -> [String]? {
        var names: [String] = []
        var structure = TypeKind.unwrapped(root).type
        for component in components {
            guard case .stored(let name) = component,
                let field = TypeKind.fields(of: structure).first(where: { $0.name == name })
            else { return nil }
            names.append(name)
            structure = TypeKind.unwrapped(field.type).type
        }
        return names.isEmpty ? nil : names
    }

    /// The names of a key path from a model; nil if a part of it isn't stored.
    func names(fromModel root: any PersistentModel.Type) -> [String]? {
        var names: [String] = []
        var type: any Any.Type = root
        for (index, component) in components.enumerated() {
            guard let model = TypeKind.unwrapped(type).type as? any PersistentModel.Type else {
                let rest = KeyPathComponents(Array(components[index...]))
                return rest.names(fromStructure: type).map { names + $0 }
            }
            guard case .computed(let identity) = component,
                let property = ModelMetadata.of(model).allProperties.first(where: {
                    KeyPathComponents($0.keypath)?.components == [.computed(identity: identity)]
                })
            else { return nil }
            names.append(property.name)
            type = Swift.type(of: property.keypath).valueType
        }
        return names.isEmpty ? nil : names
    }

    private init(_ components: [Component]) { self.components = components }

    // MARK: Text

    private enum Part {
        case getter(UInt)
        case name(String)
    }

    /// The parts of the text: `\\Trip.<computed 0x0000563d (Optional<Owner>)>?.address.city`.
    private static func parts(of keyPath: AnyKeyPath) -> [Part]? {
        let text = "\(keyPath)"
        let root = "\\\(_typeName(Swift.type(of: keyPath).rootType, qualified: false))"
        guard text.hasPrefix(root) else { return nil }
        var rest = text.dropFirst(root.count)
        var parts: [Part] = []
        while let first = rest.first {
            rest = rest.dropFirst()
            // A component that unwraps an optional has no name.
            if first == "?" || first == "!" { continue }
            guard first == "." else { return nil }
            let computed = "<computed 0x"
            if rest.hasPrefix(computed) {
                rest = rest.dropFirst(computed.count)
                guard let address = UInt(rest.prefix { $0.isHexDigit }, radix: 16) else { return nil }
                parts.append(.getter(address))
                rest = afterType(rest)
            } else {
                let name = rest.prefix { !".?!".contains($0) }
                parts.append(.name(String(name)))
                rest = rest.dropFirst(name.count)
            }
        }
        return parts
    }

    /// The text behind the address and the type of a computed property: `5581 (Optional<Item>)>`.
    private static func afterType(_ text: Substring) -> Substring {
        var depth = 0
        var last: Character?
        for index in text.indices {
            switch text[index] {
            case "(", "<": depth += 1
            case ")": depth -= 1
            case ">" where last == "-": break
            case ">" where depth == 0: return text[text.index(after: index)...]
            case ">": depth -= 1
            default: break
            }
            last = text[index]
        }
        return text[text.endIndex...]
    }
}

/// The words of a key path in memory (`KeyPath.swift` of the standard library).
///
/// An object of a key path ends with the components: a word with their size, and for each one its header and, for a
/// computed property, its identity and its getter.
private struct KeyPathMemory {
    private let words: UnsafeBufferPointer<UInt>
    private let keyPath: AnyKeyPath
    private var position = 0

    init(_ keyPath: AnyKeyPath) {
        self.keyPath = keyPath
        let object = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()) + Self.headerSize
        let size = Int(object.load(as: UInt32.self) & Self.sizeMask)
        let components = (object + MemoryLayout<UInt>.size).assumingMemoryBound(to: UInt.self)
        words = UnsafeBufferPointer(
            start: components, count: Self.isUnderstood ? size / MemoryLayout<UInt>.size : 0)
    }

    /// The word before the next one with the address of a getter.
    mutating func identity(ofGetter address: UInt) -> UInt? {
        withExtendedLifetime(keyPath) {
            guard let index = words[position...].firstIndex(of: address), index > position else { return nil }
            position = index + 1
            return words[index - 1]
        }
    }

    /// The object's header, and the text for key-value coding.
    private static let headerSize = 3 * MemoryLayout<UInt>.size
    private static let sizeMask: UInt32 = 0xff_ffff

    // MARK: Self-check

    /// Whether a key path of the library has the expected layout. With another layout, components name no key path.
    private static let isUnderstood: Bool = {
        let object = UnsafeRawPointer(Unmanaged.passUnretained(\Checked.text as AnyKeyPath).toOpaque())
        // The header, the identity, the getter and the size of the value.
        let size = Int((object + headerSize).load(as: UInt32.self) & sizeMask)
        let isKnown = size == 4 * MemoryLayout<UInt>.size || size == 3 * MemoryLayout<UInt>.size
        if !isKnown { CoreDataLog.error("The layout of key paths isn't known to this version: \(size) bytes.") }
        return isKnown
    }()

    private class Checked {
        var text: String { "" }
    }
}
