// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Combinations of properties that no two models have in common: `#Unique` in a schema.
    public final class Unique<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable, @unchecked Sendable
    where T: PersistentModel {
        /// The combinations.
        public let constraints: [[PartialKeyPath<T>]]
        /// No name: constraints have none.
        public var name = ""
        /// No name: constraints have none.
        public var originalName = ""
        /// The type of the combinations.
        public var valueType: any Any.Type = [[PartialKeyPath<T>]].self

        /// Makes constraints.
        ///
        /// - Parameter constraints: the combinations.
        public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }

        /// The keys of the encoded form.
        public enum CodingKeys: CodingKey {
            /// The combinations.
            case constraints
        }

        /// Decodes constraints from the names of their properties.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            constraints = try container.decode([CodableKeyPaths<T>].self, forKey: .constraints).map(\.keyPaths)
        }

        /// Encodes the names of the properties.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(constraints.map { CodableKeyPaths($0) }, forKey: .constraints)
        }

        /// True.
        public var isUnique: Bool { true }

        /// Whether two sets of constraints are equal.
        public static func == (lhs: Unique<T>, rhs: Unique<T>) -> Bool { lhs.constraints == rhs.constraints }

        /// Hashes the constraints.
        public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

        /// The constraints with the names of their properties.
        public var debugDescription: String {
            "Unique - constraints: \(constraints.map { ModelKeyPaths.names($0) })"
        }
    }
}
