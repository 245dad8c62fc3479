extension SQLiteStore: MeasuredStore {
    var connectionUsage: ConnectionUsage? { database.connectionUsage }
    var statistics: ConnectionStatistics { database.statistics }
    func beginMeasuring() { database.beginMeasuring() }
}
