import CoreDataModel
import CoreDataPredicates

/// Columns of composite attributes. No file at hand has one, so the names follow the rules for all attributes: each
/// element's own, with a number where that is taken. A store that has names with the composite's before the element's
/// is read and written with these.
extension SQLSchemaBuilder {
    /// Adds a column for each element, in the place of the composite.
    func draftElements(
        of composite: NSCompositeAttributeDescription, _ node: Node, _ names: inout UniqueNames, _ drafts: inout [Draft]
    ) throws {
        let leaves = try Self.leaves(of: composite, path: composite.name, node)
        let present = existing?.columnsByTable["Z" + node.root.name.uppercased()] ?? []
        let isJoined = !leaves.isEmpty && leaves.allSatisfy { present.contains(Self.joinedName($0.path)) }
        for leaf in leaves {
            let name = names.take(isJoined ? Self.joinedName(leaf.path) : "Z" + leaf.element.name.uppercased())
            attributeColumns[PropertyKey(entity: node.name, name: leaf.path)] = name
            drafts.append(Draft(name: name, kind: leaf.kind))
        }
    }

    /// The attributes at the ends, siblings by bytes of their names, with their paths.
    private static func leaves(
        of composite: NSCompositeAttributeDescription, path: String, _ node: Node
    ) throws -> [(path: String, element: NSAttributeDescription, kind: SQLStorageKind)] {
        try composite.elements.sortedBytewise { $0.name }.flatMap { element in
            let inner = path + "." + element.name
            if let composite = element as? NSCompositeAttributeDescription {
                return try leaves(of: composite, path: inner, node)
            }
            guard let kind = SQLStorageKind(element) else {
                throw error(
                    "The element \(node.name).\(inner) is of a type that has no column.", entity: node.name,
                    property: inner)
            }
            return [(inner, element, kind)]
        }
    }

    private static func joinedName(_ path: String) -> String {
        "Z" + path.split(separator: ".").map { $0.uppercased() }.joined(separator: "_")
    }

    /// Where the elements lie.
    func place(_ composite: NSCompositeAttributeDescription, path: String, _ node: Node, in table: SQLTable)
        -> SQLComposite
    {
        SQLComposite(
            description: composite,
            elements: composite.elements.compactMap { element in
                let inner = path + "." + element.name
                if let composite = element as? NSCompositeAttributeDescription {
                    return (element.name, .composite(place(composite, path: inner, node, in: table)))
                }
                guard
                    let column = attributeColumns[PropertyKey(entity: node.name, name: inner)].flatMap(
                        table.column(named:))
                else { return nil }
                return (element.name, .attribute(SQLAttribute(description: element, column: column, derivation: nil)))
            })
    }
}
