import CoreData
import Testing

@Suite("Children save what their parents have lost")
struct ChildConflictTests {
    private func withConflict(
        _ kind: StoreKind, isNew: Bool, isSaved: Bool, depth: Int = 1, _ body: (Family, NSManagedObject) throws -> Void
    ) throws {
        func fill(_ context: NSManagedObjectContext) { context.make("Book", "kept") }
        try withFamily(kind, depth: depth, fill: fill) { family in
            let above = family.parent.make("Book", "A")
            if !isNew { for context in family.contexts.dropLast().reversed() { try context.save() } }
            let mine = try family.child.one("Book", "A")
            mine.setValue("mine", forKey: "name")
            family.child.make("Book", "other")
            family.parent.delete(above)
            if isSaved { for context in family.contexts.dropLast().reversed() { try context.save() } }
            try body(family, mine)
        }
    }

    @Test(
        "by default that is an error that names the object, and nothing is changed", arguments: StoreKind.allCases,
        [(true, false), (false, false), (false, true)])
    func error(_ kind: StoreKind, _ state: (Bool, Bool)) throws {
        try withConflict(kind, isNew: state.0, isSaved: state.1) { family, mine in
            let error = thrownError { try family.child.save() }
            #expect(error?.code == 133020)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(
                conflicts?.count == 1 && conflicts?.first?.sourceObject === mine
                    && conflicts?.first?.newVersionNumber == 0)
            #expect(mine.isUpdated && mine.text("name") == "mine" && family.child.insertedObjects.count == 1)
            try #expect(family.parent.names("Book") == ["kept"])
        }
    }

    @Test(
        "in favour of the parent, the object leaves the child", arguments: StoreKind.allCases,
        [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func parentWins(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
        for (isNew, isSaved) in [(true, false), (false, false), (false, true)] {
            try withConflict(kind, isNew: isNew, isSaved: isSaved) { family, mine in
                family.child.mergePolicy = policy
                try family.child.save()
                #expect(mine.managedObjectContext == nil && !family.child.hasChanges)
                for context in family.contexts { try #expect(context.names("Book") == ["kept", "other"]) }
                try family.saveAll()
                try inFreshContext(family.stack) { try #expect($0.names("Book") == ["kept", "other"]) }
            }
        }
    }

    @Test(
        "in favour of the child, the object is inserted again", arguments: StoreKind.allCases,
        [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func childWins(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
        for (isNew, isSaved) in [(true, false), (false, false), (false, true)] {
            for depth in 1...2 {
                try withConflict(kind, isNew: isNew, isSaved: isSaved, depth: depth) { family, mine in
                    family.child.mergePolicy = policy
                    try family.child.save()
                    #expect(!mine.hasChanges && mine.managedObjectContext === family.child)
                    for context in family.contexts.suffix(2) {
                        try #expect(context.names("Book") == ["kept", "mine", "other"])
                    }
                    try family.saveAll()
                    for context in family.contexts {
                        try #expect(context.names("Book") == ["kept", "mine", "other"], "\(isNew) \(isSaved) \(depth)")
                    }
                    try inFreshContext(family.stack) { try #expect($0.names("Book") == ["kept", "mine", "other"]) }
                }
            }
        }
    }

    @Test("a conflict with the store is the root's affair, and settled by its policy", arguments: StoreKind.allCases)
    func store(_ kind: StoreKind) throws {
        func fill(_ context: NSManagedObjectContext) { context.make("Book", "A", ["pages": 1]) }
        try withFamily(kind, fill: fill) { family in
            let mine = try family.child.one("Book", "A")
            mine.setValue(2, forKey: "pages")
            let above = try family.parent.one("Book", "A")
            #expect(above.number("pages") == 1)
            let other = family.stack.newContext()
            try on(other) {
                try other.one("Book", "A").setValue(3, forKey: "pages")
                try other.save()
            }
            try family.child.save()
            #expect(thrownError { try family.parent.save() }?.code == 133020)
            family.parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try family.parent.save()
            try inFreshContext(family.stack) { try #expect($0.one("Book", "A").number("pages") == 2) }
        }
    }

    @Test(
        "detectConflicts has the child's save fail if the parent has deleted the object", arguments: StoreKind.allCases)
    func detecting(_ kind: StoreKind) throws {
        func fill(_ context: NSManagedObjectContext) {
            context.make("Book", "A")
            context.make("Book", "B")
        }
        try withFamily(kind, fill: fill) { family in
            family.child.detectConflicts(for: try family.child.one("Book", "A"))
            try family.child.one("Book", "B").setValue(5, forKey: "pages")
            family.parent.delete(try family.parent.one("Book", "A"))
            #expect(thrownError { try family.child.save() }?.code == 133020)
            try #expect(family.parent.one("Book", "B").number("pages") == 100)
        }
    }

    @Test(
        """
        detectConflicts finds what the parent has changed without saving, and nothing in what the child has saved \
        itself
        """,
        arguments: StoreKind.allCases)
    func detectingChanges(_ kind: StoreKind) throws {
        try withFamily(kind) { family in
            let book = family.child.make("Book", "A")
            let other = family.child.make("Book", "B")
            try family.saveAll()
            family.child.detectConflicts(for: book)
            other.setValue(5, forKey: "pages")
            try family.saveAll()
            family.child.detectConflicts(for: book)
            other.setValue(6, forKey: "pages")
            try family.parent.one("Book", "A").setValue(7, forKey: "pages")
            #expect(thrownError { try family.child.save() }?.code == 133020)
        }
    }
}
