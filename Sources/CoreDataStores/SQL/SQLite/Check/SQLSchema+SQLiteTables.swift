// SPDX-License-Identifier: Apache-2.0

extension SQLSchema {
    /// The tables that a file lacks, and the columns that its other tables lack.
    ///
    /// - Parameter existing: the columns of the tables of the file. Names in SQL are case-insensitive.
    func missingParts(inFile existing: [String: [String]]) -> [MissingSchemaPart] {
        let existing = Dictionary(
            existing.map { ($0.key.uppercased(), Set($0.value.map { $0.uppercased() })) },
            uniquingKeysWith: { $0.union($1) })
        func stored(_ name: String) -> String { name.uppercased() }
        return missingParts(in: existing, stored: stored)
            + MissingSchemaPart.parts(
                of: "Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], in: existing, stored: stored)
    }
}
