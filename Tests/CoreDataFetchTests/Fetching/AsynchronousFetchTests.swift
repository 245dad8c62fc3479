import CoreData
import Testing

@Suite("Asynchronous fetches")
struct AsynchronousFetchTests {
    private var byName: [NSSortDescriptor] { [NSSortDescriptor(key: "name", ascending: true)] }

    /// Ten saved books.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try TestStack(kind)
        try stack.context.performAndWait {
            for index in 0..<10 { stack.context.make("Book", "book \(index)", ["pages": 10 * index]) }
            try stack.context.save()
            stack.context.reset()
        }
        return stack
    }

    /// Executes a request, and checks its result on the context's queue when it has ended.
    ///
    /// - Parameters:
    ///   - after: runs on the context's queue right after the request was given to the context.
    private func end<T: NSFetchRequestResult>(
        _ request: NSFetchRequest<T>, in context: NSManagedObjectContext,
        after: @escaping (NSAsynchronousFetchResult<T>) throws -> Void = { _ in },
        check: @escaping (NSAsynchronousFetchResult<T>) throws -> Void
    ) async throws {
        nonisolated(unsafe) let request = request
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            context.perform {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    continuation.resume(with: Result { try check(result) })
                }
                do {
                    let result = try context.execute(asynchronous)
                    let typed = try #require(result as? NSAsynchronousFetchResult<T>)
                    #expect(typed.finalResult == nil)
                    #expect(typed.operationError == nil)
                    #expect(typed.managedObjectContext === context)
                    #expect(typed.fetchRequest === asynchronous)
                    #expect(typed.fetchRequest.fetchRequest === request)
                    try after(typed)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private func books<T: NSFetchRequestResult>(
        _ type: T.Type = NSManagedObject.self, _ resultType: NSFetchRequestResultType = .managedObjectResultType
    ) -> NSFetchRequest<T> {
        let request = NSFetchRequest<T>(entityName: "Book")
        request.resultType = resultType
        request.sortDescriptors = byName
        request.predicate = NSPredicate(format: "pages >= 50")
        return request
    }

    @Test(
        "limit and offset are right, though the changes at the start of the fetch are saved or discarded when it ends",
        arguments: StoreKind.allCases, [true, false])
    func settledChanges(_ kind: StoreKind, _ isSaved: Bool) async throws {
        let stack = try self.stack(kind)
        let context = stack.context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        (request.sortDescriptors, request.fetchOffset, request.fetchLimit) = (byName, 5, 3)
        context.performAndWait { _ = context.make("Book", "zz") }
        try await end(
            request, in: context, after: { _ in if isSaved { try context.save() } else { context.rollback() } }
        ) { result in
            expectEqual(result.finalResult?.map { $0.text("name") ?? "" }, ["book 5", "book 6", "book 7"])
        }
    }

    @Test(
        "the results are complete on the context's queue, with and without batches", arguments: StoreKind.allCases,
        [0, 2])
    func objects(_ kind: StoreKind, _ batchSize: Int) async throws {
        let stack = try stack(kind)
        let request = books()
        request.fetchBatchSize = batchSize
        try await end(request, in: stack.context) { result in
            let names = try requireValue(result.finalResult).map { $0.text("name") }
            expectEqual(names, (5..<10).map { "book \($0)" })
            #expect(result.operationError == nil)
            // Only on its queue does a context let its blocks run at once.
            try expectEqual(NSFetchRequest<NSManagedObject>(entityName: "Book").execute().count, 10)
        }
    }

    @Test("every type of result can be fetched", arguments: StoreKind.allCases)
    func resultTypes(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        try await end(books(NSManagedObjectID.self, .managedObjectIDResultType), in: stack.context) {
            expectEqual($0.finalResult?.count, 5)
        }
        try await end(books(NSNumber.self, .countResultType), in: stack.context) {
            expectEqual($0.finalResult?.map(\.intValue), [5])
        }
        let dictionaries = books(NSDictionary.self, .dictionaryResultType)
        dictionaries.propertiesToFetch = ["pages"]
        try await end(dictionaries, in: stack.context) { result in
            expectEqual(result.finalResult?.compactMap { ($0["pages"] as? NSNumber)?.intValue }, [50, 60, 70, 80, 90])
        }
    }

    @Test("unsaved changes count, those too that were made while the fetch ran", arguments: StoreKind.allCases)
    func changes(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        let context = stack.context
        let request = books()
        request.fetchLimit = 3
        try await end(
            request, in: context,
            after: { _ in
                context.delete(try context.one("Book", "book 5"))
                try context.one("Book", "book 6").setValue(1, forKey: "pages")
                context.make("Book", "book 70", ["pages": 70])
            },
            check: { result in
                expectEqual(result.finalResult?.map { $0.text("name") }, ["book 7", "book 70", "book 8"])
            })
        try await end(
            books(NSNumber.self, .countResultType), in: context,
            after: { _ in context.make("Book", "x", ["pages": 99]) }
        ) {
            expectEqual($0.finalResult?.first?.intValue, 5)
        }
    }

    @Test(
        "objects don't get rows that are older than what the context merged, or saved, while the fetch ran",
        arguments: [true, false])
    func changedRows(_ isMerged: Bool) async throws {
        let stack = try stack(.memory)
        let context = stack.context
        let other = isMerged ? stack.newContext() : context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.returnsObjectsAsFaults = false
        request.shouldRefreshRefetchedObjects = true
        let count = DispatchSemaphore(value: 0)
        // The store evaluates the block for each of its ten rows, on a private queue.
        request.predicate = NSPredicate { _, _ in
            count.signal()
            return true
        }
        try await end(
            request, in: context,
            after: { _ in
                for _ in 0..<10 { count.wait() }
                try on(other) {
                    nonisolated(unsafe) var saved: Notification?
                    let observer = NotificationCenter.default.addObserver(
                        forName: .NSManagedObjectContextDidSave, object: other, queue: nil
                    ) { saved = $0 }
                    defer { NotificationCenter.default.removeObserver(observer) }
                    try other.one("Book", "book 5").setValue(1000, forKey: "pages")
                    try other.save()
                    if isMerged { context.mergeChanges(fromContextDidSave: try requireValue(saved)) }
                }
            },
            check: { result in
                let book = try requireValue(result.finalResult?.first { $0.text("name") == "book 5" })
                expectEqual(book.number("pages"), 1000)
                // An update of the newest row is no conflict.
                book.setValue(1001, forKey: "pages")
                try context.save()
            })
    }

    @Test("a cancelled fetch ends with NSUserCancelledError and without a result", arguments: StoreKind.allCases)
    func cancelling(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        try await end(books(), in: stack.context, after: { $0.cancel() }) { result in
            let error = try requireValue(result.operationError) as NSError
            expectEqual(result.finalResult, nil)
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, CocoaError.Code.userCancelled.rawValue)
        }
        // The store works as before.
        try await end(books(), in: stack.context) { expectEqual($0.finalResult?.count, 5) }
    }

    @Test("a statement that would run for ever is stopped")
    func interrupting() async throws {
        let stack = try TestStack(.tables)
        try stack.context.performAndWait {
            let author = stack.context.make("Author", "a")
            for index in 0..<1000 { stack.context.make("Book", "book \(index)", ["author": author]) }
            try stack.context.save()
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(
            format: """
                SUBQUERY(author.books, $a, SUBQUERY($a.author.books, $b, SUBQUERY($b.author.books, $c,
                $c.name == 'none').@count > 1).@count > 1).@count > 1
                """)
        let queue = DispatchQueue(label: "cancelling")
        try await end(
            request, in: stack.newContext(),
            after: { result in
                // Early or late: the fetch ends.
                queue.asyncAfter(deadline: .now() + 0.05) { result.cancel() }
            },
            check: { result in
                expectEqual((result.operationError as NSError?)?.code, CocoaError.Code.userCancelled.rawValue)
                expectEqual(result.finalResult, nil)
            })
        try on(stack.context) { try expectEqual(stack.context.all("Book").count, 1000) }
    }

    @Test("an error of the store is the result's", arguments: StoreKind.allCases)
    func errors(_ kind: StoreKind) async throws {
        let stack = try stack(kind)
        let request = books()
        request.predicate = NSPredicate(format: "colour == 'red'")
        try await end(request, in: stack.context) { result in
            expectEqual(result.finalResult, nil)
            expectEqual(result.operationError?.localizedDescription.contains("colour"), true)
        }
    }

    @Test("the current progress gets the number of rows, and may cancel the fetch")
    func progress() async throws {
        let stack = try stack(.sqlite)
        let context = stack.context
        for isCancelling in [false, true] {
            let whole = Progress(totalUnitCount: 1)
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                context.perform {
                    let request = NSAsynchronousFetchRequest(fetchRequest: books()) { result in
                        expectEqual((result.finalResult == nil), isCancelling)
                        expectEqual(whole.isFinished, !isCancelling)
                        expectEqual(result.progress?.isFinished, !isCancelling)
                        if !isCancelling { expectEqual(result.progress?.completedUnitCount, 5) }
                        continuation.resume()
                    }
                    request.estimatedResultCount = 100
                    whole.becomeCurrent(withPendingUnitCount: 1)
                    defer { whole.resignCurrent() }
                    do {
                        let result = try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
                        expectEqual(result?.progress?.totalUnitCount, 100)
                        if isCancelling { whole.cancel() }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        }
        try await end(books(), in: context) { expectEqual($0.progress, nil) }
    }

    @MainActor
    @Test("a context of the main queue gets its results there")
    func mainQueue() async throws {
        let stack = try stack(.sqlite)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let request = NSAsynchronousFetchRequest(fetchRequest: books()) { result in
                MainActor.assertIsolated()
                expectEqual(result.finalResult?.count, 5)
                continuation.resume()
            }
            do {
                _ = try context.execute(request)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    @Test("many fetches at once from several contexts all end")
    func many() async throws {
        let stack = try stack(.sqlite)
        let contexts = (0..<4).map { _ in stack.newContext() }
        for _ in 0..<25 {
            for context in contexts { try await end(books(), in: context) { expectEqual($0.finalResult?.count, 5) } }
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                let context = contexts[index % 4]
                group.addTask {
                    await withCheckedContinuation { continuation in
                        context.perform {
                            let request = NSAsynchronousFetchRequest(
                                fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Book")
                            ) { result in
                                expectEqual(result.finalResult?.count, 10)
                                continuation.resume()
                            }
                            #expect(throws: Never.self) { try context.execute(request) }
                        }
                    }
                }
            }
        }
    }

    @Test("a copy is equal")
    func copying() {
        let request = NSAsynchronousFetchRequest(fetchRequest: books()) { _ in }
        request.estimatedResultCount = 7
        let copy = request.copy() as? NSAsynchronousFetchRequest<NSManagedObject>
        expectEqual(copy?.estimatedResultCount, 7)
        #expect(copy?.completionBlock != nil)
        expectEqual(copy?.fetchRequest, request.fetchRequest)
        #expect(copy?.fetchRequest !== request.fetchRequest)
        expectEqual(request.requestType, .fetchRequestType)
    }
}

@Suite("Executing requests")
struct ExecutingTests {
    @Test("a fetch request gives a complete result", arguments: StoreKind.allCases)
    func fetching(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "a")
            let result =
                try stack.context.execute(NSFetchRequest<NSManagedObject>(entityName: "Book"))
                as? NSAsynchronousFetchResult<NSManagedObject>
            expectEqual(result?.finalResult?.map { $0.text("name") }, ["a"])
        }
    }

    @Test("a fetch request executes itself in the context whose block runs")
    func current() throws {
        try withStack(.sqlite) { stack in
            stack.context.make("Book", "a")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            try expectEqual(request.execute().count, 1)
            // The innermost block counts.
            try on(stack.newContext()) { try expectEmpty(request.execute()) }
            try expectEqual(request.execute().count, 1)
        }
    }

    @MainActor
    @Test("blocks of contexts of the main queue are distinguished")
    func mainQueue() throws {
        let stack = try TestStack(.memory)
        let contexts = (0..<2).map { _ in
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = stack.coordinator
            return context
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        try contexts[0].performAndWait {
            contexts[0].make("Book", "a")
            try #expect(request.execute().count == 1)
            try contexts[1].performAndWait { try expectEmpty(request.execute()) }
            try expectEqual(request.execute().count, 1)
        }
    }

    @Test("outside of a block executing a fetch request stops the program")
    func outside() async {
        await #expect(processExitsWith: .failure) {
            _ = try NSFetchRequest<NSManagedObject>(entityName: "Book").execute()
        }
    }

    @Test("a request of another kind is refused")
    func unsupported() throws {
        try withStack(.sqlite) { stack in
            let error = try requireValue(thrownError { try stack.context.execute(NSPersistentStoreRequest()) })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreUnsupportedRequestTypeError)
        }
    }
}
