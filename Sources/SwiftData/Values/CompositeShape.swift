// SPDX-License-Identifier: Apache-2.0

/// The elements of the composite attribute in which a store keeps the values of a structure or an enumeration.
struct CompositeShape {
    enum Form {
        /// An enumeration with raw values: one element, with the name of the attribute.
        case rawValue
        /// Another enumeration: an element for each case, with the case's name or the JSON of its payload.
        case cases
        /// A structure: an element for each stored property.
        case structure
    }

    struct Element {
        let name: String
        let type: any Any.Type
        let form: StoredForm
        /// Whether the element may have no value although the whole has one.
        let isOptional: Bool

        /// The element as an attribute.
        ///
        /// - Parameter isOptional: whether the whole may have no value.
        func attribute(ofOptional isOptional: Bool) -> Schema.Attribute {
            let attribute =
                form.isComposite
                ? Schema.CompositeAttribute(
                    name: name, valueType: type, isOptional: isOptional || self.isOptional)
                : Schema.Attribute(name: name, valueType: type)
            attribute.isOptional = isOptional || self.isOptional
            return attribute
        }
    }

    let form: Form
    let elements: [Element]

    /// The shape of a type's values; nil for a type that isn't stored as a composite attribute.
    ///
    /// - Parameters:
    ///   - type: a type, which may be optional.
    ///   - name: the name of the attribute.
    init?(of type: any Any.Type, named name: String) {
        let type = TypeKind.unwrapped(type).type
        guard type is any Codable.Type, !(type is any ArrayType.Type), !(type is any DictionaryType.Type),
            PlainTypes.attributeType(of: type) == nil
        else { return nil }
        if EnumerationMetadata.isEnumeration(type) {
            if let raw = type as? any RawRepresentable.Type, let plain = PlainTypes.attributeType(of: raw.rawType) {
                form = .rawValue
                elements = [Element(name: name, type: raw.rawType, form: .plain(plain), isOptional: true)]
                return
            }
            form = .cases
            elements = EnumerationMetadata.cases(of: type).map {
                $0.hasPayload
                    ? Element(name: $0.name, type: Data.self, form: .encoded, isOptional: true)
                    : Element(name: $0.name, type: String.self, form: .plain(.stringAttributeType), isOptional: true)
            }
            if elements.isEmpty { return nil }
            return
        }
        guard TypeKind.isStruct(type), let elements = StructureElements.of(type) else { return nil }
        form = .structure
        self.elements = elements
    }
}

extension StoredForm {
    var isComposite: Bool { if case .composite = self { true } else { false } }
}

extension RawRepresentable {
    static var rawType: any Any.Type { RawValue.self }
}

/// The elements of structures, found once for each type.
private enum StructureElements {
    private static let known = Locked<[ObjectIdentifier: [CompositeShape.Element]?]>([:])
    @TaskLocal private static var visited: Set<ObjectIdentifier> = []

    /// The elements of a structure; nil if its encoded form has other keys than its stored properties, or if it
    /// contains itself.
    static func of(_ type: any Any.Type) -> [CompositeShape.Element]? {
        let key = ObjectIdentifier(type)
        if let known = known.withLock({ $0[key] }) { return known }
        guard !visited.contains(key) else { return nil }
        let found = $visited.withValue(visited.union([key])) { find(type) }
        known.withLock { $0[key] = .some(found) }
        return found
    }

    private static func find(_ type: any Any.Type) -> [CompositeShape.Element]? {
        let fields = TypeKind.fields(of: type)
        guard !fields.isEmpty, let decodable = type as? any Decodable.Type else { return nil }
        let isRaw = fields.count == 1 && (type as? any RawRepresentable.Type)?.rawType == fields[0].type
        guard isRaw || DecodedKeys.of(decodable).isContained(in: Set(fields.map(\.name))) else { return nil }
        var elements: [CompositeShape.Element] = []
        for field in fields {
            guard let form = StoredForm.ofElement(field.type, named: field.name) else { return nil }
            elements.append(
                CompositeShape.Element(
                    name: field.name, type: field.type, form: form,
                    isOptional: TypeKind.unwrapped(field.type).isOptional))
        }
        return elements
    }
}
