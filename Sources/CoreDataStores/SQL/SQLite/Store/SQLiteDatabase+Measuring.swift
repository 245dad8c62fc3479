// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    /// The connections that read beside the one that writes, and that one; nil while the file is closed.
    package var connectionUsage: ConnectionUsage? { readers.usage }

    package var statistics: ConnectionStatistics { readers.statistics }

    /// Counts the statements of all connections that are opened from now on, and of the one that writes.
    package func beginMeasuring() {
        readers.beginMeasuring()
        try? withOpen { $0.connection.countStatements(in: statistics) }
    }
}
