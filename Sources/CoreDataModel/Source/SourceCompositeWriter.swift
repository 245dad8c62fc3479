// SPDX-License-Identifier: Apache-2.0

/// Collects the definitions of composites while attributes are written. Source models contain them beside the entities.
struct SourceCompositeWriter {
    private var definitions: [String: SourceElement] = [:]

    /// The definitions in the order of their names.
    var elements: [SourceElement] { definitions.sortedBytewise { $0.key }.map(\.value) }

    /// Defines the composite of an attribute, under its name or the name of the attribute. A different definition of a
    /// used name gets a number.
    mutating func define(_ composite: NSCompositeAttributeDescription, writer: SourcePropertyWriter) throws -> String {
        let elements = try composite.elements.map { try writer.attribute($0, &self) }
        let wanted = composite.compositeName ?? composite.name
        var name = wanted
        var number = 1
        while true {
            let definition = SourceElement("composite", [("name", name)], children: elements)
            guard let other = definitions[name] else {
                definitions[name] = definition
                return name
            }
            if other.hasSameContents(as: definition) { return name }
            number += 1
            name = wanted + String(number)
        }
    }
}

extension SourceElement {
    /// Whether both elements have equal names, attributes and children in the same order.
    fileprivate func hasSameContents(as other: SourceElement) -> Bool {
        name == other.name && attributes.elementsEqual(other.attributes, by: ==)
            && children.count == other.children.count
            && zip(children, other.children).allSatisfy { $0.hasSameContents(as: $1) }
    }
}
