import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Values that the server can't store, or stores in another way.
@Suite("Values that the server can\u{2019}t store", .enabled(if: TestServer.isPresent))
struct UnstorableValueTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    private static func make(_ type: NSAttributeType = .doubleAttributeType) -> NSManagedObjectModel {
        let event = entity(
            "Event",
            [
                attribute("name", .stringAttributeType), attribute("date", .dateAttributeType),
                attribute("anything", .undefinedAttributeType), attribute("size", type),
            ])
        return model([event])
    }

    /// Dates that the server doesn't have: before 4713 BC, after 294276, and beyond all microseconds.
    private static let dates = [-2.2e11, 9.22335e12, -9.2e12, 1e15, -1e300]

    private func check(_ error: NSError, key: String) {
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, NSPersistentStoreSaveError, "\(error)")
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
        #expect(error.userInfo["entity"] as? String == "Event")
        expectContains(error.localizedDescription, "Event.\(key)")
    }

    @Test("A date beyond the server\u{2019}s range is an error with entity and key", arguments: dates)
    func farDates(seconds: Double) throws {
        let coordinator = try database.coordinator(at: database.url(), model: Self.make())
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        try database.use(coordinator) { context in
            for count in [1, 3] {
                for _ in 0..<count { context.make("Event").setValue(date, forKey: "date") }
                check(try requireError { try context.save() }, key: "date")
                context.rollback()
            }
            let insertion = NSBatchInsertRequest(entityName: "Event", objects: [["date": date]])
            check(try requireError { try context.execute(insertion) }, key: "date")
            context.make("Event")
            try context.save()
            let update = NSBatchUpdateRequest(entityName: "Event")
            update.propertiesToUpdate = ["date": date]
            check(try requireError { try context.execute(update) }, key: "date")
        }
    }

    @Test("A predicate with such a date is evaluated, as in other stores", arguments: dates)
    func farDatesInPredicates(seconds: Double) throws {
        let coordinator = try database.coordinator(at: database.url(), model: Self.make())
        let date = Date(timeIntervalSinceReferenceDate: seconds) as NSDate
        try database.use(coordinator) { context in
            context.make("Event").setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "date")
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
            for (format, count) in [("date < %@", seconds > 0 ? 1 : 0), ("date > %@", seconds < 0 ? 1 : 0)] {
                request.predicate = NSPredicate(format: format, date)
                try expectEqual(context.count(for: request), count)
                try expectEqual(context.fetch(request).count, count)
            }
            request.predicate = NSPredicate(
                format: "date IN %@", [date, Date(timeIntervalSinceReferenceDate: 0) as NSDate])
            try expectEqual(context.count(for: request), 1)
        }
    }

    @Test("The error of a text with NUL names the attribute from which another one is derived")
    func derivedText() throws {
        let derived = NSDerivedAttributeDescription()
        (derived.name, derived.attributeType) = ("capitals", .stringAttributeType)
        derived.derivationExpression = NSExpression(format: "uppercase:(name)")
        derived.isOptional = true
        let event = entity("Event", [attribute("name", .stringAttributeType)])
        event.properties.append(derived)
        let coordinator = try database.coordinator(at: database.url(), model: model([event]))
        try database.use(coordinator) { context in
            context.make("Event").setValue("a\u{0}b", forKey: "name")
            check(try requireError { try context.save() }, key: "name")
        }
    }

    @Test("The first and the last date of the server, and the infinite ones, are stored")
    func lastDates() throws {
        let coordinator = try database.coordinator(at: database.url(), model: Self.make())
        for seconds in [-2.11845e11, 9.2233397e12 - 31_622_400, .infinity, -.infinity] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            try database.use(coordinator) { context in
                let event = context.make("Event")
                event.setValue(date, forKey: "date")
                try context.save()
                context.refresh(event, mergeChanges: false)
                #expect(event.value(forKey: "date") as? Date == date)
            }
        }
    }

    @Test("A text with NUL is an error with entity and key")
    func texts() throws {
        let coordinator = try database.coordinator(at: database.url(), model: Self.make())
        try database.use(coordinator) { context in
            context.make("Event").setValue("a\u{0}b", forKey: "name")
            check(try requireError { try context.save() }, key: "name")
            context.rollback()
            let insertion = NSBatchInsertRequest(entityName: "Event", objects: [["name": "a\u{0}b"]])
            check(try requireError { try context.execute(insertion) }, key: "name")
        }
    }

    @Test("A number of an attribute without a type keeps its kind", arguments: [1.0, 0.5, -3.0, 1e15, 1e19, 1e300])
    func undefined(number: Double) throws {
        let coordinator = try database.coordinator(at: database.url(), model: Self.make())
        try database.use(coordinator) { context in
            for value in [NSNumber(value: number), NSNumber(value: 1), NSNumber(value: true)] {
                let event = context.make("Event")
                event.setValue(value, forKey: "anything")
                try context.save()
                context.refreshAllObjects()
                let found = try requireValue(event.value(forKey: "anything") as? NSNumber)
                expectEqual(found, value)
                let kinds = [found, value].map { String(cString: $0.objCType) }
                expectEqual((kinds[0] == "d"), (kinds[1] == "d"), "\(kinds)")
            }
        }
    }

    @Test("A number that is too large for its new type is an error with attribute and object")
    func numbers() throws {
        let old = try database.coordinator(at: database.url(), model: Self.make())
        try database.use(old) { context in
            for number in [1.5, 1e300, 1e-300] { context.make("Event").setValue(number, forKey: "size") }
            try context.save()
        }
        let error = try requireError {
            _ = try database.coordinator(
                at: database.url(), options: PostgreSQLMigrationTests.options(), model: Self.make(.floatAttributeType))
        }
        expectEqual(error.code, NSMigrationError, "\(error)")
        expectEqual(error.localizedFailureReason?.contains("Event/p2 has a value of size"), true, "\(error)")
        try database.use(old) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
            let events = try context.fetch(request)
            let large = try requireValue(events.first { $0.value(forKey: "size") as? Double == 1e300 })
            large.setValue(2.5, forKey: "size")
            try context.save()
        }
        let new = try database.coordinator(
            at: database.url(), options: PostgreSQLMigrationTests.options(), model: Self.make(.floatAttributeType))
        try database.use(new) { context in
            let sizes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Event")).compactMap {
                $0.value(forKey: "size") as? Double
            }
            expectEqual(sizes.sorted(), [0, 1.5, 2.5])
        }
    }
}
