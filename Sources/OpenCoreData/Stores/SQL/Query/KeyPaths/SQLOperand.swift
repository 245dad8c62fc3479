import CoreDataModel
import CoreDataPredicates

/// A value of a row as predicates and sort descriptors see it.
struct SQLOperand {
    let expression: SQLExpression
    let kind: SQLValueKind
    /// False if the value is never missing.
    let isOptional: Bool
    /// When the value is missing, where its being NULL doesn't tell: a NaN, which is a value in memory, is NULL in SQL.
    private let missing: SQLCondition?

    init(_ expression: SQLExpression, _ kind: SQLValueKind, isOptional: Bool = true) {
        self.expression = expression
        self.kind = kind
        self.isOptional = isOptional
        missing = nil
    }

    /// A value that may become a NaN.
    init(_ expression: SQLExpression, _ kind: SQLValueKind, missingWhere missing: SQLCondition) {
        self.expression = expression
        self.kind = kind
        self.missing = missing
        isOptional = missing != .constant(false)
    }

    /// True if the value may be a NaN.
    var mayBeNaN: Bool { missing != nil }

    /// The select whose rows are counted, if the value is such a count: then a comparison with zero need not count.
    var countedRows: SQLSelect? {
        guard case .select(let select) = expression, select.columns == [.countRows] else { return nil }
        return select
    }

    var isMissing: SQLCondition { missing ?? (isOptional ? .missing(expression, isNegated: false) : .constant(false)) }
    var isPresent: SQLCondition { isMissing.negated }
}

/// What a value is, as far as comparisons care. Values of different kinds are never equal, as in memory.
enum SQLValueKind {
    case integer, real, decimal
    case date, string, uri, uuid, data
    /// A key of an object of this entity.
    case object(SQLEntity)
    /// The number of an entity.
    case entity
    /// A value of any kind, in a column without type.
    case any
    /// A value whose stored form can't be compared, for the reason given. It can only be asked whether it is missing.
    case opaque(String)

    init(_ column: SQLColumn) {
        switch column.kind {
        case .boolean, .integer16, .integer32, .integer64, .primaryKey, .entityNumber, .version, .relationshipKey,
            .relationshipEntity, .orderKey:
            self = .integer
        case .double, .float: self = .real
        case .decimal: self = .decimal
        case .date: self = .date
        case .string: self = .string
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .binary: self = .data
        case .undefined: self = .any
        case .objectID: self = .opaque("it holds an object ID")
        case .transformable: self = .opaque("its values are stored in transformed form")
        case .externalBinary: self = .opaque("its values may be stored outside of the database")
        }
    }

    /// True if values of both kinds may be equal.
    func isComparable(with other: SQLValueKind) -> Bool {
        switch (self, other) {
        case (.integer, _), (.real, _), (.decimal, _), (.any, _):
            if case .opaque = other { false } else if case .any = self { true } else { other.isNumber }
        case (.date, .date), (.string, .string), (.uri, .uri), (.uuid, .uuid), (.data, .data), (.entity, .entity): true
        case (.object(let one), .object(let two)): one.table === two.table
        case (.opaque, _): false
        case (_, .any): true
        default: false
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .real, .decimal, .any: true
        default: false
        }
    }

    /// What arithmetic on numbers of both kinds gives.
    func calculated(with other: SQLValueKind) -> SQLValueKind {
        switch (self, other) {
        case (.integer, .integer): .integer
        case (.decimal, _), (_, .decimal): .decimal
        default: .real
        }
    }

    var isInteger: Bool { if case .integer = self { true } else { false } }
    var isDecimal: Bool { if case .decimal = self { true } else { false } }
    var isDate: Bool { if case .date = self { true } else { false } }

    /// True for what is stored as text.
    var isText: Bool {
        switch self {
        case .string, .uri, .any: true
        default: false
        }
    }

    /// True for kinds whose values have an order.
    var isOrdered: Bool {
        switch self {
        case .object, .entity, .opaque: false
        default: true
        }
    }
}
