// SPDX-License-Identifier: Apache-2.0

/// A type of the server that a column or a parameter has.
enum PostgreSQLType: Sendable, CaseIterable {
    case bool
    case int2
    case int4
    case int8
    case float4
    case float8
    case numeric
    case text
    case bytea
    case timestamptz
    case uuid
    case jsonb

    /// The number of the type. The numbers of the server's built-in types never change.
    var oid: UInt32 {
        switch self {
        case .bool: 16
        case .int2: 21
        case .int4: 23
        case .int8: 20
        case .float4: 700
        case .float8: 701
        case .numeric: 1700
        case .text: 25
        case .bytea: 17
        case .timestamptz: 1184
        case .uuid: 2950
        case .jsonb: 3802
        }
    }

    /// The number of the type of arrays of this type.
    var arrayOID: UInt32 {
        switch self {
        case .bool: 1000
        case .int2: 1005
        case .int4: 1007
        case .int8: 1016
        case .float4: 1021
        case .float8: 1022
        case .numeric: 1231
        case .text: 1009
        case .bytea: 1001
        case .timestamptz: 1185
        case .uuid: 2951
        case .jsonb: 3807
        }
    }

    /// The name in statements, as in `$1::bigint[]`.
    var name: String {
        switch self {
        case .bool: "boolean"
        case .int2: "smallint"
        case .int4: "integer"
        case .int8: "bigint"
        case .float4: "real"
        case .float8: "double precision"
        case .numeric: "numeric"
        case .text: "text"
        case .bytea: "bytea"
        case .timestamptz: "timestamptz"
        case .uuid: "uuid"
        case .jsonb: "jsonb"
        }
    }

    /// The type with a number; nil for the number of any other type.
    init?(oid: UInt32) {
        guard let type = Self.allCases.first(where: { $0.oid == oid }) else { return nil }
        self = type
    }
}
