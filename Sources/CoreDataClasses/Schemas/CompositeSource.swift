// SPDX-License-Identifier: Apache-2.0

/// The type of a composite attribute: a structure, or an enumeration as SwiftData describes it in the user info.
struct CompositeSource {
    private let composite: NSCompositeAttributeDescription
    private let types: SchemaTypes
    private let modifier: String
    /// The name of the type.
    let name: String

    init(_ composite: NSCompositeAttributeDescription, named name: String, _ types: SchemaTypes, _ modifier: String) {
        self.composite = composite
        self.name = name
        self.types = types
        self.modifier = modifier
    }

    private var isEnumeration: Bool { composite.userInfo?["EnumType"] != nil }

    /// The raw type of an enumeration with raw values.
    private var rawType: String? {
        guard isEnumeration, composite.elements.count == 1, composite.elements[0].name == composite.name else {
            return nil
        }
        return types.plain(composite.elements[0].attributeType)
    }

    /// The parts that the generated type lacks, compared with the program's type.
    var warnings: [String] {
        if rawType != nil { return ["'\(name)' has the raw values alone, as the model doesn't name the cases"] }
        if isEnumeration && composite.elements.contains(where: hasPayload) {
            return ["'\(name)' has its cases without payloads, whose types the model doesn't name"]
        }
        return []
    }

    /// Elements that have no type.
    var problems: [String] {
        composite.elements.flatMap { element -> [String] in
            if let inner = element as? NSCompositeAttributeDescription { return nested(inner).problems }
            return types.plain(element.attributeType) == nil ? ["the element '\(element.name)' has no Swift type"] : []
        }
    }

    private func nested(_ inner: NSCompositeAttributeDescription) -> CompositeSource {
        CompositeSource(inner, named: Self.typeName(inner.name), types, modifier)
    }

    static func typeName(_ name: String) -> String { SwiftName.part(name.prefix(1).uppercased() + name.dropFirst()) }

    /// The declaration.
    func text(indent: String) -> String {
        let name = SwiftName.escaped(name)
        if let rawType {
            return """
                \(indent)\(modifier)enum \(name): RawRepresentable, Codable, Hashable {
                \(indent)    case value(\(rawType))

                \(indent)    \(modifier)init?(rawValue: \(rawType)) { self = .value(rawValue) }

                \(indent)    \(modifier)var rawValue: \(rawType) {
                \(indent)        switch self {
                \(indent)        case .value(let rawValue): rawValue
                \(indent)        }
                \(indent)    }
                \(indent)}

                """
        }
        if isEnumeration {
            return enumeration(indent: indent)
        }
        var text = "\(indent)\(modifier)struct \(name): Codable, Hashable {\n"
        for element in composite.elements {
            let inner = element as? NSCompositeAttributeDescription
            let type = inner.map { SwiftName.escaped(nested($0).name) } ?? types.plain(element.attributeType) ?? ""
            let mark = element.isOptional ? "?" : ""
            text += "\(indent)    \(modifier)var \(SwiftName.spelled(element.name)): \(type)\(mark)\n"
        }
        for case let inner as NSCompositeAttributeDescription in composite.elements {
            text += "\n" + nested(inner).text(indent: indent + "    ")
        }
        return text + "\(indent)}\n"
    }

    // MARK: Enumerations without raw values

    /// Whether an element is a case with a payload: the element of another case is a string.
    private func hasPayload(_ element: NSAttributeDescription) -> Bool { element.attributeType != .stringAttributeType }

    /// The declaration of an enumeration. The type of payloads decodes any values and stores none.
    private func enumeration(indent: String) -> String {
        var payload = "Payload"
        while composite.elements.contains(where: { $0.name == payload }) { payload += "_" }
        var text = "\(indent)\(modifier)enum \(SwiftName.escaped(name)): Codable, Hashable {\n"
        for element in composite.elements {
            let values = hasPayload(element) ? "(\(payload)?)" : ""
            text += "\(indent)    case \(SwiftName.spelled(element.name))\(values)\n"
        }
        if composite.elements.contains(where: hasPayload) {
            text += """

                \(indent)    \(modifier)struct \(payload): Codable, Hashable {
                \(indent)        \(modifier)init(from decoder: any Decoder) {}

                \(indent)        \(modifier)func encode(to encoder: any Encoder) {}
                \(indent)    }

                """
        }
        return text + "\(indent)}\n"
    }
}
