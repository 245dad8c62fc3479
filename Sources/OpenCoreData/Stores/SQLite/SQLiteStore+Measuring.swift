// SPDX-License-Identifier: Apache-2.0

extension SQLiteStore: MeasuredStore {
    var connectionUsage: ConnectionUsage? { database.connectionUsage }
    var statistics: ConnectionStatistics { database.statistics }
    func beginMeasuring() { database.beginMeasuring() }
}
