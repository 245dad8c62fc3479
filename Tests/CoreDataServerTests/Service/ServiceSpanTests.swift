#if Server
    import CoreDataServer
    import CoreDataTestSupport
    import InMemoryTracing
    import TestSupport
    import Testing
    import Tracing

    /// The spans of requests and saves.
    @Suite("Spans of a service")
    struct ServiceSpanTests {
        @Test("Each request and each save has a span with names and counts, below the task's span")
        func spans() async throws {
            let test = try TestService()
            try await test.run { _ in
                try await test.service.waitUntilReady()
                let task = test.tracer.startSpan("task")
                try await ServiceContext.withValue(task.context) {
                    try await test.service.saveRetryingConflicts { context in
                        context.make("Team", "secret")
                        context.make("Tag", "secret")
                    }
                    _ = try await test.service.perform { try $0.all("Team", "name == %@", ["secret"]).count }
                }
                task.end()
            }
            let spans = test.tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["coredata.save", "coredata.fetch", "task"])
            let (save, fetch) = (spans[0], spans[1])
            #expect(save.parentSpanID == spans[2].spanID)
            #expect(fetch.parentSpanID == spans[2].spanID)
            #expect(save.attributes["coredata.entities"]?.toSpanAttribute() == "Tag,Team")
            #expect(save.attributes["coredata.inserted"]?.toSpanAttribute() == 2)
            #expect(save.attributes["coredata.store_types"]?.toSpanAttribute() == .string(test.kind.type))
            #expect(fetch.attributes["coredata.results"]?.toSpanAttribute() == 1)
            for span in spans {
                #expect(!String(describing: span.attributes).contains("secret"))
            }
        }

        @Test("The span of a request that fails has the code of its error, without the text")
        func failures() async throws {
            let test = try TestService()
            try await test.run { _ in
                await #expect(throws: NSError.self) {
                    try await test.service.perform { context in
                        context.make("Member", "a", ["email": "secret"])
                        try context.save()
                        context.make("Member", "b", ["email": "secret"])
                        try context.save()
                    }
                }
                await #expect(throws: NSError.self) {
                    try await test.service.perform { context in
                        let insertion = NSBatchInsertRequest(
                            entityName: "Member", objects: [["email": "secret"], ["email": "secret"]])
                        _ = try context.execute(insertion)
                    }
                }
            }
            let spans = test.tracer.finishedSpans
            #expect(spans.contains { $0.attributes["coredata.conflict"]?.toSpanAttribute() == true })
            let failed = spans.filter { $0.status?.code == .error }
            #expect(failed.map(\.operationName) == ["coredata.batch"])
            for span in spans {
                expectEmpty(span.errors)
                #expect(span.status?.message == nil)
                #expect(!String(describing: span.attributes).contains("secret"))
            }
        }
    }
#endif
