import CoreData
import Testing

@Suite("Deletion along relationships of every form")
struct DeletionGraphTests {
    /// Nodes with relationships of every rule among themselves.
    private static func makeModel() -> NSManagedObjectModel {
        let node = entity("Node")
        let leaf = entity("Leaf")
        node.subentities = [leaf]
        let parts = toMany("parts", node, rule: .cascadeDeleteRule)
        let wholes = toMany("wholes", node)
        let children = toMany("children", node, rule: .cascadeDeleteRule, ordered: true)
        let parent = toOne("parent", node)
        let next = toOne("next", node, rule: .cascadeDeleteRule)
        let previous = toOne("previous", node, rule: .nullifyDeleteRule)
        let guests = toMany("guests", node, rule: .denyDeleteRule)
        let host = toOne("host", node)
        let notes = toMany("notes", node, rule: .noActionDeleteRule)
        let noted = toOne("noted", node, rule: .noActionDeleteRule)
        pair(parts, wholes)
        pair(children, parent)
        pair(next, previous)
        pair(guests, host)
        pair(notes, noted)
        // Relationships that the deletion of one side doesn't follow, and the deletion of the other does.
        let kept = toMany("kept", node, rule: .noActionDeleteRule)
        let keeper = toOne("keeper", node)
        let held = toMany("held", node, rule: .noActionDeleteRule)
        let holder = toOne("holder", node, rule: .cascadeDeleteRule)
        pair(kept, keeper)
        pair(held, holder)
        node.properties = [
            attribute("name", .stringAttributeType), parts, wholes, children, parent, next, previous, guests, host,
            notes, noted, kept, keeper, held, holder,
        ]
        return model([node, leaf])
    }

