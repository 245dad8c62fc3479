// SPDX-License-Identifier: Apache-2.0

/// The SQL of PostgreSQL. Tables and functions are named with their schema, so that a statement works on any connection
/// of a pooler.
struct PostgreSQLDialect: SQLDialect {
    /// The schema of the store, as it stands in statements.
    let schemaText: String
    /// Whether a statement is a prefilter: it compares texts under options by functions that also hold for other texts
    /// that aren't ASCII. The rows are evaluated afterwards in the process.
    let isPrefilter: Bool
    let cluster: PostgreSQLCluster

    init(schema: String, cluster: PostgreSQLCluster = .none, isPrefilter: Bool = false) {
        schemaText = Self.quoted(schema)
        self.cluster = cluster
        self.isPrefilter = isPrefilter
    }

    /// A name in quotes.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    // MARK: Parameters

    func placeholder(_ number: Int) -> String { "$\(number)" }
    var canRepeatPlaceholders: Bool { true }

    /// The server has no texts with the character NUL, and no dates far away.
    func canBind(_ value: SQLValue) -> Bool {
        switch value {
        case .text(let text): !text.containsNUL
        case .timestamp(let date): PostgreSQLTimestamp.isStorable(date)
        case .list(let values): values.allSatisfy(canBind)
        default: true
        }
    }

    // The protocol counts the parameters of a statement in 16 bits.
    var maximumParameterCount: Int { 65_535 }

    // MARK: Lists

    var maximumListCount: Int { 8 }

    func list(_ values: [SQLValue]) -> SQLListParameter? {
        // The elements of an array have one type.
        guard let values = PostgreSQLType.uniform(values), let type = PostgreSQLType(ofList: values) else { return nil }
        return SQLListParameter(value: .list(values)) { " = ANY(\($0)::\(type.name)[])" }
    }

    func list(ofKeys keys: [Int64]) -> SQLValue { .keys(keys) }
    func keyMembership(_ placeholder: String) -> String { " = ANY(\(placeholder)::bigint[])" }

    var bindsKeyLists: Bool { true }

    func keyLists(count: Int) -> String {
        "unnest(\((1...count).map { "$\($0)::bigint[]" }.joined(separator: ", ")))"
    }

    /// Rows of arrays that are inserted into a table. If the select names a table, a cluster runs the whole statement
    /// on the server of that table. Otherwise it would read the arrays on the coordinator and copy the rows, in a
    /// transaction that two servers commit one after the other, and a failure would have no SQLSTATE.
    func sourceSuffix(insertingInto table: String) -> String {
        cluster.isCluster ? " LEFT JOIN (SELECT FROM \(self.table(table)) LIMIT 0) AS n ON TRUE" : ""
    }

    // MARK: Texts of statements

    func table(_ name: String) -> String { schemaText + "." + SQLGenerator.identifier(name) }

    func constant(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }
    var nullSafeEqualOperator: String { "IS NOT DISTINCT FROM" }
    var nullSafeNotEqualOperator: String { "IS DISTINCT FROM" }
    func nullOrder(isAscending: Bool) -> String { isAscending ? " NULLS FIRST" : " NULLS LAST" }
    var unlimited: String { "ALL" }
    var ordersDistinctRowsBySelectedValues: Bool { true }

    /// A division by zero is an error of the server; here it gives NULL, as in SQLite. The server has no shifts by a
    /// `bigint`.
    func operation(_ symbol: SQLOperator) -> (infix: String, suffix: String) {
        switch symbol {
        case .divide, .modulus: (" \(symbol.rawValue) NULLIF(", ", 0)")
        case .leftShift, .rightShift: (" \(symbol.rawValue) CAST(", " AS integer)")
        default: (" \(symbol.rawValue) ", "")
        }
    }

    /// The seconds from 1970 to 2001.
    private static let referenceDate = "978307200"

    func conversion(to type: SQLConversion) -> (prefix: String, suffix: String) {
        switch type {
        case .real, .wideReal: ("CAST(", " AS double precision)")
        case .wideInteger: ("CAST(", " AS bigint)")
        case .decimal: ("CAST(", " AS numeric)")
        case .seconds: ("(CAST(EXTRACT(EPOCH FROM ", ") AS double precision) - \(Self.referenceDate))")
        case .date: ("to_timestamp(CAST(", " AS double precision) + \(Self.referenceDate))")
        }
    }

    func insertIfAbsent(into target: String, values: String) -> String {
        "INSERT INTO \(target) \(values) ON CONFLICT DO NOTHING"
    }

    // MARK: Functions

