// SPDX-License-Identifier: Apache-2.0

#if Server
    import Tracing

    /// Turns the work of a coordinator into metrics and spans.
    final class ServiceObserver: StoreActivityObserver {
        private let metrics: ServiceMetrics
        private let tracer: (any Tracer)?
        private let spans: RequestSpans

        init(metrics: ServiceMetrics, tracer: (any Tracer)?) {
            self.metrics = metrics
            self.tracer = tracer
            spans = RequestSpans(tracer)
        }

        /// Begins to observe a coordinator.
        ///
        /// - Throws: `CoreDataServiceError.alreadyRun` if a service observes it.
        func begin(_ coordinator: NSPersistentStoreCoordinator) throws {
            guard coordinator.activity.currentObserver == nil else { throw CoreDataServiceError.alreadyRun }
            coordinator.activity.setObserver(self)
        }

        func end(_ coordinator: NSPersistentStoreCoordinator) { coordinator.activity.setObserver(nil) }

        func begin(_ event: StoreEvent) -> ((StoreEvent.End) -> Void)? {
            let begin = ContinuousClock.now
            let span = spans.start(event)
            return { [metrics, spans] end in
                Self.record(event, end, ContinuousClock.now - begin, metrics)
                spans.end(span, end)
            }
        }

        private static func record(
            _ event: StoreEvent, _ end: StoreEvent.End, _ duration: Duration, _ metrics: ServiceMetrics
        ) {
            let type = event.storeTypes.joined(separator: ",")
            let entity = event.entities.joined(separator: ",")
            if event.kind == .save {
                metrics.record(duration, "coredata_save_duration", "store_type", type)
            } else {
                metrics.record(
                    duration, "coredata_request_duration", "kind", event.kind.rawValue, "entity", entity, "store_type",
                    type)
            }
            switch end {
            case .done where event.kind == .save:
                metrics.count(
                    "coredata_saved_objects", "change", "inserted", "store_type", type, by: event.inserted)
                metrics.count(
                    "coredata_saved_objects", "change", "updated", "store_type", type, by: event.updated)
                metrics.count(
                    "coredata_saved_objects", "change", "deleted", "store_type", type, by: event.deleted)
            case .done, .conflict: break
            case .failed(let error):
                metrics.count(
                    "coredata_errors", "kind", event.kind.rawValue, "code", "\((error as NSError).code)", "store_type",
                    type)
            }
        }

        func didFind(_ conflicts: [StoreConflictReport]) {
            for conflict in conflicts {
                metrics.count(
                    "coredata_conflicts", "entity", conflict.entity, "kind",
                    conflict.isConstraint ? "constraint" : "version", by: conflict.count)
            }
        }

        func willRetry(attempt: Int) { metrics.count("coredata_conflict_retries") }
    }
#endif
