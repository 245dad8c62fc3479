import CoreData
import Testing

@Suite("Validation of relationships")
struct RelationshipValidationTests {
    private static func makeModel(
        min: Int, max: Int, optional: Bool, ordered: Bool = false, rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSManagedObjectModel {
        let team = entity("Team")
        let player = entity("Player")
        let players = toMany(
            "players", player, rule: rule, ordered: ordered, minCount: min, maxCount: max, optional: optional)
        let team1 = toOne("team", team)
        pair(players, team1)
        team.properties = [attribute("name", .stringAttributeType), players]
        player.properties = [attribute("name", .stringAttributeType), team1]
        return model([team, player])
    }

    /// The codes of saves with 0, 1, … members, 0 for success.
    private func codes(_ kind: StoreKind, _ model: NSManagedObjectModel, upTo count: Int) throws -> [Int] {
        try (0...count).map { count in
            var code = 0
            try withStack(kind, model: model.copy() as! NSManagedObjectModel) { stack in
                let team = stack.context.make("Team", "t")
                for index in 0..<count { stack.context.make("Player", "\(index)", ["team": team]) }
                guard let error = thrownError({ try stack.context.save() }) else { return }
                code = error.code
                #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "players")
                #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === team)
                let value = error.userInfo[NSValidationValueErrorKey]
                expectEqual(((value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count), count)
            }
            return code
        }
    }

    @Test(
        "counts are checked at both ends; an optional relationship may be empty", arguments: StoreKind.allCases,
        [false, true])
    func counts(_ kind: StoreKind, ordered: Bool) throws {
        try expectEqual(
            codes(kind, Self.makeModel(min: 2, max: 3, optional: false, ordered: ordered), upTo: 4),
            [
                1580, 1580, 0, 0, 1590,
            ])
        try expectEqual(
            codes(kind, Self.makeModel(min: 2, max: 3, optional: true, ordered: ordered), upTo: 4),
            [
                0, 1580, 0, 0, 1590,
            ])
        try expectEqual(
            codes(kind, Self.makeModel(min: 1, max: 0, optional: false, ordered: ordered), upTo: 2), [1580, 0, 0])
        // Without a minimum count a required relationship may be empty too.
        try expectEqual(
            codes(kind, Self.makeModel(min: 0, max: 0, optional: false, ordered: ordered), upTo: 2), [0, 0, 0])
        try expectEqual(
            codes(kind, Self.makeModel(min: 0, max: 0, optional: true, ordered: ordered), upTo: 2), [0, 0, 0])
    }

    @Test("a change from the other side is counted, though the content was never read", arguments: StoreKind.allCases)
    func fromOtherSide(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel(min: 1, max: 2, optional: false)) { stack in
            let team = stack.context.make("Team", "t")
            for name in ["a", "b"] { stack.context.make("Player", name, ["team": team]) }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let team = try context.one("Team", "t")
                let third = context.make("Player", "c", ["team": team])
                expectTrue(team.hasFault(forRelationshipNamed: "players"))
                expectEqual(thrownError { try context.save() }?.code, 1590)
                context.delete(third)
                for player in try context.all("Player") { player.setValue(nil, forKey: "team") }
                expectEqual(thrownError { try context.save() }?.code, 1580)
                context.rollback()
                try context.delete(context.one("Player", "a"))
                try context.save()
                try context.delete(context.one("Player", "b"))
                expectEqual(thrownError { try context.save() }?.code, 1580)
            }
        }
    }

