#if Server
    import CoreDataServer
    import CoreDataTestSupport
    import MetricsTestKit
    import TestSupport
    import Testing

    /// The measurements of a service.
    @Suite("Metrics of a service")
    struct ServiceMetricsTests {
        private func type(_ test: TestService) -> (String, String) { ("store_type", test.kind.type) }

        @Test("Requests, saves and their objects are counted and timed", arguments: StoreKind.allCases)
        func requests(kind: StoreKind) async throws {
            let test = try TestService(kind)
            try await test.run { _ in
                try await test.service.perform { context in
                    for name in ["a", "b", "c"] { context.make("Team", name) }
                    try context.save()
                    try context.one("Team", "a").setValue("A", forKey: "name")
                    context.delete(try context.one("Team", "b"))
                    try context.save()
                    _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Task"))
                    let names = NSFetchRequest<NSDictionary>(entityName: "Team")
                    names.resultType = .dictionaryResultType
                    names.propertiesToFetch = ["name"]
                    _ = try context.fetch(names)
                    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Team")
                    ids.resultType = .managedObjectIDResultType
                    _ = try context.fetch(ids)
                }
            }
            let metrics = test.metrics
            func requests(_ kind: String, _ entity: String) throws -> Int {
                try metrics.expectTimer(
                    "coredata_request_duration", [("kind", kind), ("entity", entity), type(test)]
                ).values.count
            }
            try #expect(requests("fetch", "Team") == 3)
            try #expect(requests("count", "Task") == 1)
            try #expect(requests("dictionaries", "Team") == 1)
            try #expect(metrics.expectTimer("coredata_save_duration", [type(test)]).values.count == 2)
            for (change, count) in [("inserted", 3), ("updated", 1), ("deleted", 1)] {
                try #expect(
                    metrics.expectCounter("coredata_saved_objects", [("change", change), type(test)]).totalValue
                        == Int64(count))
            }
            #expect(metrics.counterTotal(label: "coredata_errors") == 0)
        }

        @Test("Batch requests and requests on the history are timed")
        func batches() async throws {
            let test = try TestService(options: [NSPersistentHistoryTrackingKey: true])
            try await test.run { _ in
                try await test.service.perform { context in
                    let insertion = NSBatchInsertRequest(entityName: "Team", objects: [["name": "a"], ["name": "b"]])
                    _ = try context.execute(insertion)
                    _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
                }
            }
            let batch = try test.metrics.expectTimer(
                "coredata_request_duration", [("kind", "batch"), ("entity", "Team"), type(test)])
            #expect(batch.values.count == 1)
            let history = try test.metrics.expectTimer(
                "coredata_request_duration", [("kind", "history"), ("entity", ""), type(test)])
            #expect(history.values.count == 1)
        }

        @Test("Conflicts and retries are counted by entity and kind")
        func conflicts() async throws {
            let test = try TestService()
            let service = test.service
            try await test.run { _ in
                let id = try await service.perform { context in
                    let team = context.make("Team", "a")
                    context.make("Member", "m", ["email": "e"])
                    try context.save()
                    return team.objectID
                }
                try await service.saveRetryingConflicts { context in
                    let team = try context.existingObject(with: id)
                    if team.number("open") == 0 {
                        let other = service.container.newBackgroundContext()
                        try other.performAndWait {
                            try other.existingObject(with: id).setValue(5, forKey: "open")
                            try other.save()
                        }
                    }
                    team.setValue((team.number("open") ?? 0) + 1, forKey: "open")
                }
                await #expect(throws: NSError.self) {
                    try await service.perform { context in
                        context.make("Member", "twin", ["email": "e"])
                        try context.save()
                    }
                }
            }
            let metrics = test.metrics
            try #expect(
                metrics.expectCounter("coredata_conflicts", [("entity", "Team"), ("kind", "version")]).totalValue == 1)
            try #expect(
                metrics.expectCounter("coredata_conflicts", [("entity", "Member"), ("kind", "constraint")]).totalValue
                    >= 1)
            #expect(metrics.counterTotal(label: "coredata_conflict_retries") == 1)
        }

        @Test("Statements, faults and connections are measured")
        func connections() async throws {
            let test = try TestService()
            try await test.run { _ in
                let id = try await test.service.perform { context in
                    let team = context.make("Team", "a")
                    try context.save()
                    return team.objectID
                }
                // The row cache has no row that no object uses.
                _ = try await test.service.perform { context in
                    context.refresh(context.object(with: id), mergeChanges: false)
                    return context.object(with: id).text("name")
                }
            }
            #expect(test.metrics.counterTotal(label: "coredata_statements") >= 3)
            #expect(test.metrics.counterTotal(label: "coredata_faults") == 1)
            let type = type(test)
            #expect(try test.metrics.expectMeter("coredata_connections_open", [type]).values.contains { $0 >= 1 })
            #expect(
                try test.metrics.expectMeter("coredata_connections_maximum", [type]).lastValue.map { $0 >= 1 } == true)
            #expect(try test.metrics.expectMeter("coredata_connections_in_use", [type]).values.isEmpty == false)
            #expect(try test.metrics.expectMeter("coredata_work_running").values.isEmpty == false)
        }

        @Test("A coordinator without a service isn't observed")
        func unobserved() throws {
            let stack = try TestStack(.sqlite, model: TeamModel.make())
            #expect(stack.coordinator.activity.currentObserver == nil)
            try on(stack.context) { _ = try stack.context.all("Team") }
            #expect(stack.coordinator.activity.faultCount == 0)
        }
    }
#endif
