// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    /// The connections, both the writing connection and the reading ones; nil while the file is closed.
    package var connectionUsage: ConnectionUsage? { readers.usage }

    package var statistics: ConnectionStatistics { readers.statistics }

    /// Counts the statements of the writing connection, and of all connections that are opened from now on.
    package func beginMeasuring() {
        readers.beginMeasuring()
        try? withOpen { $0.connection.countStatements(in: statistics) }
    }
}
