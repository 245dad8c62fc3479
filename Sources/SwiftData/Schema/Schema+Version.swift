// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// The version of a schema: three numbers, as in semantic versioning.
    public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
        /// Changed when stores need a migration by code.
        public let major: Int
        /// Changed when stores need a lightweight migration.
        public let minor: Int
        /// Changed when stores need none.
        public let patch: Int

        /// Makes a version from its numbers.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// Whether a version is older than another one.
        public static func < (lhs: Version, rhs: Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
        }

        /// The numbers, for example `1.0.0`.
        public var description: String { "\(major).\(minor).\(patch)" }
    }
}
