import CoreData
import Testing

@Suite("Fetching")
struct FetchTests {
    /// Two authors, six books, tags, readers with wishes.
    private func withLibrary(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let jane = context.make("Author", "Jane", ["age": 41, "genre": "romance"])
            let walter = context.make("Author", "Walter", ["age": 61])
            let classic = context.make("Tag", "classic")
            let long = context.make("Tag", "long")
            for (index, name) in ["Emma", "Persuasion", "Sanditon"].enumerated() {
                let book = context.make(
                    "Novel", name, ["author": jane, "pages": 100 * (index + 1), "price": 9.5 + Double(index)])
                book.mutableSetValue(forKey: "tags").add(classic)
            }
            for (index, name) in ["Ivanhoe", "Waverley"].enumerated() {
                let book = context.make("Book", name, ["author": walter, "pages": 500 + index])
                book.mutableSetValue(forKey: "tags").addObjects(from: [classic, long])
            }
            context.make("Book", "Anonymous").setValue(nil, forKey: "pages")
            let ann = context.make("Reader", "Ann", ["age": 20])
            ann.mutableSetValue(forKey: "wishes").add(try context.one("Book", "Emma"))
            ann.setValue(jane, forKey: "mentor")
            try context.save()
            try inFreshContext(stack, body)
        }
    }

    @Test("a fetch of an entity includes its subentities by default", arguments: StoreKind.allCases)
    func inheritance(_ kind: StoreKind) throws {
        try withLibrary(kind) { context in
            try expectEqual(context.all("Book").count, 6)
            try expectEqual(context.all("Novel").count, 3)
            try expectEqual(context.all("Person").count, 3)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.includesSubentities = false
            try expectEqual(context.fetch(request).count, 3)
            try expectEqual(context.count(for: request), 3)
            try expectEqual(context.all("Book").filter { $0.entity.name == "Novel" }.count, 3)
        }
    }

    @Test("a predicate on an attribute of a subentity finds the subentity's objects", arguments: StoreKind.allCases)
    func subentityKeys(_ kind: StoreKind) throws {
        try withLibrary(kind) { try expectEqual($0.names("Author", "genre == 'romance'"), ["Jane"]) }
    }

    @Test(
        "predicates find the same in every store", arguments: StoreKind.allCases,
        [
            ("name == 'Emma'", "Emma"), ("name BEGINSWITH[c] 'iv'", "Ivanhoe"),
            ("name CONTAINS 'a' AND pages >= 500", "Ivanhoe Waverley"),
            ("name ENDSWITH 'n'", "Persuasion Sanditon"), ("name LIKE '*an?oe'", "Ivanhoe"),
            ("name MATCHES '[EI].*'", "Emma Ivanhoe"),
            ("name IN {'Emma', 'Waverley', 'Nothing'}", "Emma Waverley"),
            ("pages BETWEEN {200, 500}", "Ivanhoe Persuasion Sanditon"),
            ("author == nil", "Anonymous"), ("author != nil AND NOT name CONTAINS 'e'", "Emma Sanditon"),
            ("price > 10", "Persuasion Sanditon"),
            ("author.name == 'Walter'", "Ivanhoe Waverley"), ("author.age > 50", "Ivanhoe Waverley"),
            ("ANY tags.name == 'long'", "Ivanhoe Waverley"),
            ("NONE tags.name == 'long'", "Anonymous Emma Persuasion Sanditon"),
            ("tags.@count == 2", "Ivanhoe Waverley"), ("tags.@count == 0", "Anonymous"),
            ("ANY author.books.pages > 500", "Ivanhoe Waverley"),
            ("SUBQUERY(tags, $t, $t.name == 'long').@count > 0", "Ivanhoe Waverley"),
            ("TRUEPREDICATE", "Anonymous Emma Ivanhoe Persuasion Sanditon Waverley"),
            ("FALSEPREDICATE", ""), ("price == nil AND author != nil", "Ivanhoe Waverley"),
        ])
    func predicates(_ kind: StoreKind, _ example: (format: String, names: String)) throws {
        try withLibrary(kind) { context in
            try expectEqual(
                context.names("Book", example.format).joined(separator: " "), example.names, "\(example.format)")
        }
    }

    @Test("objects, IDs and collections of them may stand in predicates", arguments: StoreKind.allCases)
    func objects(_ kind: StoreKind) throws {
        try withLibrary(kind) { context in
            let jane = try context.one("Author", "Jane")
            let emma = try context.one("Book", "Emma")
            let long = try context.one("Tag", "long")
            try expectEqual(context.names("Book", "author == %@", [jane]), ["Emma", "Persuasion", "Sanditon"])
            try expectEqual(context.names("Book", "author == %@", [jane.objectID]), ["Emma", "Persuasion", "Sanditon"])
            try expectEqual(context.names("Book", "author != %@ AND author != nil", [jane]), ["Ivanhoe", "Waverley"])
            try expectEqual(context.names("Author", "%@ IN books", [emma]), ["Jane"])
            try expectEqual(context.names("Author", "books CONTAINS %@", [emma]), ["Jane"])
            try expectEqual(context.names("Book", "ANY tags == %@", [long]), ["Ivanhoe", "Waverley"])
            try expectEqual(context.names("Book", "ANY tags IN %@", [[long]]), ["Ivanhoe", "Waverley"])
            try expectEqual(
                context.names("Book", "author IN %@", [NSSet(array: [jane])]), ["Emma", "Persuasion", "Sanditon"])
            try expectEqual(context.names("Book", "SELF == %@", [emma]), ["Emma"])
            try expectEqual(context.names("Book", "SELF IN %@", [[emma.objectID]]), ["Emma"])
            try expectEqual(context.names("Reader", "ANY wishes == %@", [emma]), ["Ann"])
            try expectEqual(context.names("Person", "mentor == %@", [jane]), ["Ann"])
        }
    }

    @Test("a variable is filled in before the fetch", arguments: StoreKind.allCases)
    func variables(_ kind: StoreKind) throws {
        try withLibrary(kind) { context in
            let template = NSPredicate(format: "author.name == $NAME")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = template.withSubstitutionVariables(["NAME": "Walter"])
            try expectEqual(context.fetch(request).count, 2)
        }
    }

    @Test("results have the requested order, with limit and offset", arguments: StoreKind.allCases)
    func sorting(_ kind: StoreKind) throws {
        try withLibrary(kind) { context in
            let byPages = [
                NSSortDescriptor(key: "pages", ascending: false), NSSortDescriptor(key: "name", ascending: true),
            ]
            func names(_ limit: Int = 0, _ offset: Int = 0) throws -> [String] {
                try context.all("Book", "author != nil", sort: byPages, limit: limit, offset: offset).map {
                    $0.text("name")!
                }
            }
            try expectEqual(names(), ["Waverley", "Ivanhoe", "Sanditon", "Persuasion", "Emma"])
            try expectEqual(names(2), ["Waverley", "Ivanhoe"])
            try expectEqual(names(2, 1), ["Ivanhoe", "Sanditon"])
            try expectEqual(names(0, 4), ["Emma"])
            try expectEqual(names(5, 9), [])
            let byAuthor = [
                NSSortDescriptor(key: "author.name", ascending: false), NSSortDescriptor(key: "name", ascending: false),
            ]
            try expectEqual(
                context.all("Book", "author != nil", sort: byAuthor).map { $0.text("name")! },
                [
                    "Waverley", "Ivanhoe", "Sanditon", "Persuasion", "Emma",
                ])
        }
    }

    @Test("counts and IDs agree with the objects", arguments: StoreKind.allCases)
    func resultTypes(_ kind: StoreKind) throws {
        try withLibrary(kind) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages > 150")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let objects = try context.fetch(request)
            try expectEqual(context.count(for: request), objects.count)
            expectEqual(objects.count, 4)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            ids.predicate = request.predicate
            ids.sortDescriptors = request.sortDescriptors
            try expectEqual(context.fetch(ids), objects.map(\.objectID))
            let counting = NSFetchRequest<NSNumber>(entityName: "Book")
            counting.resultType = .countResultType
            counting.predicate = request.predicate
            try expectEqual(context.fetch(counting).first?.intValue, 4)
            request.fetchLimit = 3
            try expectEqual(context.count(for: request), 3)
            request.fetchOffset = 2
            try expectEqual(context.count(for: request), 2)
        }
    }

    @Test("an unknown key in a predicate or a sort descriptor is an error that names it", arguments: StoreKind.allCases)
    func unknownKeys(_ kind: StoreKind) throws {
        try withLibrary(kind) { context in
            let predicate = try requireValue(thrownError { _ = try context.all("Book", "colour == 'red'") })
            expectContains(predicate.localizedDescription, "colour", "\(predicate)")
            expectContains(predicate.localizedDescription, "Book", "\(predicate)")
            let path = try requireValue(thrownError { _ = try context.all("Book", "author.colour == 'red'") })
            expectContains(path.localizedDescription, "colour", "\(path)")
            let sort = try requireValue(
                thrownError { _ = try context.all("Book", sort: [NSSortDescriptor(key: "colour", ascending: true)]) })
            expectContains(sort.localizedDescription, "colour", "\(sort)")
        }
    }
}