    /// Makes nodes and links between them (`"a.parts": "bc"`), saves, and runs a block in a context that knows none of
    /// them.
    private func withNodes(
        _ kind: StoreKind, _ names: String, _ links: [String: String],
        _ body: (TestStack, NSManagedObjectContext) throws -> Void
    ) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            var nodes: [String: NSManagedObject] = [:]
            for (index, name) in names.map(String.init).enumerated() {
                nodes[name] = stack.context.make(index % 3 == 2 ? "Leaf" : "Node", name)
            }
            for (path, targets) in links {
                let owner = nodes[String(path.prefix(1))]!
                let key = String(path.dropFirst(2))
                let members = targets.map { nodes[String($0)]! }
                let relationship = owner.entity.relationshipsByName[key]!
                if !relationship.isToMany {
                    owner.setValue(members[0], forKey: key)
                } else if relationship.isOrdered {
                    owner.setValue(NSOrderedSet(array: members), forKey: key)
                } else {
                    owner.mutableSetValue(forKey: key).addObjects(from: members)
                }
            }
            try stack.context.save()
            try inFreshContext(stack) { try body(stack, $0) }
        }
    }

    @Test(
        "a cascade reaches everything once, in diamonds, circles, chains and circles of one",
        arguments: StoreKind.allCases,
        [
            ["abcdx", "a.parts=bc,b.parts=d,c.parts=d", "x"], ["abcx", "a.parts=b,b.parts=c,c.parts=a", "x"],
            ["ax", "a.parts=a,x.parts=x", "x"],
            ["abcx", "a.next=b,b.next=c,c.next=a", "x"], ["ax", "a.next=a", "x"],
            ["abcdefx", "a.children=cb,b.children=d,d.parts=ef,f.parts=a,x.parts=e", "x"],
            ["abx", "x.parts=ab", "bx"], ["abx", "b.next=a", "bx"],
        ])
    func cascades(_ kind: StoreKind, _ table: [String]) throws {
        var links: [String: String] = [:]
        for link in table[1].split(separator: ",") {
            links[String(link.prefix(while: { $0 != "=" }))] = String(link.split(separator: "=")[1])
        }
        try withNodes(kind, table[0], links) { stack, context in
            context.delete(try context.one("Node", "a"))
            try context.save()
            try expectEqual(context.names("Node").joined(), table[2])
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Node").joined(), table[2])
                for node in try context.all("Node") {
                    for key in ["parts", "wholes", "children"] {
                        #expect(node.names(key).allSatisfy { table[2].contains($0) }, "\(key)")
                    }
                }
            }
        }
    }

    @Test(
        "a deleted object lets go of what its rules have followed, and still knows what it had",
        arguments: StoreKind.allCases)
    func tornDown(_ kind: StoreKind) throws {
        try withNodes(kind, "abc", ["a.children": "bc", "b.parts": "c"]) { stack, context in
            let a = try context.one("Node", "a")
            let b = try context.one("Node", "b")
            let c = try context.one("Node", "c")
            context.delete(b)
            #expect(b.object("parent") === a)
            expectEqual(a.names("children"), ["b", "c"])
            context.processPendingChanges()
            expectEqual(b.object("parent"), nil)
            expectEmpty(b.objects("parts"))
            expectEmpty(a.objects("children"))
            expectTrue(c.isDeleted)
            #expect(b.committedValues(forKeys: ["parent"])["parent"] as? NSManagedObject == a)
            #expect(b.committedValues(forKeys: ["parts"])["parts"] as? Set<NSManagedObject> == [c])
            context.rollback()
            #expect(b.object("parent") === a)
            expectEqual(b.objects("parts"), [c])
            expectEqual(c.objects("wholes"), [b])
            expectEqual(a.names("children"), ["b", "c"])
            expectFalse(context.hasChanges)
        }
    }

    @Test(
        "an object inserted again before the save is not deleted; what its deletion has cut stays cut",
        arguments: StoreKind.allCases, [true, false])
    func undeleted(_ kind: StoreKind, _ isProcessed: Bool) throws {
        try withNodes(kind, "abc", ["a.children": "bc"]) { stack, context in
            let a = try context.one("Node", "a")
            let b = try context.one("Node", "b")
            context.delete(b)
            if isProcessed { context.processPendingChanges() }
            context.insert(b)
            expectFalse(b.isDeleted)
            #expect(b.managedObjectContext === context)
            expectEqual((b.object("parent") === a), !isProcessed)
            expectEqual(a.names("children"), (isProcessed ? ["c"] : ["b", "c"]))
            try context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Node"), ["a", "b", "c"])
                try expectEqual(context.one("Node", "a").names("children"), (isProcessed ? ["c"] : ["b", "c"]))
            }
        }
    }

    @Test("a new object that is deleted and inserted again is saved", arguments: StoreKind.allCases)
    func undeletedNew(_ kind: StoreKind) throws {
        try withNodes(kind, "a", [:]) { stack, context in
            let new = context.make("Node", "n", ["parent": try context.one("Node", "a")])
            context.delete(new)
            context.insert(new)
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Node", "a").names("children"), ["n"]) }
        }
    }

    @Test("deletions of several events, in any order, end in one save", arguments: StoreKind.allCases, [true, false])
    func severalEvents(_ kind: StoreKind, _ propagates: Bool) throws {
        try withNodes(kind, "abcdefg", ["a.children": "bcd", "b.parts": "ef", "c.parts": "f", "g.parts": "d"]) {
            stack, context in
            context.propagatesDeletesAtEndOfEvent = propagates
            let nodes = Dictionary(uniqueKeysWithValues: try context.all("Node").map { ($0.text("name")!, $0) })
            context.delete(nodes["e"]!)
            context.processPendingChanges()
            context.delete(nodes["d"]!)
            context.processPendingChanges()
            expectEqual(nodes["a"]!.names("children"), (propagates ? ["b", "c"] : ["b", "c", "d"]))
            expectEqual(nodes["g"]!.names("parts"), (propagates ? [] : ["d"]))
            context.delete(nodes["a"]!)
            context.processPendingChanges()
            expectEqual(nodes["f"]!.isDeleted, propagates)
            try context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Node"), ["g"])
                try expectEqual(context.one("Node", "g").names("parts"), [])
            }
        }
    }

    @Test(
        "deny counts what is left after the other rules: members deleted or moved away don't keep an object",
        arguments: StoreKind.allCases)
    func deny(_ kind: StoreKind) throws {
        try withNodes(kind, "abcd", ["a.guests": "bc"]) { stack, context in
            let nodes = Dictionary(uniqueKeysWithValues: try context.all("Node").map { ($0.text("name")!, $0) })
            context.delete(nodes["a"]!)
            expectEqual(thrownError { try context.save() }?.code, 1600)
            nodes["b"]!.setValue(nodes["d"]!, forKey: "host")
            context.delete(nodes["c"]!)
            try context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Node"), ["b", "d"])
                try expectEqual(context.one("Node", "d").names("guests"), ["b"])
            }
        }
    }

    @Test(
        "no action leaves both sides as they are, also those in memory",
        arguments: StoreKind.allCases.without(.noDanglingReferences))
    func noAction(_ kind: StoreKind) throws {
        try withNodes(kind, "abc", ["a.notes": "bc"]) { stack, context in
            let a = try context.one("Node", "a")
            let b = try context.one("Node", "b")
            #expect(b.object("noted") === a)
            context.delete(a)
            context.processPendingChanges()
            #expect(b.object("noted") === a)
            expectFalse(b.hasChanges)
            try context.save()
            try inFreshContext(stack) { context in
                let b = try context.one("Node", "b")
                let gone = b.object("noted")
                expectEqual(gone?.isFault, true)
                expectEqual(gone?.text("name"), nil)
            }
        }
    }

    @Test(
        "an object can be deleted whose relationships lead to rows that are gone",
        arguments: StoreKind.allCases.without(.fileReadOnce),
        ["keeper", "holder"])
    func missingRows(_ kind: StoreKind, _ key: String) throws {
        try withNodes(kind, "abc", ["b.\(key)": "a"]) { stack, context in
            let b = try context.one("Node", "b")
            expectEqual(b.object(key)?.isFault, true)
            try inFreshContext(stack) { other in
                other.delete(try other.one("Node", "a"))
                try other.save()
            }
            context.delete(b)
            try context.save()
            expectFalse(context.hasChanges)
            try inFreshContext(stack) { try expectEqual($0.names("Node"), ["c"]) }
        }
    }
}
