// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// One step of a lightweight migration: its effect, and its SQL.
package struct SQLMigrationStep {
    package let action: SQLMigrationAction
    /// The statements, in order. The statements of a check select the key of an object that violates it.
    package let statements: [SQLStatement]

    package init(_ action: SQLMigrationAction, _ statements: [SQLStatement]) {
        self.action = action
        self.statements = statements
    }

    /// A step of one statement without values.
    package init(_ action: SQLMigrationAction, _ statement: String) {
        self.init(action, [SQLStatement(text: statement, bindings: [])])
    }
}

/// The effect of a step of a lightweight migration.
package enum SQLMigrationAction {
    case check(SQLMigrationCheck)
    case dropTrigger(String)
    case dropIndex(String)
    case renameTable(String, to: String)
    case createTable(String)
    case dropTable(String)
    case renameColumn(String, to: String, table: String)
    case addColumn(String, table: String)
    case dropColumn(String, table: String)
    /// A part of the store that older programs use, or that takes long to remove, stays for now: a column, or a table.
    case leave(column: String?, table: String)
    case copyRows(from: String, to: String, entities: [String])
    case deleteRows(table: String, entities: [String])
    case fillJoinTable(String)
    /// The keys of a relationship that had another form.
    case fillKeys(column: String, table: String)
    /// The numbers of the entities of related objects.
    case fillEntities(column: String, table: String)
    case fillPositions(column: String, table: String)
    /// References to objects that the migration doesn't keep.
    case clearReferences(column: String, table: String)
    /// Replaces the names of files by their contents. The engine reads the files.
    case readExternalData(SQLColumn, table: SQLTable)
    case computeDerived(attribute: String, entity: String)
    /// Computes a derived attribute whose expression a statement can't express, row by row.
    case computeInProcess(DerivedColumn)
    case createIndex(table: SQLTable)
    case createTrigger(table: String?)
    case recordEntities
}

/// A condition on the rows of a store that a lightweight migration needs.
package enum SQLMigrationCheck {
    /// No object has an entity that becomes abstract.
    case noObjects(entity: String, destination: String)
    /// The values of a number fit into its new type. The text names the range.
    case range(String, attribute: String, entity: String)
    /// No object lacks the destination of a required relationship.
    case destination(relationship: String, entity: String)
    /// An object isn't related to several objects where the new form has room for one: a member to several owners, or
    /// an owner to several members of a relationship to one object.
    case room(relationship: String, owner: String, object: String, isMember: Bool)

    /// The error of an object that violates the condition.
    func violation(by key: Int64, _ executor: any SQLMigrationExecutor) -> NSError {
        switch self {
        case .noObjects(let entity, let destination):
            executor.error(
                NSMigrationError,
                reason:
                    "The object \(entity)/p\(key) exists, and the entity \(destination) is abstract in the new model.",
                suggestion: "Delete such objects with the old model, or write a mapping model to another entity.",
                userInfo: ["entity": entity])
        case .range(let range, let attribute, let entity):
            executor.error(
                NSMigrationError,
                reason: """
                    The object \(entity)/p\(key) has a value of \(attribute) that is no number \(range), as the new \
                    model requires.
                    """,
                suggestion: "Change the value with the old model, or give the attribute a larger type.",
                userInfo: ["entity": entity, "attribute": attribute])
        case .destination(let relationship, let entity):
            executor.error(
                NSMigrationError,
                reason: """
                    The object \(entity)/p\(key) has no object of the relationship \(relationship), which \
                    the new model requires.
                    """,
                suggestion:
                    "Make the relationship optional in the new model, or set it: with the old model, or by a policy.",
                userInfo: ["entity": entity, "relationship": relationship])
        case .room(let relationship, let owner, let object, let isMember):
            executor.error(
                NSMigrationError, reason: MigrationRoom.reason("\(object)/p\(key)", relationship, owner, isMember),
                suggestion: MigrationRoom.suggestion, userInfo: ["entity": object, "relationship": relationship])
        }
    }
}

/// The words of the error about an object that is related to more objects than the new model has room for.
package enum MigrationRoom {
    package static func reason(_ object: String, _ relationship: String, _ owner: String, _ isMember: Bool) -> String {
        isMember
            ? """
            The object \(object) is in \(owner).\(relationship) of more than one object, and in the new model a member \
            has one owner.
            """
            : """
            The object \(object) is related to more than one object, and in the new model \(owner).\(relationship) is \
            one object.
            """
    }

    package static let suggestion = """
        Remove the other links with the old model, let both sides of the relationship have many objects, or write a \
        mapping model.
        """
}

// MARK: - Words

extension SQLMigrationStep: CustomStringConvertible {
    /// The step in words.
    package var description: String { action.description }
}

extension SQLMigrationAction: CustomStringConvertible {
    package var description: String {
        switch self {
        case .check(let check): check.description
        case .dropTrigger(let name): "drop the trigger \(name)"
        case .dropIndex(let name): "drop the index \(name)"
        case .renameTable(let name, let new): "rename the table \(name) to \(new)"
        case .createTable(let name): "create the table \(name)"
        case .dropTable(let name): "drop the table \(name)"
        case .renameColumn(let name, let new, let table): "rename the column \(name) of \(table) to \(new)"
        case .addColumn(let name, let table): "add the column \(name) to \(table)"
        case .dropColumn(let name, let table): "drop the column \(name) of \(table)"
        case .leave(let column?, let table): "leave the column \(column) of \(table) for later"
        case .leave(nil, let table): "leave the table \(table) for later"
        case .copyRows(let source, let table, let entities):
            "copy the rows of \(entities.joined(separator: ", ")) from \(source) to \(table)"
        case .deleteRows(let table, let entities):
            "delete the rows of \(entities.joined(separator: ", ")) from \(table)"
        case .fillJoinTable(let name): "fill the join table \(name)"
        case .fillKeys(let column, let table): "fill the keys \(column) of \(table)"
        case .fillEntities(let column, let table): "fill the entity numbers \(column) of \(table)"
        case .fillPositions(let column, let table): "fill the positions \(column) of \(table)"
        case .clearReferences(let column, let table):
            "clear the references \(column) of \(table) to objects that are gone"
        case .readExternalData(let column, let table): "read the values of \(column.name) of \(table.name) from files"
        case .computeDerived(let attribute, let entity): "compute \(entity).\(attribute)"
        case .computeInProcess(let column):
            "compute \(column.entity.name).\(column.attribute.description.name) row by row"
        case .createIndex(let table): "create an index of \(table.name)"
        case .createTrigger(let table?): "create a trigger of \(table)"
        case .createTrigger(nil): "create a trigger"
        case .recordEntities: "record the entities and their keys"
        }
    }
}

extension SQLMigrationCheck: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noObjects(let entity, _): "check that there is no \(entity)"
        case .range(let range, let attribute, let entity):
            "check that the values of \(entity).\(attribute) are \(range)"
        case .destination(let relationship, let entity): "check that every \(entity) has \(relationship)"
        case .room(let relationship, let owner, let object, _):
            "check that every \(object) is related to one object by \(owner).\(relationship)"
        }
    }
}
