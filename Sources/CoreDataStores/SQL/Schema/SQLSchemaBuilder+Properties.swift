// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

extension SQLSchemaBuilder {
    /// Sets the columns of the properties of each entity, once all tables are known.
    func resolveProperties() throws {
        // Superentities come before their subentities, so inherited properties can be copied.
        for (node, entity) in zip(nodes, entities) {
            var properties = entity.superentity?.properties ?? [:]
            for property in node.properties {
                properties[property.name] = resolve(property, of: node, entity)
            }
            entity.properties = properties
        }
        for (node, entity) in zip(nodes, entities) {
            setDerivations(of: node, entity)
            entity.uniquenessConstraints = try uniquenessConstraints(of: entity)
        }
    }

    private func resolve(_ property: NSPropertyDescription, of node: Node, _ entity: SQLEntity) -> SQLProperty? {
        let key = PropertyKey(entity: node.name, name: property.name)
        if let composite = property as? NSCompositeAttributeDescription {
            return .composite(resolve(composite, path: composite.name, node, in: entity.table))
        }
        if let attribute = property as? NSAttributeDescription {
            guard let column = attributeColumns[key].flatMap(entity.table.column(named:)) else { return nil }
            return .attribute(SQLAttribute(description: attribute, column: column, derivation: nil))
        }
        guard let relationship = property as? NSRelationshipDescription,
            let destination = destination(of: relationship).map({ entities[$0.index] })
        else { return nil }
        if !relationship.isToMany {
            guard let columns = keyColumns[key], let column = entity.table.column(named: columns.column) else {
                return nil
            }
            return .toOne(
                SQLToOne(
                    description: relationship, destination: destination, column: column,
                    entityColumn: columns.entityColumn.flatMap(entity.table.column(named:)),
                    orderColumn: columns.orderColumn.flatMap(entity.table.column(named:))))
        }
        guard let storage = storage(of: relationship, key, destination) else { return nil }
        return .toMany(SQLToMany(description: relationship, destination: destination, storage: storage))
    }

    private func storage(
        of relationship: NSRelationshipDescription, _ key: PropertyKey, _ destination: SQLEntity
    ) -> SQLToMany.Storage? {
        if let join = joins[key] { return .join(join) }
        var keyOfColumns = key
        let inverse = inverse(of: relationship)
        if let inverse {
            // A relationship whose inverse is transient has no columns.
            guard inverse.isStored, !inverse.relationship.isToMany else { return nil }
            keyOfColumns = PropertyKey(entity: inverse.node.name, name: inverse.relationship.name)
        }
        guard let columns = keyColumns[keyOfColumns],
            let column = destination.table.column(named: columns.column)
        else { return nil }
        return .foreignKey(
            SQLForeignKey(
                column: column, entityColumn: columns.entityColumn.flatMap(destination.table.column(named:)),
                orderColumn: columns.orderColumn.flatMap(destination.table.column(named:)),
                isWithoutInverse: inverse == nil))
    }

    private func setDerivations(of node: Node, _ entity: SQLEntity) {
        for case let derived as NSDerivedAttributeDescription in node.properties {
            guard let derivation = derived.derivation else { continue }
            for inheriting in [entity] + descendants(of: entity) {
                guard case .attribute(var attribute)? = inheriting.properties[derived.name] else { continue }
                attribute.derivation = SQLDerivation(derivation, in: entity)
                inheriting.properties[derived.name] = .attribute(attribute)
            }
        }
    }

    private func descendants(of entity: SQLEntity) -> [SQLEntity] {
        entity.subentities.flatMap { [$0] + descendants(of: $0) }
    }

    /// Constraints are given as names or as attribute descriptions.
    private func uniquenessConstraints(of entity: SQLEntity) throws -> [SQLUniquenessConstraint] {
        // A subentity's list may repeat its superentity's constraints, which have their index already.
        let inherited = entity.superentity.map { Set($0.entity.uniquenessConstraintNames) } ?? []
        return try entity.entity.uniquenessConstraintNames.filter { !inherited.contains($0) }.map { names in
            let columns = try names.map { name in
                guard let column = entity.column(name) else {
                    throw Self.error(
                        "The uniqueness constraint of \(entity.name) names \(name), which is no stored attribute "
                            + "or to-one relationship of it.", entity: entity.name, property: name)
                }
                return column
            }
            return SQLUniquenessConstraint(names: names, columns: columns)
        }
    }
}
