import CoreDataServer
import CoreDataTestSupport
import TestSupport
import Testing

/// Relationships that lead to an entity, to its subentity, and to an abstract entity.
@Suite("Entities of related objects in snapshots")
struct SnapshotEntityTests {
    /// Notes with an author, who is any person, and with members, who are persons, too. All attachments are files.
    private func makeModel() -> NSManagedObjectModel {
        let note = entity("Note")
        let person = entity("Person")
        let member = entity("Member")
        person.subentities = [member]
        let attachment = entity("Attachment")
        attachment.isAbstract = true
        let file = entity("File")
        attachment.subentities = [file]
        let author = toOne("author", person)
        let written = toMany("written", note)
        pair(author, written)
        let assignee = toOne("assignee", member)
        let assigned = toMany("assigned", note)
        pair(assignee, assigned)
        let watchers = toMany("watchers", member)
        let watched = toMany("watched", note)
        pair(watchers, watched)
        let readers = toMany("readers", person)
        let read = toMany("read", note)
        pair(readers, read)
        let attachments = toMany("attachments", attachment)
        let attached = toOne("note", note)
        pair(attachments, attached)
        let cover = toOne("cover", attachment)
        let covered = toMany("covered", note)
        pair(cover, covered)
        note.properties = [
            attribute("name", .stringAttributeType), author, assignee, watchers, readers, attachments,
            cover,
        ]
        attachment.properties = [attribute("name", .stringAttributeType), attached, covered]
        person.properties = [attribute("name", .stringAttributeType), written, read]
        member.properties = [attribute("grade", .stringAttributeType), assigned, watched]
        return model([note, person, member, attachment, file])
    }

    private func properties(_ stack: TestStack, _ keyPaths: [String]) throws -> SnapshotProperties {
        try SnapshotProperties(keyPaths, of: requireValue(stack.model.entitiesByName["Note"]))
    }

    /// The problems of a text, as key path and kind.
    private func problems(
        _ json: String, _ properties: SnapshotProperties, _ object: NSManagedObject
    ) throws -> [String] {
        do {
            try properties.apply(ManagedObjectSnapshot(json: Data(json.utf8)), to: object)
            return []
        } catch let error as SnapshotError {
            return error.problems.map { "\($0.keyPath) \($0.kind.rawValue)" }
        }
    }

    private func uri(_ object: NSManagedObject) -> String { object.objectID.uriRepresentation().absoluteString }

    // MARK: URIs with another entity

