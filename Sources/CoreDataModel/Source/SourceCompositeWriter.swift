/// Gathers the definitions of composites while attributes are written: in source models they stand beside the entities.
struct SourceCompositeWriter {
    private var definitions: [String: SourceElement] = [:]

    /// The definitions in the order of their names.
    var elements: [SourceElement] { definitions.sorted { $0.key.precedesBytewise($1.key) }.map(\.value) }

    /// Defines the composite of an attribute, under its name or one made of the attribute's.
    mutating func define(_ composite: NSCompositeAttributeDescription, writer: SourcePropertyWriter) throws -> String {
        let name = composite.compositeName ?? composite.name
        guard definitions[name] == nil else { return name }
        definitions[name] = SourceElement("composite")
        let elements = try composite.elements.map { try writer.attribute($0, &self) }
        definitions[name] = SourceElement("composite", [("name", name)], children: elements)
        return name
    }
}