    @Test(
        "a required to-one relationship that is nil is error 1570, by deletion of its destination too",
        arguments: StoreKind.allCases)
    func requiredToOne(_ kind: StoreKind) throws {
        let team = entity("Team")
        let player = entity("Player")
        let players = toMany("players", player)
        let team1 = toOne("team", team, optional: false)
        pair(players, team1)
        team.properties = [attribute("name", .stringAttributeType), players]
        player.properties = [attribute("name", .stringAttributeType), team1]
        try withStack(kind, model: model([team, player])) { stack in
            let player = stack.context.make("Player", "p")
            expectEqual(thrownError { try stack.context.save() }?.code, 1570)
            let team = stack.context.make("Team", "t", ["players": NSSet(object: player)])
            try stack.context.save()
            stack.context.delete(team)
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, 1570)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "team")
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === player)
            #expect(error?.userInfo[NSValidationValueErrorKey] is NSNull)
            stack.context.delete(player)
            try stack.context.save()
        }
    }

    // MARK: Deny

    @Test("a deletion that a relationship denies is error 1600, and nothing is saved", arguments: StoreKind.allCases)
    func denied(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel(min: 0, max: 0, optional: true, rule: .denyDeleteRule)) { stack in
            stack.context.make("Player", "p", ["team": stack.context.make("Team", "t")])
            try stack.context.save()
            try inFreshContext(stack) { context in
                // Nothing but the team is fetched.
                let team = try context.one("Team", "t")
                context.delete(team)
                let error = try requireValue(thrownError { try context.save() })
                expectEqual(error.code, 1600)
                #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "players")
                #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === team)
                expectTrue(team.isDeleted)
                #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [team])
                try #expect(context.one("Player", "p").object("team") === team)
                try inFreshContext(stack) { try expectEqual($0.names("Team"), ["t"]) }
                try context.delete(context.one("Player", "p"))
                try context.save()
                try expectEmpty(context.all("Team"))
            }
        }
    }

    @Test("a relationship that denies allows the deletion once it is empty", arguments: StoreKind.allCases)
    func emptied(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel(min: 0, max: 0, optional: true, rule: .denyDeleteRule)) { stack in
            let team = stack.context.make("Team", "t")
            let player = stack.context.make("Player", "p", ["team": team])
            try stack.context.save()
            stack.context.delete(team)
            player.setValue(nil, forKey: "team")
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Team"))
                try expectEqual($0.names("Player"), ["p"])
            }
        }
    }

    /// A folder deletes its files; a file denies while it has readers; readers may delete their folder.
    private func withFolders(
        _ kind: StoreKind, _ body: (TestStack, NSManagedObject, NSManagedObject, NSManagedObject) throws -> Void
    ) throws {
        let folder = entity("Folder")
        let file = entity("File")
        let reader = entity("Reader")
        let files = toMany("files", file, rule: .cascadeDeleteRule)
        let home = toOne("folder", folder)
        pair(files, home)
        let readers = toMany("readers", reader, rule: .denyDeleteRule)
        let reads = toOne("file", file)
        pair(readers, reads)
        let desk = toOne("desk", folder, rule: .cascadeDeleteRule)
        let users = toMany("users", reader)
        pair(desk, users)
        folder.properties = [attribute("name", .stringAttributeType), files, users]
        file.properties = [attribute("name", .stringAttributeType), home, readers]
        reader.properties = [attribute("name", .stringAttributeType), reads, desk]
        try withStack(kind, model: model([folder, file, reader])) { stack in
            let folder = stack.context.make("Folder", "folder")
            let file = stack.context.make("File", "file", ["folder": folder])
            let reader = stack.context.make("Reader", "reader", ["file": file])
            try stack.context.save()
            try body(stack, folder, file, reader)
        }
    }

    @Test("a rule further down denies what a cascade wants to delete", arguments: StoreKind.allCases)
    func deniedInCascade(_ kind: StoreKind) throws {
        try withFolders(kind) { stack, folder, file, reader in
            stack.context.delete(folder)
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.code, 1600)
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === file)
            stack.context.rollback()
            expectFalse(folder.isDeleted)
            expectFalse(file.isDeleted)
            #expect(file.object("folder") === folder)
            #expect(reader.object("file") === file)
            try inFreshContext(stack) {
                try expectEqual($0.names("Folder"), ["folder"])
                try expectEqual($0.names("File"), ["file"])
            }
        }
    }

    @Test("what is deleted along with it denies nothing, round a cycle too", arguments: StoreKind.allCases)
    func deletedTogether(_ kind: StoreKind) throws {
        try withFolders(kind) { stack, folder, _, reader in
            reader.setValue(folder, forKey: "desk")
            try stack.context.save()
            // The reader takes the folder along, and that the file, which would deny for the reader's sake.
            stack.context.delete(reader)
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Folder"))
                try expectEmpty($0.all("File"))
                try expectEmpty($0.all("Reader"))
            }
        }
    }

    // MARK: Objects of nowhere

    @Test("a relationship to an object that is in no context is an error of the save", arguments: StoreKind.allCases)
    func withoutContext(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel(min: 0, max: 0, optional: true)) { stack in
            let stray = NSManagedObject(entity: try requireValue(stack.model.entitiesByName["Team"]), insertInto: nil)
            let player = stack.context.make("Player", "p", ["team": stray])
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 1550)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "team")
            #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [stray])
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === player)
            stack.context.insert(stray)
            try stack.context.save()
            try inFreshContext(stack) { try #expect($0.one("Player", "p").object("team") != nil) }
        }
    }

    @Test("objects that were related before they were inserted are saved once all are", arguments: StoreKind.allCases)
    func insertedOneByOne(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel(min: 0, max: 0, optional: true)) { stack in
            let entities = stack.model.entitiesByName
            let team = NSManagedObject(entity: entities["Team"]!, insertInto: nil)
            let player = NSManagedObject(entity: entities["Player"]!, insertInto: nil)
            player.setValue(team, forKey: "team")
            player.setValue("p", forKey: "name")
            stack.context.insert(player)
            expectEqual(thrownError { try stack.context.save() }?.code, 1550)
            stack.context.insert(team)
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEqual($0.one("Player", "p").object("team")?.objects("players").count, 1)
            }
        }
    }

    @Test("a relationship to an object whose deletion was saved is an error of the save", arguments: StoreKind.allCases)
    func deletedDestination(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel(min: 0, max: 0, optional: true)) { stack in
            let team = stack.context.make("Team", "t")
            let player = stack.context.make("Player", "p")
            try stack.context.save()
            stack.context.delete(team)
            try stack.context.save()
            player.setValue(team, forKey: "team")
            expectEqual(thrownError { try stack.context.save() }?.code, 1550)
            player.setValue(nil, forKey: "team")
            try stack.context.save()
        }
    }
}
