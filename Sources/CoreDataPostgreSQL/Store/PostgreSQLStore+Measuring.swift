// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLStore: MeasuredStore {
    var statistics: ConnectionStatistics { database.statistics }

    var connectionUsage: ConnectionUsage? {
        guard let pool = (try? database.requireOpen())?.pool else { return nil }
        let (open, idle) = (pool.connectionCount, pool.idleCount)
        return ConnectionUsage(maximum: pool.maximumSize, open: open, inUse: max(open - idle, 0))
    }

    /// Round trips are counted always: that costs little beside one.
    func beginMeasuring() {}
}