    func function(_ function: SQLFunction) -> (name: String, constants: [Int64])? {
        switch function {
        case .absolute: ("abs", [])
        // The number of the character, which is 0 where the position in bytes is 0.
        case .position: ("strpos", [])
        case .length: (helper("z_utf16_length"), [])
        // Their arguments are floating-point numbers, of which they have every result.
        case .library("trunc:"): ("trunc", [])
        case .library("floor:"): ("floor", [])
        case .library("ceiling:"): ("ceiling", [])
        // The rest depends on the tables of Unicode and on formats of numbers that the server has otherwise.
        case .uppercase, .lowercase, .fold, .order, .library, .cast, .stringKey: nil
        }
    }

    func name(of aggregate: SQLAggregate) -> String? {
        switch aggregate {
        case .count: "COUNT"
        case .sum: "SUM"
        case .average: "AVG"
        case .minimum: "MIN"
        case .maximum: "MAX"
        case .median, .standardDeviation, .concatenation: nil
        }
    }

    func function(
        _ test: SQLTextTest, options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64])? {
        if !options.isEmpty { return prefilterFunction(test, options) }
        switch test {
        case .equal: return (helper("z_text_equal"), [])
        case .beginsWith: return (helper("z_text_begins"), [])
        case .endsWith: return (helper("z_text_ends"), [])
        case .contains: return (helper("z_text_contains"), [])
        case .like, .matches: return nil
        }
    }

    /// The function of a comparison under options in a prefilter. It holds for all texts for which Foundation's does.
    private func prefilterFunction(
        _ test: SQLTextTest, _ options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64])? {
        guard isPrefilter, options.isSubset(of: [.caseInsensitive, .diacriticInsensitive, .normalized]) else {
            return nil
        }
        let ignoresCase: [Int64] = [options.contains(.caseInsensitive) ? 1 : 0]
        switch test {
        case .equal: return (helper("z_maybe_equal"), ignoresCase)
        case .beginsWith: return (helper("z_maybe_begins"), ignoresCase)
        case .endsWith: return (helper("z_maybe_ends"), ignoresCase)
        case .contains: return (helper("z_maybe_contains"), ignoresCase)
        case .like, .matches: return nil
        }
    }

    private func helper(_ name: String) -> String { schemaText + "." + name }

    func collation(forSelector selector: String) -> SQLCollation? {
        switch selector {
        // Columns have the collation "C", the order of bytes.
        case "compare:": .columnDefault
        case "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
            "localizedStandardCompare:":
            .unavailable
        default: nil
        }
    }
}

extension [SQLValue] {
    /// The converted values; nil if one of them has no conversion.
    fileprivate func convertEach(_ convert: (SQLValue) -> SQLValue?) -> [SQLValue]? {
        var result: [SQLValue] = []
        result.reserveCapacity(count)
        for value in self {
            guard let converted = convert(value) else { return nil }
            result.append(converted)
        }
        return result
    }
}

extension PostgreSQLType {
    /// The values of a list as values of one type, numbers of different types as decimal numbers, or as floating-point
    /// numbers; nil if there is no such type.
    static func uniform(_ values: [SQLValue]) -> [SQLValue]? {
        if PostgreSQLType(ofList: values) != nil { return values }
        return values.convertEach { value -> SQLValue? in
            switch value {
            case .integer(let number): .decimal(Decimal(number))
            case .real(let number):
                // The shortest text that is the number, and not its binary digits.
                Decimal(string: "\(number)").flatMap { Double("\($0)") == number ? .decimal($0) : nil }
            case .decimal: value
            default: nil
            }
        }
            ?? values.convertEach { value -> SQLValue? in
                switch value {
                case .integer(let number): Double(exactly: number).map { .real($0) }
                case .real: value
                default: nil
                }
            }
    }

    /// The type of the elements of a list; nil if they have different types.
    init?(ofList values: [SQLValue]) {
        var type: PostgreSQLType?
        for value in values {
            let own: PostgreSQLType
            switch value {
            case .integer: own = .int8
            case .real: own = .float8
            case .decimal: own = .numeric
            case .text: own = .text
            case .bytes: own = .bytea
            case .timestamp: own = .timestamptz
            case .uuid: own = .uuid
            case .null, .keys, .list, .parameter: return nil
            }
            if let type, type != own { return nil }
            type = own
        }
        guard let type else { return nil }
        self = type
    }

    /// The type of the column of a storage kind.
    init(_ kind: SQLStorageKind) {
        switch kind {
        case .primaryKey, .relationshipKey, .orderKey, .integer64, .objectID: self = .int8
        case .entityNumber, .version, .relationshipEntity, .integer32: self = .int4
        // A Boolean is a number in predicates and aggregates.
        case .boolean, .integer16: self = .int2
        case .double: self = .float8
        case .float: self = .float4
        case .date: self = .timestamptz
        case .decimal: self = .numeric
        case .string, .uri: self = .text
        case .uuid: self = .uuid
        case .transformable, .binary, .externalBinary: self = .bytea
        case .undefined: self = .jsonb
        }
    }
}
