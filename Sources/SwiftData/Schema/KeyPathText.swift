// SPDX-License-Identifier: Apache-2.0

/// The components of a key path, read from its text. Swift has no function that takes a key path apart.
struct KeyPathText {
    /// The number of computed properties, as those of models are.
    private(set) var computedCount = 0
    /// The names of the stored properties of structures at the end of the key path.
    private(set) var fields: [String] = []

    init(_ keyPath: AnyKeyPath) {
        // The text begins with a backslash and the root type, which may have dots of its own.
        let text = "\(keyPath)"
        let computed = text.components(separatedBy: ".<computed 0x")
        computedCount = computed.count - 1
        let last: Substring
        if computedCount > 0 {
            last = Self.afterType(computed[computedCount][...])
        } else {
            let root = "\\\(_typeName(Swift.type(of: keyPath).rootType, qualified: false))"
            last = text.hasPrefix(root) ? text.dropFirst(root.count) : text.drop { $0 != "." }
        }
        fields = last.split { $0 == "." || $0 == "?" || $0 == "!" }.map(String.init)
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

    /// The names of a key path from a structure; nil for one to something that isn't stored.
    func names(fromStructure root: any Any.Type) -> [String]? {
        computedCount == 0 && !fields.isEmpty && Self.areFields(fields, of: root) ? fields : nil
    }

    /// Whether names are those of stored properties, each of the type of the one before it.
    static func areFields(_ names: [String], of root: any Any.Type) -> Bool {
        var structure = TypeKind.unwrapped(root).type
        for name in names {
            guard let field = TypeKind.fields(of: structure).first(where: { $0.name == name }) else { return false }
            structure = TypeKind.unwrapped(field.type).type
        }
        return true
    }
}
