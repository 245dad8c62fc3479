import CoreDataModel
import CoreDataPredicates

/// An object that a key path reaches: a row whose key is known, and whose table is joined when one of its columns is
/// asked for.
///
/// Paths that begin alike share their objects, and so their joins.
final class SQLPathObject {
    let entity: SQLEntity
    /// The object's primary key.
    let key: SQLExpression
    /// False for the row that the select goes through, which is always there.
    let isOptional: Bool
    /// The number of the object's actual entity, without a join; nil if there is only one it can be.
    let actualEntity: SQLExpression?
    /// The object's place in the ordered relationship whose objects the select goes through.
    let place: SQLExpression?
    private let builder: SQLSelectBuilder
    private var alias: String?
    private var reached: [String: SQLPathObject] = [:]

    /// A row of a table that the select goes through.
    init(row alias: String, of entity: SQLEntity, in builder: SQLSelectBuilder, place: SQLExpression? = nil) {
        self.entity = entity
        self.builder = builder
        self.alias = alias
        key = .column(alias: alias, name: entity.table.primaryKey.name)
        isOptional = false
        actualEntity = entity.hasSubentities ? .column(alias: alias, name: entity.table.entityNumber.name) : nil
        self.place = place
    }

    private init(key: SQLExpression, of entity: SQLEntity, actualEntity: SQLExpression?, in builder: SQLSelectBuilder) {
        self.actualEntity = actualEntity
        self.entity = entity
        self.builder = builder
        self.key = key
        isOptional = true
        place = nil
    }

    var aliases: SQLAliases { builder.aliases }

    /// The object as a value: its key.
    var operand: SQLOperand { SQLOperand(key, .object(entity), isOptional: isOptional) }

    /// The number of the object's actual entity.
    var entityNumber: SQLOperand {
        SQLOperand(column(entity.table.entityNumber), .entity, isOptional: isOptional)
    }

    func column(_ column: SQLColumn) -> SQLExpression {
        .column(alias: joined(), name: column.name)
    }

    /// The object at the end of a to-one relationship.
    func object(at relationship: SQLToOne) -> SQLPathObject {
        let name = relationship.column.name
        if let known = reached[name] { return known }
        let object = SQLPathObject(
            key: column(relationship.column), of: relationship.destination,
            actualEntity: relationship.entityColumn.map(column), in: builder)
        reached[name] = object
        return object
    }

    /// The object with a key that this one's select computes; there may be none.
    func other(_ key: SQLExpression, of entity: SQLEntity) -> SQLPathObject {
        SQLPathObject(key: key, of: entity, actualEntity: nil, in: builder)
    }

    /// The alias of the object's table. The join keeps rows without such an object: its values are missing then.
    private func joined() -> String {
        if let alias { return alias }
        let primaryKey = entity.table.primaryKey.name
        let new = builder.addOptional(entity.tableName) {
            .comparison(key, .equal, .column(alias: $0, name: primaryKey))
        }
        alias = new
        return new
    }
}
