// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The tables, columns and entity numbers that a model has in a SQL store, computed from a frozen model.
///
/// The schema owns its tables, entities and join tables. It is immutable once built, and any thread may read it.
package final class SQLSchema: @unchecked Sendable {
    package let model: NSManagedObjectModel
    /// The configuration whose entities the store has; `nil` for all.
    package let configuration: String?
    /// Depth first.
    package let entities: [SQLEntity]
    package let entitiesByName: [String: SQLEntity]
    /// One for each root entity, in order of creation.
    package let tables: [SQLTable]
    /// In order of creation within one table's group.
    package let joinTables: [SQLJoinTable]
    private let entitiesByNumber: [Int: SQLEntity]

    /// Computes the schema.
    ///
    /// - Parameters:
    ///   - model: A frozen model.
    ///   - configuration: The configuration whose entities the store has; `nil` or the default one for all.
    ///   - existing: The tables of a store to open, with their columns. They decide what the model
    ///     leaves open: which of two relationships names a join table, and which of two columns has a number.
    ///   - storedNumbers: The numbers that the store has given to entities; `nil` for numbers in the model's order.
    ///   - nameLimit: The limit of the engine for the names of tables and columns.
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a model that the file format has no form for,
    ///   with the entity's and the property's name.
    package init(
        model: NSManagedObjectModel, configuration: String? = nil, existing: SQLExistingTables? = nil,
        storedNumbers: StoredEntityNumbers? = nil, nameLimit: SQLNameLimit = .none
    ) throws {
        let builder = SQLSchemaBuilder(
            existing: existing, storedNumbers: storedNumbers, nameLimit: nameLimit)
        try builder.build(Self.entities(of: model, configuration: configuration))
        self.model = model
        self.configuration = configuration
        entities = builder.entities
        entitiesByNumber = Dictionary(builder.entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        entitiesByName = builder.entitiesByName
        tables = builder.tables
        joinTables = builder.joinTables
    }

    /// The schema of the same model with the names of an existing store, and with its numbers of entities. Only join
    /// tables and the columns of composite attributes may have other names for the same numbers.
    func resolved(with existing: SQLExistingTables, _ storedNumbers: StoredEntityNumbers? = nil) throws
        -> SQLSchema
    {
        if storedNumbers == nil && joinTables.isEmpty && !hasComposites { return self }
        return try SQLSchema(
            model: model, configuration: configuration, existing: existing, storedNumbers: storedNumbers)
    }

    private var hasComposites: Bool {
        entities.contains { $0.properties.values.contains { if case .composite = $0 { true } else { false } } }
    }

    /// The entity with that `Z_ENT`; `nil` if the model has none.
    package func entity(number: Int) -> SQLEntity? {
        entitiesByNumber[number]
    }

    package func entity(for description: NSEntityDescription) -> SQLEntity? {
        description.name.flatMap { entitiesByName[$0] }
    }

    /// The join tables that `entity` names, in order of creation.
    package func joinTables(namedBy entity: SQLEntity) -> [SQLJoinTable] {
        joinTables.filter { $0.owner === entity }
    }

    /// The configuration's entities and their ancestors.
    private static func entities(
        of model: NSManagedObjectModel, configuration: String?
    ) throws -> [NSEntityDescription] {
        guard let configuration, configuration != NSManagedObjectModel.defaultConfigurationName else {
            return model.entities
        }
        guard let members = model.entities(forConfigurationName: configuration) else {
            throw SQLSchemaBuilder.error(
                "The model has no configuration named \u{201c}\(configuration)\u{201d}; it has "
                    + model.configurations.joined(separator: ", ") + ".")
        }
        var entities: [NSEntityDescription] = []
        for member in members {
            var next: NSEntityDescription? = member
            while let entity = next, !entities.contains(where: { $0 === entity }) {
                entities.append(entity)
                next = entity.superentity
            }
        }
        return entities
    }
}

/// The numbers that a store has given to entities.
package struct StoredEntityNumbers: Sendable {
    package var byName: [String: Int]
    /// The highest number ever given. New entities get greater ones.
    package var highest: Int
    /// Whether the store's numbers are in rows only: the names of tables and columns have numbers in the model's order.
    var areInRowsOnly = false

    package init(byName: [String: Int], highest: Int) {
        self.byName = byName
        self.highest = highest
    }
}

/// The names of a store's tables and columns.
package struct SQLExistingTables: Sendable {
    let columnsByTable: [String: Set<String>]

    init(columnsByTable: [String: [String]]) {
        self.columnsByTable = columnsByTable.mapValues(Set.init)
    }
}
