// SPDX-License-Identifier: Apache-2.0

/// How one open store reads and writes the rows of its entities: plans and statements that depend on the schema alone.
/// Each is made at its first use.
///
/// Guarded by the lock of the open store that owns it.
package final class SQLPlans {
    package let mapping: LayoutMapping
    /// Owns the entities that the plans refer to.
    private let schema: SQLSchema
    private let dialect: any SQLDialect
    private let statements: SQLKeyedStatements
    /// The store's file or address, for errors.
    private let location: String
    /// The positions of properties in the history's bit vectors by name, for each entity number, where they outlive a
    /// version of the model.
    private let historyPositions: [Int: [String: Int]]?

    /// By layout number; the highest bit is set for plans with subentities.
    private var rowPlans: [UInt32: RowPlan] = [:]
    /// By layout number.
    private var rowStatements: [UInt32: SQLKeyedStatement] = [:]
    private var rowListStatements: [SQLKeyedStatement.Keys: [UInt32: SQLKeyedStatement]] = [:]
    private var writePlans: [UInt32: RowWritePlan] = [:]
    /// There is one plan for each set of changed properties of an entity.
    private var updatePlans = BoundedDictionary<Update, RowUpdatePlan>(capacity: 256)
    private var referenceStatements: [Relationship: SQLKeyedStatement] = [:]
    private var memberStatements: [SQLKeyedStatement.Keys: [Relationship: SQLKeyedStatement]] = [:]
    private var relationshipWritePlans: [Relationship: RelationshipWritePlan] = [:]
    private var uniqueRowLookups: [UniqueRows: UniqueRowLookup] = [:]
    /// By layout number.
    private var historyPlans: [UInt32: HistoryPlan] = [:]

    private struct Update: Hashable {
        let layout: UInt32
        let signature: [Int]
    }

    private struct UniqueRows: Hashable {
        let layout: UInt32
        let constraint: ObjectIdentifier
    }

    private struct Relationship: Hashable {
        let layout: UInt32
        let property: Int

        init(_ owner: EntityLayout, _ slot: PropertySlot) {
            layout = owner.number
            property = slot.index
        }
    }

    package init(
        schema: SQLSchema, layouts: ModelLayout, dialect: any SQLDialect, location: String,
        historyPositions: [Int: [String: Int]]? = nil
    ) {
        self.schema = schema
        self.historyPositions = historyPositions
        mapping = LayoutMapping(schema: schema, layouts: layouts)
        self.dialect = dialect
        statements = SQLKeyedStatements(dialect: dialect)
        self.location = location
    }

    /// - Throws: `NSPersistentStoreOperationError` (134070) for an entity that the store's configuration lacks.
    package func entity(_ layout: EntityLayout) throws -> SQLEntity {
        if let entity = mapping.entity(layout) { return entity }
        throw CoreDataErrors.error(
            NSPersistentStoreOperationError, "The store \(location) has no table for the entity \(layout.name).",
            reason: "The store's configuration doesn't contain the entity.",
            suggestion: "Add the entity to the store's configuration, or use a store whose configuration has it.",
            userInfo: [NSFilePathErrorKey: location])
    }

    /// The stored relationship of a to-many property, nil if the store has no columns for it.
    package func relationship(_ owner: EntityLayout, _ slot: PropertySlot) throws -> SQLToMany? {
        try entity(owner).toMany(slot.name)
    }

    /// The derived attributes of an entity that no trigger maintains: a save contains their values.
    package func computedProperties(_ layout: EntityLayout) throws -> [PropertySlot] {
        guard !layout.derivedProperties.isEmpty else { return [] }
        let entity = try entity(layout)
        return layout.derivedProperties.map { layout.properties[$0] }.filter {
            entity.attribute($0.name)?.derivation?.isMaintainedByTriggers == false
        }
    }

    // MARK: Reading

    /// - Parameter properties: positions of the properties to read; nil for all.
    package func rowPlan(_ layout: EntityLayout, includesSubentities: Bool, properties: Set<Int>? = nil) throws
        -> RowPlan
    {
        let includesSubentities = includesSubentities && layout.span > 0
        let key = layout.number | (includesSubentities ? 0x8000_0000 : 0)
        if properties == nil, let known = rowPlans[key] { return known }
        let plan = RowPlan(
            layout: layout, includesSubentities: includesSubentities, properties: properties,
            entity: try entity(layout), mapping: mapping)
        // Requests differ in the properties that they want, so only complete plans are used again.
        if properties == nil { rowPlans[key] = plan }
        return plan
    }

    /// Selects the row of one key.
    package func rowStatement(_ plan: RowPlan) throws -> SQLKeyedStatement {
        try Self.value(&rowStatements, plan.layout.number) {
            statements.rows(of: try entity(plan.layout).table, columns: plan.columns, keys: .one)
        }
    }

    /// Selects the rows of many keys, or of a range of keys.
    package func rowListStatement(_ plan: RowPlan, keys: SQLKeyedStatement.Keys = .many) throws -> SQLKeyedStatement {
        if !plan.isPartial, let known = rowListStatements[keys]?[plan.layout.number] { return known }
        let new = statements.rows(of: try entity(plan.layout).table, columns: plan.columns, keys: keys)
        if !plan.isPartial { rowListStatements[keys, default: [:]][plan.layout.number] = new }
        return new
    }

    /// Selects the keys and entity numbers of the members of one owner.
    package func referenceStatement(_ relationship: SQLToMany, _ owner: EntityLayout, _ slot: PropertySlot)
        -> SQLKeyedStatement
    {
        Self.value(&referenceStatements, Relationship(owner, slot)) {
            statements.content(of: relationship, keys: .one)
        }
    }

    /// Selects the rows of the members of many owners, and the owners' keys.
    package func memberStatement(
        _ relationship: SQLToMany, _ owner: EntityLayout, _ slot: PropertySlot, _ plan: RowPlan,
        keys: SQLKeyedStatement.Keys = .many
    )
        -> SQLKeyedStatement
    {
        if let known = memberStatements[keys]?[Relationship(owner, slot)] { return known }
        let new = statements.content(of: relationship, columns: plan.columns, keys: keys)
        memberStatements[keys, default: [:]][Relationship(owner, slot)] = new
        return new
    }

    // MARK: Writing

    package func writePlan(_ layout: EntityLayout) throws -> RowWritePlan {
        try Self.value(&writePlans, layout.number) {
            RowWritePlan(layout: layout, entity: try entity(layout), dialect: dialect)
        }
    }

    /// The statement of changed rows of an entity. See ``RowWritePlan/updatePlan(_:)``.
    func updatePlan(_ plan: RowWritePlan, _ signature: [Int]) -> RowUpdatePlan {
        updatePlans.value(Update(layout: plan.layout.number, signature: signature)) { plan.updatePlan(signature) }
    }

    /// The plan of a to-many relationship, nil if the store has no columns for it.
    func writePlan(_ owner: EntityLayout, _ slot: PropertySlot) throws -> RelationshipWritePlan? {
        guard let relationship = try relationship(owner, slot) else { return nil }
        return try Self.value(&relationshipWritePlans, Relationship(owner, slot)) {
            RelationshipWritePlan(relationship, owner: try entity(owner), dialect: dialect)
        }
    }

    /// How rows with the values of a uniqueness constraint are read; nil if the store has no column for a property.
    func uniqueRowLookup(_ layout: EntityLayout, _ constraint: UniquenessConstraint) throws -> UniqueRowLookup? {
        let key = UniqueRows(layout: layout.number, constraint: ObjectIdentifier(constraint))
        if let known = uniqueRowLookups[key] { return known }
        let write = try writePlan(layout)
        guard let columns = write.columns(of: constraint) else { return nil }
        let plan = try rowPlan(layout.model[constraint.layout], includesSubentities: true)
        let new = UniqueRowLookup(columns: columns, plan: plan, write: write)
        uniqueRowLookups[key] = new
        return new
    }

    /// How the history records the changes of an entity.
    func historyPlan(_ layout: EntityLayout) throws -> HistoryPlan {
        try Self.value(&historyPlans, layout.number) {
            let entity = try entity(layout)
            guard let historyPositions else { return HistoryPlan(layout: layout, entity: entity) }
            return HistoryPlan(
                layout: layout, entity: entity, permanentPositions: historyPositions[entity.number] ?? [:])
        }
    }

    private static func value<Key: Hashable, Value>(
        _ values: inout [Key: Value], _ key: Key, _ make: () throws -> Value
    ) rethrows -> Value {
        if let known = values[key] { return known }
        let value = try make()
        values[key] = value
        return value
    }
}
