import CoreData
import Testing

@Suite("Children save objects that their parents have deleted")
struct ChildConflictTests {
    private func withConflict(
        _ kind: StoreKind, isNew: Bool, isSaved: Bool, depth: Int = 1,
        _ body: (ContextHierarchy, NSManagedObject) throws -> Void
    ) throws {
        func fill(_ context: NSManagedObjectContext) { context.make("Book", "kept") }
        try withHierarchy(kind, depth: depth, fill: fill) { hierarchy in
            let above = hierarchy.parent.make("Book", "A")
            if !isNew { for context in hierarchy.contexts.dropLast().reversed() { try context.save() } }
            let mine = try hierarchy.child.one("Book", "A")
            mine.setValue("mine", forKey: "name")
            hierarchy.child.make("Book", "other")
            hierarchy.parent.delete(above)
            if isSaved { for context in hierarchy.contexts.dropLast().reversed() { try context.save() } }
            try body(hierarchy, mine)
        }
    }

    @Test(
        "by default an error names the object, and nothing is changed", arguments: StoreKind.allCases,
        [(true, false), (false, false), (false, true)])
    func error(_ kind: StoreKind, _ state: (Bool, Bool)) throws {
        try withConflict(kind, isNew: state.0, isSaved: state.1) { hierarchy, mine in
            let error = thrownError { try hierarchy.child.save() }
            expectEqual(error?.code, 133020)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            expectEqual(conflicts?.count, 1)
            #expect(conflicts?.first?.sourceObject === mine)
            expectEqual(conflicts?.first?.newVersionNumber, 0)
            expectTrue(mine.isUpdated)
            expectEqual(mine.text("name"), "mine")
            expectEqual(hierarchy.child.insertedObjects.count, 1)
            try expectEqual(hierarchy.parent.names("Book"), ["kept"])
        }
    }

    @Test(
        "in favour of the parent, the object is deleted in the child", arguments: StoreKind.allCases,
        [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func parentWins(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
        for (isNew, isSaved) in [(true, false), (false, false), (false, true)] {
            try withConflict(kind, isNew: isNew, isSaved: isSaved) { hierarchy, mine in
                hierarchy.child.mergePolicy = policy
                try hierarchy.child.save()
                expectEqual(mine.managedObjectContext, nil)
                expectFalse(hierarchy.child.hasChanges)
                for context in hierarchy.contexts { try expectEqual(context.names("Book"), ["kept", "other"]) }
                try hierarchy.saveAll()
                try inFreshContext(hierarchy.stack) { try expectEqual($0.names("Book"), ["kept", "other"]) }
            }
        }
    }

    @Test(
        "in favour of the child, the object is inserted again", arguments: StoreKind.allCases,
        [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func childWins(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
        for (isNew, isSaved) in [(true, false), (false, false), (false, true)] {
            for depth in 1...2 {
                try withConflict(kind, isNew: isNew, isSaved: isSaved, depth: depth) { hierarchy, mine in
                    hierarchy.child.mergePolicy = policy
                    try hierarchy.child.save()
                    expectFalse(mine.hasChanges)
                    #expect(mine.managedObjectContext === hierarchy.child)
                    for context in hierarchy.contexts.suffix(2) {
                        try expectEqual(context.names("Book"), ["kept", "mine", "other"])
                    }
                    try hierarchy.saveAll()
                    for context in hierarchy.contexts {
                        try expectEqual(
                            context.names("Book"), ["kept", "mine", "other"], "\(isNew) \(isSaved) \(depth)")
                    }
                    try inFreshContext(hierarchy.stack) {
                        try expectEqual($0.names("Book"), ["kept", "mine", "other"])
                    }
                }
            }
        }
    }

    @Test(
        "an object that is inserted again keeps its reference to an object that the parent has, and no other one",
        arguments: StoreKind.allCases, [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func reference(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
        for (isSaved, deletesBook) in [(true, true), (true, false), (false, true), (false, false)] {
            try withHierarchy(kind) { hierarchy in
                // Without inverse.
                let above = hierarchy.parent.make("Reader", "reader")
                let book = hierarchy.parent.make("Book", "book")
                above.setValue(book, forKey: "favourite")
                if isSaved { try hierarchy.parent.save() }
                let mine = try hierarchy.child.one("Reader", "reader")
                expectEqual(mine.object("favourite")?.objectID, book.objectID)
                mine.setValue(1, forKey: "card")
                if deletesBook { hierarchy.parent.delete(book) }
                hierarchy.parent.delete(above)
                hierarchy.child.mergePolicy = policy
                try hierarchy.child.save()
                try hierarchy.saveAll()
                let expected = deletesBook ? nil : "book"
                expectEqual(mine.object("favourite")?.text("name"), expected, "\(isSaved)")
                try inFreshContext(hierarchy.stack) {
                    try expectEqual($0.one("Reader", "reader").object("favourite")?.text("name"), expected)
                }
            }
        }
    }

    @Test("the root's merge policy resolves a conflict with the store", arguments: StoreKind.allCases)
    func store(_ kind: StoreKind) throws {
        func fill(_ context: NSManagedObjectContext) { context.make("Book", "A", ["pages": 1]) }
        try withHierarchy(kind, fill: fill) { hierarchy in
            let mine = try hierarchy.child.one("Book", "A")
            mine.setValue(2, forKey: "pages")
            let above = try hierarchy.parent.one("Book", "A")
            expectEqual(above.number("pages"), 1)
            let other = hierarchy.stack.newContext()
            try on(other) {
                try other.one("Book", "A").setValue(3, forKey: "pages")
                try other.save()
            }
            try hierarchy.child.save()
            expectEqual(thrownError { try hierarchy.parent.save() }?.code, 133020)
            hierarchy.parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try hierarchy.parent.save()
            try inFreshContext(hierarchy.stack) { try expectEqual($0.one("Book", "A").number("pages"), 2) }
        }
    }

    @Test(
        "after detectConflicts the child's save fails if the parent has deleted the object",
        arguments: StoreKind.allCases)
    func detecting(_ kind: StoreKind) throws {
        func fill(_ context: NSManagedObjectContext) {
            context.make("Book", "A")
            context.make("Book", "B")
        }
        try withHierarchy(kind, fill: fill) { hierarchy in
            hierarchy.child.detectConflicts(for: try hierarchy.child.one("Book", "A"))
            try hierarchy.child.one("Book", "B").setValue(5, forKey: "pages")
            hierarchy.parent.delete(try hierarchy.parent.one("Book", "A"))
            expectEqual(thrownError { try hierarchy.child.save() }?.code, 133020)
            try expectEqual(hierarchy.parent.one("Book", "B").number("pages"), 100)
        }
    }

    @Test(
        """
        detectConflicts finds what the parent has changed without saving, and nothing in what the child has saved \
        itself
        """,
        arguments: StoreKind.allCases)
    func detectingChanges(_ kind: StoreKind) throws {
        try withHierarchy(kind) { hierarchy in
            let book = hierarchy.child.make("Book", "A")
            let other = hierarchy.child.make("Book", "B")
            try hierarchy.saveAll()
            hierarchy.child.detectConflicts(for: book)
            other.setValue(5, forKey: "pages")
            try hierarchy.saveAll()
            hierarchy.child.detectConflicts(for: book)
            other.setValue(6, forKey: "pages")
            try hierarchy.parent.one("Book", "A").setValue(7, forKey: "pages")
            expectEqual(thrownError { try hierarchy.child.save() }?.code, 133020)
        }
    }
}
