import CoreData
import Testing

@Suite("Changes that are made while a save is prepared")
struct WillSaveTests {
    @Test("an object that changes in its willSave is told again, until it is content", arguments: StoreKind.allCases)
    func again(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            let other = stack.context.makeLogged("Parent", "q")
            try stack.context.save()
            parent.whenSaving = { object in
                let count = Int(object.text("note") ?? "") ?? 0
                if count < 3 { object.setValue("\(count + 1)", forKey: "note") }
            }
            parent.setValue("p2", forKey: "name")
            other.setValue("q2", forKey: "name")
            stack.context.processPendingChanges()
            _ = log.take()
            try stack.context.save()
            expectEqual(
                log.take().filter { !$0.hasPrefix("q2") },
                [
                    "WillSave", "p2 willSave", "DidChange updated: p2", "p2 willSave", "DidChange updated: p2",
                    "p2 willSave", "DidChange updated: p2", "p2 willSave",
                    "p2 validateForUpdate", "p2 didSave", "DidSave updated: p2,q2",
                ])
            try inFreshContext(stack) { try expectEqual($0.one("Parent", "p2").text("note"), "3") }
        }
    }

    @Test("a save whose changes willSave takes back posts its end", arguments: StoreKind.allCases)
    func takenBack(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            try stack.context.save()
            parent.whenSaving = { stack.context.refresh($0, mergeChanges: false) }
            parent.setValue("q", forKey: "name")
            stack.context.processPendingChanges()
            _ = log.take()
            try stack.context.save()
            let calls = log.take()
            expectEqual(calls.first, "WillSave")
            expectEqual(calls.last?.hasPrefix("DidSave"), true)
            #expect(calls.count > 2)
            expectFalse(stack.context.hasChanges)
            expectEqual(parent.text("name"), "p")
        }
    }

    @Test(
        "objects that a merge policy changes are told before they are saved",
        arguments: StoreKind.allCases.without(.noUniqueness))
    func mergePolicy(_ kind: StoreKind) throws {
        let model = LoggedModel.make()
        model.entitiesByName["Parent"]?.uniquenessConstraints = [["name"]]
        try withStack(kind, model: model) { stack in
            let stored = stack.context.makeLogged("Parent", "a", ["note": "old"])
            try stack.context.save()
            var count = 0
            stored.whenSaving = { _ in count += 1 }
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            _ = stack.context.makeLogged("Parent", "a", ["note": "new"])
            try stack.context.save()
            expectEqual(count, 1)
            expectEqual(stored.text("note"), "new")
            stored.whenSaving = nil
        }
    }

    @Test("objects that nobody has changed since are told once", arguments: StoreKind.allCases)
    func once(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            _ = stack.context.makeLogged("Parent", "q")
            parent.whenSaving = { if $0.text("note") != "x" { $0.setValue("x", forKey: "note") } }
            try stack.context.save()
            expectEqual(log.take().filter { $0 == "q willSave" }, ["q willSave"])
        }
    }

    @Test(
        "willSave may insert, change and delete other objects, which are told and validated as well",
        arguments: StoreKind.allCases)
    func others(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let context = stack.context
            let parent = context.makeLogged("Parent", "p")
            let changed = context.makeLogged("Parent", "changed")
            let deleted = context.makeLogged("Parent", "deleted")
            _ = context.makeLogged("Child", "child", ["parent": deleted])
            try context.save()
            parent.whenSaving = { object in
                object.whenSaving = nil
                _ = context.makeLogged("Parent", "new")
                changed.setValue("x", forKey: "note")
                context.delete(deleted)
            }
            parent.setValue("x", forKey: "note")
            context.processPendingChanges()
            _ = log.take()
            try context.save()
            expectEqual(
                log.take(),
                [
                    "WillSave", "p willSave", "new awakeFromInsert", "deleted prepareForDeletion",
                    "child prepareForDeletion",
                    "DidChange inserted: new updated: changed deleted: child,deleted",
                    "new willSave", "changed willSave", "deleted willSave", "child willSave",
                    "deleted validateForDelete", "child validateForDelete", "new validateForInsert",
                    "p validateForUpdate", "changed validateForUpdate",
                    "new didSave", "p didSave", "changed didSave", "deleted didSave", "child didSave",
                    "DidSave inserted: new updated: changed,p deleted: child,deleted",
                ])
            try inFreshContext(stack) { fresh in
                try expectEqual(fresh.names("Parent"), ["changed", "new", "p"])
                try expectEmpty(fresh.all("Child"))
            }
        }
    }

    @Test("an object that is inserted and deleted while a save is prepared is not saved", arguments: StoreKind.allCases)
    func shortLife(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let context = stack.context
            let parent = context.makeLogged("Parent", "p")
            parent.whenSaving = { object in
                object.whenSaving = nil
                context.delete(context.makeLogged("Parent", "short"))
            }
            try context.save()
            #expect(!log.take().contains { $0.contains("short willSave") || $0.contains("short validate") })
            expectFalse(context.hasChanges)
            try inFreshContext(stack) { try expectEqual($0.names("Parent"), ["p"]) }
        }
    }

    @Test("primitive values may be set in willSave without being told again", arguments: StoreKind.allCases)
    func primitive(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let parent = stack.context.makeLogged("Parent", "p")
            parent.whenSaving = { $0.setPrimitiveValue("stamped", forKey: "note") }
            try stack.context.save()
            expectEqual(log.take().filter { $0 == "p willSave" }.count, 1)
            try inFreshContext(stack) { try expectEqual($0.one("Parent", "p").text("note"), "stamped") }
        }
    }

    @Test("changes of observers of WillSave are told to all objects with the rest", arguments: StoreKind.allCases)
    func observer(_ kind: StoreKind) throws {
        try LoggedModel.run(kind) { stack, log in
            let context = stack.context
            let parent = context.makeLogged("Parent", "p")
            try context.save()
            let insert = UnsafeSender { _ = context.makeLogged("Parent", "seen") }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: context, queue: nil
            ) { _ in insert.value() }
            defer { NotificationCenter.default.removeObserver(token) }
            parent.setValue("x", forKey: "note")
            _ = log.take()
            try context.save()
            let told = log.take()
            // Which of several observers hears a notification first isn't said.
            expectEqual(told.first, "DidChange updated: p")
            expectEqual(Set(told[1...2]), ["WillSave", "new awakeFromInsert"])
            expectEqual(
                Array(told.dropFirst(3)),
                [
                    "DidChange inserted: seen", "seen willSave", "p willSave", "seen validateForInsert",
                    "p validateForUpdate", "seen didSave", "p didSave", "DidSave inserted: seen updated: p",
                ])
        }
    }

    @Test("a willSave that changes its object each time stops the program and says so")
    func endless() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try LoggedModel.run(.memory) { stack, _ in
                let parent = stack.context.makeLogged("Parent", "p")
                parent.whenSaving = { $0.setValue("\($0.text("note") ?? "").", forKey: "note") }
                try stack.context.save()
            }
        }
        expectContains(errorOutput(result), "1000 rounds")
    }

    @Test("saving in willSave throws an error and leaves the outer save alone")
    func nested() throws {
        try LoggedModel.run(.memory) { stack, _ in
            let parent = stack.context.makeLogged("Parent", "p")
            var inner: NSError?
            parent.whenSaving = { object in
                inner = thrownError { try object.managedObjectContext?.save() }
            }
            try stack.context.save()
            expectEqual(inner?.domain, NSCocoaErrorDomain)
            expectEqual(inner?.code, 132001)
            expectFalse(stack.context.hasChanges)
        }
    }
}
