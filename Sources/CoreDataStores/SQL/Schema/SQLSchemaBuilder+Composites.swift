// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Columns of composite attributes.
///
/// A column has the element's own name, with a number where that is in use, as in Apple's stores. A store whose column
/// names begin with the composite's name retains them.
extension SQLSchemaBuilder {
    /// Adds a column for each element.
    func addElements(
        of composite: NSCompositeAttributeDescription, _ node: Node, _ names: inout UniqueNames,
        _ definitions: inout [ColumnDefinition]
    ) throws {
        let leaves = try Self.leaves(of: composite, path: composite.name, node)
        let existingColumns = existing?.columnsByTable["Z" + node.root.name.uppercased()] ?? []
        let isJoined = !leaves.isEmpty && leaves.allSatisfy { existingColumns.contains(Self.joinedName($0.path)) }
        for leaf in leaves {
            let name = names.reserve(isJoined ? Self.joinedName(leaf.path) : "Z" + leaf.element.name.uppercased())
            attributeColumns[PropertyKey(entity: node.name, name: leaf.path)] = name
            definitions.append(ColumnDefinition(name: name, kind: leaf.kind))
        }
    }

    /// The attributes of a composite and of the composites in it, with their paths, in the order of the model.
    private static func leaves(
        of composite: NSCompositeAttributeDescription, path: String, _ node: Node
    ) throws -> [(path: String, element: NSAttributeDescription, kind: SQLStorageKind)] {
        try composite.elements.flatMap { element in
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

    /// The composite attribute with the columns of its elements.
    func resolve(_ composite: NSCompositeAttributeDescription, path: String, _ node: Node, in table: SQLTable)
        -> SQLComposite
    {
        SQLComposite(
            description: composite,
            elements: composite.elements.compactMap { element in
                let inner = path + "." + element.name
                if let composite = element as? NSCompositeAttributeDescription {
                    return (element.name, .composite(resolve(composite, path: inner, node, in: table)))
                }
                guard
                    let column = attributeColumns[PropertyKey(entity: node.name, name: inner)].flatMap(
                        table.column(named:))
                else { return nil }
                return (element.name, .attribute(SQLAttribute(description: element, column: column, derivation: nil)))
            })
    }
}
