// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Indexes of a store, which make fetches faster: `#Index` in a schema.
    public final class Index<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable, @unchecked Sendable
    where T: PersistentModel {
        /// An index over properties.
        public enum Types<P> where P: PersistentModel {
            /// An index in the order of the values.
            case binary([PartialKeyPath<P>])
            /// An index for ranges of numbers in several dimensions.
            case rtree([PartialKeyPath<P>])

            var keyPaths: [PartialKeyPath<P>] {
                switch self {
                case .binary(let keyPaths), .rtree(let keyPaths): keyPaths
                }
            }

            var isBinary: Bool { if case .binary = self { true } else { false } }
        }

        /// The indexes.
        public let indices: [Types<T>]
        /// No name: the store names its indexes.
        public var name = ""
        /// No name: the store names its indexes.
        public var originalName = ""
        /// The type of the indexes.
        public var valueType: any Any.Type = [Types<T>].self

        /// Makes indexes in the order of the values.
        ///
        /// - Parameter binaryIndices: the properties of each index.
        public init(_ binaryIndices: [PartialKeyPath<T>]...) { indices = binaryIndices.map { .binary($0) } }

        /// Makes indexes.
        ///
        /// - Parameter indices: the properties and the kind of each index.
        public init(_ indices: Types<T>...) { self.indices = indices }

        /// The keys of the encoded form.
        public enum CodingKeys: CodingKey {
            /// The indexes.
            case indices
        }

        /// Decodes indexes from the names of their properties.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            indices = try container.decode([CodableIndex<T>].self, forKey: .indices).map(\.index)
        }

        /// Encodes the names of the properties.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(indices.map(CodableIndex.init), forKey: .indices)
        }

        /// False.
        public var isUnique: Bool { false }

        /// Whether two sets of indexes are equal.
        public static func == (lhs: Index<T>, rhs: Index<T>) -> Bool {
            lhs.indices.map(\.keyPaths) == rhs.indices.map(\.keyPaths)
                && lhs.indices.map(\.isBinary) == rhs.indices.map(\.isBinary)
        }

        /// Hashes the properties of the indexes.
        public func hash(into hasher: inout Hasher) { hasher.combine(indices.map(\.keyPaths)) }

        /// The indexes with the names of their properties.
        public var debugDescription: String {
            "Index - indices: \(indices.map { ModelKeyPaths.names($0.keyPaths) })"
        }
    }
}

/// An index in an encoded schema.
private struct CodableIndex<T: PersistentModel>: Codable {
    let index: Schema.Index<T>.Types<T>

    init(_ index: Schema.Index<T>.Types<T>) { self.index = index }

    private enum CodingKeys: String, CodingKey {
        case keyPaths
        case isBinary
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keyPaths = try container.decode(CodableKeyPaths<T>.self, forKey: .keyPaths).keyPaths
        index = try container.decode(Bool.self, forKey: .isBinary) ? .binary(keyPaths) : .rtree(keyPaths)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(CodableKeyPaths(index.keyPaths), forKey: .keyPaths)
        try container.encode(index.isBinary, forKey: .isBinary)
    }
}

/// Key paths in an encoded schema, by the names of their properties.
struct CodableKeyPaths<T: PersistentModel>: Codable {
    let keyPaths: [PartialKeyPath<T>]

    init(_ keyPaths: [PartialKeyPath<T>]) { self.keyPaths = keyPaths }

    init(from decoder: any Decoder) throws {
        let names = try decoder.singleValueContainer().decode([String].self)
        keyPaths = try names.map { name in
            guard let keyPath = ModelKeyPaths.keyPath(named: name, of: T.self) else {
                throw SwiftDataError(.unsupportedKeyPath, "\(T.self) has no property named '\(name)'.")
            }
            return keyPath
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ModelKeyPaths.names(keyPaths))
    }
}
