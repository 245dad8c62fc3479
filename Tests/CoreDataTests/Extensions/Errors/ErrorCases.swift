import CoreData
import TestSupport

/// One error for each kind that the framework throws, by name.
enum ErrorCases {
    static func error(of name: String) throws -> NSError {
        guard let make = all[name] else { throw TestFailure("there is no case \(name)") }
        guard let error = try make() else { throw TestFailure("\(name): no error was thrown") }
        return error
    }

    static let names = all.keys.sorted()

    private static let all: [String: @Sendable () throws -> NSError?] = validation.merging(saving) { $1 }
        .merging(fetching) { $1 }.merging(opening) { $1 }.merging(models) { $1 }

    // MARK: Validation

    private typealias Make = @Sendable () throws -> NSError?

    private static let validation: [String: @Sendable () throws -> NSError?] = [
        "number too large": limit(#"attributeType="Integer 32" maxValueString="1""#, NSNumber(value: 2)),
        "number too small": limit(#"attributeType="Double" minValueString="1""#, NSNumber(value: 0)),
        "date too late": limit(
            #"attributeType="Date" maxDateTimeInterval="0""#, Date(timeIntervalSinceReferenceDate: 9)),
        "date too soon": limit(
            #"attributeType="Date" minDateTimeInterval="9""#, Date(timeIntervalSinceReferenceDate: 0)),
        "string too long": limit(#"attributeType="String" maxValueString="2""#, "long"),
        "string too short": limit(#"attributeType="String" minValueString="9""#, "short"),
        "string without pattern": limit(#"attributeType="String" regularExpressionString="[A-Z]+""#, "small"),
        "rule with a text": {
            let name = attribute("name", .stringAttributeType)
            name.setValidationPredicates(
                [NSPredicate(format: "length < 2")], withValidationWarnings: ["Names are short."])
            return try saveError(of: model([entity("Thing", [name])]), name: "long")
        },
        "missing value": {
            try saveError(of: model([entity("Thing", [attribute("name", .stringAttributeType, optional: false)])]))
        },
        "several broken rules": {
            let names = ["name", "label"].map { attribute($0, .stringAttributeType, optional: false) }
            return try saveError(of: model([entity("Thing", names)]))
        },
        "missing object": { try relationshipError { toOne("part", $0, optional: false) } },
        "too few objects": { try relationshipError { toMany("parts", $0, minCount: 1, optional: false) } },
        "too many objects": { try relationshipError(count: 3) { toMany("parts", $0, maxCount: 2) } },
        "denied delete": {
            try withLibrary { stack in
                let publisher = stack.context.make("Publisher", "P")
                stack.context.make("Book", "B", ["publisher": publisher])
                try stack.context.save()
                stack.context.delete(publisher)
                return thrownError { try stack.context.save() }
            }
        },
        "value of a wrong type": {
            try withLibrary { stack in
                var value: AnyObject? = NSString(string: "many")
                let book = stack.context.make("Book", "B")
                return thrownError { try book.validateValue(&value, forKey: "pages") }
            }
        },
        "date of a wrong type": {
            var error: NSError?
            try withStack(.memory, model: model([entity("Thing", [attribute("day", .dateAttributeType)])])) { stack in
                var value: AnyObject? = NSString(string: "today")
                let thing = stack.context.make("Thing")
                error = thrownError { try thing.validateValue(&value, forKey: "day") }
            }
            return error
        },
    ]

    /// The error of a value that breaks a limit of the model editor.
    private static func limit(_ attribute: String, _ value: any Sendable) -> Make {
        {
            let folder = try TemporaryFolder()
            let text = """
                <?xml version="1.0" encoding="UTF-8"?><model><entity name="Thing" syncable="YES">
                <attribute name="name" optional="YES" \(attribute)/></entity></model>
                """
            let contents = folder.file("Things.xcdatamodel/contents")
            try FileManager.default.createDirectory(
                at: contents.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: contents)
            guard let model = NSManagedObjectModel(contentsOf: contents.deletingLastPathComponent()) else { return nil }
            return try saveError(of: model, name: value)
        }
    }

    private static func saveError(of model: NSManagedObjectModel, name: Any? = nil) throws -> NSError? {
        var error: NSError?
        try withStack(.sqlite, model: model) { stack in
            stack.context.make("Thing").setValue(name, forKey: "name")
            error = thrownError { try stack.context.save() }
        }
        return error
    }

    /// The error of a new object with a number of parts.
    private static func relationshipError(count: Int = 0, _ make: (NSEntityDescription) -> NSRelationshipDescription)
        throws -> NSError?
    {
        let part = entity("Part")
        let relationship = make(part)
        let whole = entity("Whole", [relationship])
        let back = toOne("whole", whole)
        part.properties = [back]
        pair(relationship, back)
        var error: NSError?
        try withStack(.memory, model: model([whole, part])) { stack in
            let object = stack.context.make("Whole")
            if count > 0 {
                object.setValue(NSSet(array: (0..<count).map { _ in stack.context.make("Part") }), forKey: "parts")
            }
            error = thrownError { try stack.context.save() }
        }
        return error
    }

    // MARK: Saving

    private static func withLibrary(_ body: (TestStack) throws -> NSError?) throws -> NSError? {
        var error: NSError?
        try withStack(.sqlite) { error = try body($0) }
        return error
    }

    private static let saving: [String: @Sendable () throws -> NSError?] = [
        "merge conflict": {
            try withLibrary { stack in
                let book = stack.context.make("Book", "B")
                try stack.context.save()
                try inFreshContext(stack) { other in
                    try other.one("Book", "B").setValue(5, forKey: "pages")
                    try other.save()
                }
                book.setValue(6, forKey: "pages")
                return thrownError { try stack.context.save() }
            }
        },
        "constraint conflict": {
            let thing = entity("Thing", [attribute("name", .stringAttributeType)])
            thing.uniquenessConstraints = [["name"]]
            var error: NSError?
            try withStack(.sqlite, model: model([thing])) { stack in
                stack.context.make("Thing", "A")
                stack.context.make("Thing", "A")
                error = thrownError { try stack.context.save() }
            }
            return error
        },
        "relationship between stores": {
            try withLibrary { stack in
                let other = try stack.coordinator.addPersistentStore(
                    ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
                let book = stack.context.make("Book", "B")
                let author = stack.context.make("Author", "A")
                stack.context.assign(book, to: stack.store)
                stack.context.assign(author, to: other)
                book.setValue(author, forKey: "author")
                return thrownError { try stack.context.save() }
            }
        },
        "store that was removed": {
            try withLibrary { stack in
                let book = stack.context.make("Book", "B")
                try stack.context.save()
                book.setValue(7, forKey: "pages")
                try stack.coordinator.remove(stack.store)
                return thrownError { try stack.context.save() }
            }
        },
        "no store": {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            return context.performAndWait {
                context.make("Book", "B")
                return thrownError { try context.save() }
            }
        },
        "read-only store": {
            let folder = try TemporaryFolder()
            let stack = try TestStack(.sqlite, folder: folder)
            try on(stack.context) {
                stack.context.make("Book", "B")
                try stack.context.save()
            }
            try stack.coordinator.remove(stack.store)
            let other = try TestStack(.sqlite, folder: folder, options: [NSReadOnlyPersistentStoreOption: true])
            return try other.context.performAndWait {
                try other.context.one("Book", "B").setValue(8, forKey: "pages")
                return thrownError { try other.context.save() }
            }
        },
        "value that can't be archived": {
            let thing = attribute("thing", .transformableAttributeType)
            var error: NSError?
            try withStack(.sqlite, model: model([entity("Box", [thing])])) { stack in
                stack.context.make("Box", nil, ["thing": NSObject()])
                error = thrownError { try stack.context.save() }
            }
            return error
        },
        "metadata that can't be written": {
            try withLibrary { stack in
                stack.coordinator.setMetadata(["key": NSObject()], for: stack.store)
                return thrownError { try stack.context.save() }
            }
        },
    ]

    // MARK: Fetching

    private static func fetchError(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws -> NSError? {
        try withLibrary { stack in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            change(request)
            return thrownError { _ = try stack.context.fetch(request) }
        }
    }

    private static let fetching: [String: @Sendable () throws -> NSError?] = [
        "unknown key in a predicate": { try fetchError { $0.predicate = NSPredicate(format: "colour == 1") } },
        "predicate that SQL can't express": {
            try fetchError { $0.predicate = NSPredicate(format: "FUNCTION(name, 'uppercase2:', 1) == 'A'") }
        },
        "unknown property to fetch": { try fetchError { $0.propertiesToFetch = ["colour"] } },
        "no property to fetch": { try fetchError { $0.propertiesToFetch = [5] } },
        "having without groups": { try fetchError { $0.havingPredicate = NSPredicate(format: "name == 'A'") } },
        "unknown property of objects to fetch": {
            try withLibrary { stack in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.propertiesToFetch = ["colour"]
                return thrownError { _ = try stack.context.fetch(request) }
            }
        },
        "object without a row": {
            try withLibrary { stack in
                let book = stack.context.make("Book", "B")
                try stack.context.save()
                let id = book.objectID
                stack.context.delete(book)
                try stack.context.save()
                return thrownError { _ = try stack.newContext().existingObject(with: id) }
            }
        },
        "context without a coordinator": {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            return context.performAndWait {
                thrownError { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) }
            }
        },
        "request of an unknown kind": {
            try withLibrary { stack in thrownError { _ = try stack.context.execute(NSPersistentStoreRequest()) } }
        },
        "query generation of another coordinator": {
            try withLibrary { stack in
                try stack.context.setQueryGenerationFrom(.current)
                _ = try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
                let token = stack.context.queryGenerationToken
                let other = try TestStack(.sqlite)
                return other.context.performAndWait {
                    thrownError { try other.context.setQueryGenerationFrom(token) }
                }
            }
        },
        "sections out of order": {
            try withLibrary { stack in
                for (name, pages) in [("A", 1), ("B", 2), ("C", 1)] {
                    stack.context.make("Book", name, ["pages": pages])
                }
                try stack.context.save()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "pages",
                    cacheName: nil)
                return thrownError { try controller.performFetch() }
            }
        },
    ]
}
