// SPDX-License-Identifier: Apache-2.0

#if Server
    import CoreMetrics
    import Synchronization

    /// The metrics of a service. Labels and dimensions have names of entities and types of stores, never values.
    final class ServiceMetrics: Sendable {
        // Sendable: swift-metrics allows all its metrics on any thread.
        private struct Handlers: @unchecked Sendable {
            var timers: [Key: CoreMetrics.Timer] = [:]
            var counters: [Key: Counter] = [:]
            var meters: [Key: Meter] = [:]
        }

        struct Key: Hashable {
            let label: String
            let dimensions: [String]

            init(_ label: String, _ dimensions: [String] = []) { (self.label, self.dimensions) = (label, dimensions) }
        }

        private struct Totals {
            var statements: [ObjectIdentifier: Int] = [:]
            var faults = 0

            mutating func newFaults(_ count: Int) -> Int {
                defer { faults = count }
                return count - faults
            }
        }

        private let factory: any MetricsFactory
        private let handlers = Locked(Handlers())
        /// The amounts that the counters have got already.
        private let totals = Locked(Totals())

        init(_ factory: any MetricsFactory) { self.factory = factory }

        // MARK: Handlers

        /// Records a time. The names of dimensions alternate with their values.
        func record(_ duration: Duration, _ label: String, _ dimensions: String...) {
            let key = Key(label, dimensions)
            let timer = handlers.withLock { handlers in
                handlers.timers.value(for: key) {
                    Timer(label: label, dimensions: Self.pairs(dimensions), factory: factory)
                }
            }
            let (seconds, attoseconds) = duration.components
            timer.value.recordNanoseconds(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
        }

        func count(_ label: String, _ dimensions: String..., by amount: Int = 1) {
            guard amount > 0 else { return }
            let key = Key(label, dimensions)
            let counter = handlers.withLock { handlers in
                handlers.counters.value(for: key) {
                    Counter(label: label, dimensions: Self.pairs(dimensions), factory: factory)
                }
            }
            counter.value.increment(by: amount)
        }

        private func set(_ value: Int, _ label: String, _ dimensions: String...) {
            let key = Key(label, dimensions)
            let meter = handlers.withLock { handlers in
                handlers.meters.value(for: key) {
                    Meter(label: label, dimensions: Self.pairs(dimensions), factory: factory)
                }
            }
            meter.value.set(value)
        }

        private static func pairs(_ dimensions: [String]) -> [(String, String)] {
            stride(from: 0, to: dimensions.count - 1, by: 2).map { (dimensions[$0], dimensions[$0 + 1]) }
        }

        // MARK: Measurements

        /// Records the waits for a connection of the open stores.
        func observeWaits(of container: NSPersistentContainer) {
            for case let store as any MeasuredStore in container.persistentStoreCoordinator.persistentStores {
                let type = store.type
                store.statistics.observeWaits { [weak self] in
                    self?.record($0, "coredata_connection_wait_duration", "store_type", type)
                }
            }
        }

        /// Records the connections, and the counts since the last measurement.
        func record(_ service: CoreDataService) {
            let coordinator = service.container.persistentStoreCoordinator
            set(service.gate.running, "coredata_work_running")
            set(service.gate.waiting, "coredata_work_waiting")
            var usage: [String: ConnectionUsage] = [:]
            for case let store as any MeasuredStore in coordinator.persistentStores {
                count("coredata_statements", "store_type", store.type, by: newStatements(of: store))
                guard let new = store.connectionUsage else { continue }
                let known = usage[store.type]
                usage[store.type] = ConnectionUsage(
                    maximum: new.maximum + (known?.maximum ?? 0), open: new.open + (known?.open ?? 0),
                    inUse: new.inUse + (known?.inUse ?? 0))
            }
            for (type, usage) in usage {
                set(usage.maximum, "coredata_connections_maximum", "store_type", type)
                set(usage.open, "coredata_connections_open", "store_type", type)
                set(usage.inUse, "coredata_connections_in_use", "store_type", type)
            }
            let faults = coordinator.activity.faultCount
            count("coredata_faults", by: totals.withLock { $0.newFaults(faults) })
        }

        private func newStatements(of store: any MeasuredStore) -> Int {
            let count = store.statistics.statementCount
            return totals.withLock { totals in
                defer { totals.statements[ObjectIdentifier(store)] = count }
                return count - (totals.statements[ObjectIdentifier(store)] ?? 0)
            }
        }
    }

    /// A metric on its way out of a lock.
    private struct Handler<Value>: @unchecked Sendable {
        let value: Value
    }

    extension Dictionary where Key == ServiceMetrics.Key {
        fileprivate mutating func value(for key: Key, _ make: () -> Value) -> Handler<Value> {
            if let known = self[key] { return Handler(value: known) }
            let new = make()
            self[key] = new
            return Handler(value: new)
        }
    }
#endif