    /// Expects that a person whose URI says that it is a member is found nowhere.
    private func expectNoMember(
        _ lie: String, _ written: SnapshotProperties, in context: NSManagedObjectContext
    ) throws {
        let note = try context.one("Note", "n")
        for (json, place) in [
            (#"{"assignee":"\#(lie)"}"#, "assignee"),
            (#"{"author":"\#(lie)"}"#, "author"),
            (#"{"assignee":{"objectID":"\#(lie)","name":"x"}}"#, "assignee.objectID"),
            (#"{"watchers":["\#(lie)"]}"#, "watchers[0]"),
            (#"{"watchers":["\#(lie)","\#(lie)9999"]}"#, "watchers[0]"),
        ] {
            try expectEqual(problems(json, written, note).first, "\(place) unknownObject", "\(json)")
            expectFalse(context.hasChanges)
        }
    }

    @Test("A URI with the name of a subentity makes no object one of it", arguments: StoreKind.allCases)
    func wrongEntity(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Note", "n")
            let eve = stack.context.make("Person", "Eve")
            try stack.context.save()
            let lie = uri(eve).replacingOccurrences(of: "/Person/", with: "/Member/")
            #expect(lie != uri(eve))
            let written = try properties(stack, ["author", "assignee.name", "watchers"])
            // The object is in the context, in the row cache, and in the store alone.
            try expectNoMember(lie, written, in: stack.context)
            let second = stack.newContext()
            try on(second) { try expectNoMember(lie, written, in: second) }
            try inFreshContext(stack) { try expectNoMember(lie, written, in: $0) }
            withExtendedLifetime(eve) {}
        }
    }

    @Test("A URI with the name of a subentity makes no object one of it in a child", arguments: StoreKind.allCases)
    func wrongEntityInChild(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Note", "n")
            let eve = stack.context.make("Person", "Eve")
            try stack.context.save()
            let lie = uri(eve).replacingOccurrences(of: "/Person/", with: "/Member/")
            let written = try properties(stack, ["author", "assignee.name", "watchers"])
            // The object is in the parent, and in the store alone.
            let fresh = try stack.afresh()
            for parent in [stack.context, fresh] {
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = parent
                try on(child) { try expectNoMember(lie, written, in: child) }
            }
            withExtendedLifetime(eve) {}
        }
    }

    @Test("A URI with the name of a superentity names the object", arguments: StoreKind.allCases)
    func superentity(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Note", "n")
            let members = ["a", "b"].map { stack.context.make("Member", $0) }
            try stack.context.save()
            let named = uri(members[0]).replacingOccurrences(of: "/Member/", with: "/Person/")
            let written = try properties(stack, ["author", "readers"])
            try inFreshContext(stack) { context in
                let note = try context.one("Note", "n")
                try expectEqual(problems(#"{"author":"\#(named)"}"#, written, note), [])
                expectEqual(note.object("author")?.text("name"), "a")
            }
            try inFreshContext(stack) { context in
                let note = try context.one("Note", "n")
                try expectEqual(problems(#"{"readers":["\#(named)","\#(uri(members[1]))"]}"#, written, note), [])
                expectEqual(note.names("readers"), ["a", "b"])
            }
        }
    }

    @Test("A child finds the objects that only its parent has", arguments: StoreKind.allCases)
    func unsavedInParent(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Note", "n")
            let gone = stack.context.make("Member", "gone")
            try stack.context.save()
            let new = stack.context.make("Member", "new")
            try stack.context.obtainPermanentIDs(for: [new])
            stack.context.delete(gone)
            let written = try properties(stack, ["assignee", "watchers"])
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            try on(child) {
                let note = try child.one("Note", "n")
                try expectEqual(problems(#"{"assignee":"\#(uri(gone))"}"#, written, note), ["assignee unknownObject"])
                try expectEqual(
                    problems(#"{"watchers":["\#(uri(new))","\#(uri(gone))"]}"#, written, note),
                    ["watchers[1] unknownObject"])
                try expectEqual(problems(#"{"assignee":"\#(uri(new))"}"#, written, note), [])
                expectEqual(note.object("assignee")?.text("name"), "new")
            }
        }
    }

    // MARK: Many URIs

    @Test("An array names objects, others and none", arguments: StoreKind.allCases)
    func manyURIs(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Note", "n")
            let members = ["a", "b", "c"].map { stack.context.make("Member", $0) }
            let eve = stack.context.make("Person", "Eve")
            try stack.context.save()
            let written = try properties(stack, ["watchers.name"])
            let lie = uri(eve).replacingOccurrences(of: "/Person/", with: "/Member/")
            let uris = members.map(uri)
            try inFreshContext(stack) { context in
                let note = try context.one("Note", "n")
                try expectEqual(
                    problems(#"{"watchers":["\#(uris[0])","\#(lie)","\#(uris[1])9999"]}"#, written, note),
                    ["watchers[1] unknownObject", "watchers[2] unknownObject"])
                expectFalse(context.hasChanges)
                let json = #"{"watchers":["\#(uris[2])",{"objectID":"\#(uris[0])","name":"A"},"\#(uris[1])"]}"#
                try expectEqual(problems(json, written, note), [])
                expectEqual(note.names("watchers"), ["A", "b", "c"])
            }
        }
    }

    /// The number of statements that an array of URIs costs a context that knows none of their objects.
    private func statementCount(_ uris: some Sequence<String>, _ stack: TestStack) throws -> Int {
        let written = try properties(stack, ["watchers"])
        let list = uris.map { "\"\($0)\"" }.joined(separator: ",")
        let context = try stack.afresh()
        return try context.performAndWait {
            let note = try context.one("Note", "n")
            return try StatementCount.during(context) {
                // The unknown key keeps the relationship from being set.
                try expectEqual(problems(#"{"watchers":[\#(list)],"x":1}"#, written, note), ["x unknownKey"])
            }
        }
    }

    @Test("The number of statements doesn't grow with the URIs of an array")
    func statements() throws {
        try withStack(.sqlite, model: makeModel()) { stack in
            stack.context.make("Note", "n")
            let members = (0..<40).map { stack.context.make("Member", "m\($0)") }
            try stack.context.save()
            let uris = members.map(uri)
            let few = try statementCount(uris.prefix(2), stack)
            #expect(few > 0)
            try expectEqual(statementCount(uris, stack), few)
        }
    }

    // MARK: Abstract entities

    @Test("No snapshot makes an object of an abstract entity", arguments: StoreKind.allCases)
    func newObjectOfAbstractEntity(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let note = stack.context.make("Note", "n")
            try stack.context.save()
            let written = try properties(stack, ["attachments.name", "cover.name"])
            let json = #"{"attachments":[{"name":"x"},{}],"cover":{"name":"y"}}"#
            try expectEqual(
                problems(json, written, note),
                ["attachments[0] invalidValue", "attachments[1] invalidValue", "cover invalidValue"])
            expectFalse(stack.context.hasChanges)
            let error = #expect(throws: SnapshotError.self) {
                _ = try written.insert(ManagedObjectSnapshot(json: Data(json.utf8)), into: stack.context)
            }
            expectEqual(error?.problems.count, 3)
            expectEqual(error?.problems.first?.message.contains("existing object by its objectID"), true)
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test("A snapshot writes into existing objects below an abstract entity", arguments: StoreKind.allCases)
    func existingObjectOfAbstractEntity(kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let note = stack.context.make("Note", "n")
            let file = stack.context.make("File", "f")
            try stack.context.save()
            let written = try properties(stack, ["attachments.name", "cover.name"])
            try expectEqual(
                problems(#"{"attachments":[{"objectID":"\#(uri(file))","name":"g"}]}"#, written, note), [])
            expectEqual(note.objects("attachments"), [file])
            expectEqual(file.text("name"), "g")
            try expectEqual(problems(#"{"cover":"\#(uri(file))"}"#, written, note), [])
            // The present object is written into.
            try expectEqual(problems(#"{"cover":{"name":"h"}}"#, written, note), [])
            #expect(note.object("cover") === file)
            expectEqual(file.text("name"), "h")
        }
    }
}
