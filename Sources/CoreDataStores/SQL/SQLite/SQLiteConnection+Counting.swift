// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

extension SQLiteConnection {
    /// Counts the executions of statements. Until then they cost nothing.
    func countStatements(in statistics: ConnectionStatistics) {
        self.statistics = statistics
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                // A trigger begins as a comment.
                guard let context, let text = text?.assumingMemoryBound(to: CChar.self), text[0] != 45 || text[1] != 45
                else { return 0 }
                Unmanaged<ConnectionStatistics>.fromOpaque(context).takeUnretainedValue().countStatements()
                return 0
            }, Unmanaged.passUnretained(statistics).toOpaque())
    }
}
