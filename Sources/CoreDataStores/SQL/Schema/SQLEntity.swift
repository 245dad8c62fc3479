// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// An entity in a SQL store: its number, its table, and the columns of its properties.
///
/// Its ``SQLSchema`` owns it, and must live as long as the entity is in use. Immutable once the schema is built.
package final class SQLEntity: @unchecked Sendable {
    package let entity: NSEntityDescription
    package let name: String
    /// `Z_ENT` of the entity's rows.
    package let number: Int
    package internal(set) unowned var table: SQLTable
    package let isAbstract: Bool
    package private(set) unowned var superentity: SQLEntity?
    /// By name.
    var subentities: [SQLEntity] = []
    /// Every property that is stored, inherited ones included, by name. Transient properties, fetched
    /// properties and relationships to entities that this store lacks are absent.
    package internal(set) var properties: [String: SQLProperty] = [:]
    /// The columns of each uniqueness constraint of this entity itself, with the properties' names.
    package internal(set) var uniquenessConstraints: [SQLUniquenessConstraint] = []

    init(entity: NSEntityDescription, name: String, number: Int, superentity: SQLEntity?, table: SQLTable) {
        self.entity = entity
        self.name = name
        self.number = number
        self.superentity = superentity
        self.table = table
        isAbstract = entity.isAbstract
    }

    var root: SQLEntity { table.root }
    package var hasSubentities: Bool { !subentities.isEmpty }
    package var tableName: String { table.name }

    /// The numbers of the entity and of all entities below it, in ascending order.
    ///
    /// A new store numbers the entities depth first. A store that exists may have other numbers, so no code relies on a
    /// range or on their order.
    package internal(set) var numbers: [Int] = []

    /// Whether rows with a number belong to the entity or one below it.
    func includes(number other: Int) -> Bool { numbers.contains(other) }

    package func attribute(_ name: String) -> SQLAttribute? {
        if case .attribute(let attribute)? = properties[name] { return attribute }
        return nil
    }

    /// The attributes that the entity itself declares, in the order of their names.
    package var declaredAttributes: [SQLAttribute] {
        let inherited = superentity?.properties ?? [:]
        return properties.keys.filter { inherited[$0] == nil }.sortedBytewise().compactMap { attribute($0) }
    }

    func composite(_ name: String) -> SQLComposite? {
        if case .composite(let composite)? = properties[name] { return composite }
        return nil
    }

    /// The columns of a composite attribute, or of one of its elements by a path; `nil` for other properties.
    func elementColumns(_ path: String) -> [SQLColumn]? {
        let keys = path.split(separator: ".").map(String.init)
        guard let first = keys.first, let composite = composite(first) else { return nil }
        var current = SQLProperty.composite(composite)
        for key in keys.dropFirst() {
            guard case .composite(let composite) = current, let next = composite.element(key) else { return nil }
            current = next
        }
        switch current {
        case .attribute(let attribute): return [attribute.column]
        case .composite(let composite): return composite.attributes.map(\.column)
        case .toOne, .toMany: return nil
        }
    }

    func toOne(_ name: String) -> SQLToOne? {
        if case .toOne(let relationship)? = properties[name] { return relationship }
        return nil
    }

    func toMany(_ name: String) -> SQLToMany? {
        if case .toMany(let relationship)? = properties[name] { return relationship }
        return nil
    }

    /// The column of a property's value or key in this entity's table; `nil` for to-many relationships.
    func column(_ name: String) -> SQLColumn? {
        switch properties[name] {
        case .attribute(let attribute)?: return attribute.column
        case .toOne(let relationship)?: return relationship.column
        default: return nil
        }
    }
}

/// Properties whose values, taken together, must differ between all objects of an entity.
package struct SQLUniquenessConstraint: Sendable {
    package let names: [String]
    package let columns: [SQLColumn]
}
