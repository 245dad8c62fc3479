// SPDX-License-Identifier: Apache-2.0

extension SQLiteSession {
    /// Runs a block in a transaction that writes, if the file is still the store that was opened.
    func withWriteTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try connection.withTransaction(.immediate) {
            try fileIdentity.checkBeforeWriting()
            return try body()
        }
        fileIdentity.didCommit()
        return result
    }
}
