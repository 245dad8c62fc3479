import CoreData
import Testing

/// Values that must be unique: one property, several, inherited, a relationship.
enum UniqueModel {
    static func make() -> NSManagedObjectModel {
        let item = entity("Item")
        let special = entity("Special")
        let shop = entity("Shop")
        let part = entity("Part")
        let label = entity("Label")
        item.subentities = [special]
        let parts = toMany("parts", part, rule: .cascadeDeleteRule)
        let owner = toOne("item", item)
        pair(parts, owner)
        let items = toMany("items", item)
        let itemShop = toOne("shop", shop)
        pair(items, itemShop)
        let labels = toMany("labels", label)
        let labelled = toMany("items", item)
        pair(labels, labelled)
        item.properties = [
            attribute("name", .stringAttributeType), attribute("code", .integer64AttributeType),
            attribute("size", .integer64AttributeType),
            attribute("note", .stringAttributeType), parts, itemShop, labels,
        ]
        item.uniquenessConstraints = [["name"], ["code", "shop"]]
        special.properties = [attribute("serial", .stringAttributeType)]
        special.uniquenessConstraints = [["serial"]]
        shop.properties = [attribute("name", .stringAttributeType), items]
        part.properties = [attribute("name", .stringAttributeType), owner]
        label.properties = [attribute("name", .stringAttributeType), labelled]
        // Its relationships have no inverse.
        let basket = entity("Basket")
        basket.properties = [
            attribute("name", .stringAttributeType), toOne("first", item), toMany("items", item),
            toMany("row", item, ordered: true),
        ]
        return model([item, special, shop, part, label, basket])
    }
}

@Suite("Values that must be unique")
struct ConstraintConflictTests {
    private func with(
        _ kind: StoreKind, _ policy: NSMergePolicy, given: (NSManagedObjectContext) -> Void,
        _ body: (TestStack, NSManagedObjectContext) throws -> Void
    ) throws {
        try withStack(kind, model: UniqueModel.make()) { stack in
            given(stack.context)
            try stack.context.save()
            stack.context.reset()
            stack.context.mergePolicy = policy
            try body(stack, stack.context)
        }
    }

    @Test(
        "a reference without inverse to a new object leads to the object that survives",
        arguments: StoreKind.everyKind.without(.noUniqueness, .earlyIDs),
        [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType])
    func references(_ kind: StoreKind, _ type: NSMergePolicyType) throws {
        try with(kind, NSMergePolicy(merge: type)) {
            $0.make("Item", "a")
            $0.make("Basket", "saved")
        } _: { stack, context in
            let new = context.make("Item", "a")
            let other = context.make("Item", "b")
            context.make("Basket", "new").setValue(new, forKey: "first")
            let basket = try context.one("Basket", "saved")
            basket.setValue(new, forKey: "first")
            basket.setValue(NSSet(array: [new, other]), forKey: "items")
            basket.setValue(NSOrderedSet(array: [other, new]), forKey: "row")
            try context.save()
            try inFreshContext(stack) { fresh in
                let a = try fresh.one("Item", "a")
                for basket in try fresh.all("Basket") {
                    #expect(basket.value(forKey: "first") as? NSManagedObject == a)
                }
                let basket = try fresh.one("Basket", "saved")
                expectEqual((basket.value(forKey: "items") as? NSSet)?.count, 2)
                #expect((basket.value(forKey: "row") as? NSOrderedSet)?.lastObject as? NSManagedObject == a)
            }
        }
    }

    // MARK: Detection

    @Test(
        "a second object with the values of one in the store is error 133021 with the conflict",
        arguments: StoreKind.everyKind.without(.noUniqueness, .earlyIDs))
    func error(_ kind: StoreKind) throws {
        try with(kind, .error) {
            $0.make("Item", "a", ["size": 1])
        } _: { stack, context in
            let new = context.make("Item", "a", ["size": 2])
            let other = context.make("Item", "b")
            let error = try requireValue(thrownError { try context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSManagedObjectConstraintMergeError)
            expectEqual(error.constraintConflicts.count, 1)
            let conflict = try requireValue(error.constraintConflicts.first)
            expectEqual(conflict.constraint, ["name"])
            #expect(conflict.constraintValues as? [String: String] == ["name": "a"])
            expectEqual(conflict.conflictingObjects, [new])
            expectEqual(conflict.conflictingSnapshots.map(\.count), [0])
            #expect(conflict.databaseObject === (try context.all("Item", "size == 1").first))
            #expect(conflict.databaseSnapshot?["size"] as? NSNumber == 1)
            #expect(conflict.databaseSnapshot?["shop"] is NSNull)
            expectTrue(new.isInserted)
            expectTrue(new.objectID.isTemporaryID)
            expectTrue(other.isInserted)
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["a"]) }
            new.setValue("c", forKey: "name")
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["a", "b", "c"]) }
        }
    }

    @Test(
        "objects of one save collide too, without an object of the store",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func withinOneSave(_ kind: StoreKind) throws {
        try with(kind, .error) {
            $0.make("Item", "old")
        } _: { stack, context in
            let old = try context.one("Item", "old")
            old.setValue("a", forKey: "name")
            let new = [context.make("Item", "a"), context.make("Item", "a")]
            let error = try requireValue(thrownError { try context.save() })
            let conflict = try requireValue(error.constraintConflicts.first)
            expectEqual(error.code, 133021)
            expectEqual(conflict.databaseObject, nil)
            #expect(conflict.databaseSnapshot == nil)
            expectEqual(Set(conflict.conflictingObjects), Set(new + [old]))
            let index = try requireValue(conflict.conflictingObjects.firstIndex(of: old))
            #expect(conflict.conflictingSnapshots[index]["name"] as? String == "old")
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["old"]) }
        }
    }

    @Test(
        "the values of a conflict are those that collide, not the former ones",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func collidingValues(_ kind: StoreKind) throws {
        try with(kind, .error) { context in
            for name in ["x", "y", "z"] { context.make("Item", name) }
        } _: { _, context in
            for name in ["x", "y"] { try context.one("Item", name).setValue("a", forKey: "name") }
            let conflict = try requireValue(thrownError { try context.save() }?.constraintConflicts.first)
            expectEqual(conflict.databaseObject, nil)
            #expect(conflict.constraintValues as? [String: String] == ["name": "a"])
            context.rollback()
            try context.one("Item", "x").setValue("z", forKey: "name")
            let other = try requireValue(thrownError { try context.save() }?.constraintConflicts.first)
            #expect(other.databaseObject?.value(forKey: "name") as? String == "z")
            #expect(other.constraintValues as? [String: String] == ["name": "z"])
        }
    }

    @Test(
        "compound constraints collide when all their values are equal, relationships too",
        arguments: StoreKind.everyKind.without(.noUniqueness)
    )
    func compound(_ kind: StoreKind) throws {
        try with(kind, .error) { context in
            let shop = context.make("Shop", "s")
            context.make("Shop", "t")
            context.make("Item", "a", ["code": 1, "shop": shop])
        } _: { stack, context in
            let shop = try context.one("Shop", "s")
            context.make("Item", "b", ["code": 1, "shop": try context.one("Shop", "t")])
            context.make("Item", "c", ["code": 1])
            context.make("Item", "d", ["code": 1])
            try context.save()
            let last = context.make("Item", "e", ["code": 1, "shop": shop])
            let conflict = try requireValue(thrownError { try context.save() }?.constraintConflicts.first)
            expectEqual(conflict.constraint, ["code", "shop"])
            expectEqual(conflict.conflictingObjects, [last])
            #expect(conflict.constraintValues["shop"] as? NSManagedObjectID == shop.objectID)
            last.setValue(2, forKey: "code")
            try context.save()
        }
    }

    @Test(
        "inherited constraints apply between entities, and own ones in the subentity",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func inherited(_ kind: StoreKind) throws {
        try with(kind, .error) {
            $0.make("Item", "a")
        } _: { stack, context in
            let special = context.make("Special", "a")
            expectEqual(thrownError { try context.save() }?.constraintConflicts.first?.constraint, ["name"])
            special.setValue("b", forKey: "name")
            special.setValue("1", forKey: "serial")
            try context.save()
            context.make("Special", "c", ["serial": "1"])
            expectEqual(thrownError { try context.save() }?.constraintConflicts.first?.constraint, ["serial"])
        }
    }

    @Test(
        "nil collides with nothing, text only with the same characters",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func nilAndText(_ kind: StoreKind) throws {
        try with(kind, .error) { _ in
        } _: { stack, context in
            context.make("Item")
            context.make("Item")
            for name in ["a", "A", "\u{e9}", "e\u{301}"] { context.make("Item", name) }
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Item").count, 6) }
        }
    }

    @Test("values that a save frees may be used by others in it", arguments: StoreKind.everyKind.without(.noUniqueness))
    func freed(_ kind: StoreKind) throws {
        try with(kind, .error) { context in
            for name in ["a", "b", "c"] { context.make("Item", name) }
        } _: { stack, context in
            let a = try context.one("Item", "a")
            let b = try context.one("Item", "b")
            let c = try context.one("Item", "c")
            let ids = [a, b].map(\.objectID)
            a.setValue("b", forKey: "name")
            b.setValue("a", forKey: "name")
            context.delete(c)
            context.make("Item", "c", ["size": 9])
            try context.save()
            try inFreshContext(stack) { fresh in
                try expectEqual(fresh.one("Item", "b").objectID, ids[0])
                try expectEqual(fresh.one("Item", "a").objectID, ids[1])
                try expectEqual(fresh.one("Item", "c").number("size"), 9)
                try expectEqual(fresh.all("Item").count, 3)
            }
            context.make("Item", "a")
            expectEqual(thrownError { try context.save() }?.code, 133021)
        }
    }

    // MARK: Policies

    @Test(
        "in favour of the object, the stored one gets the new one's values and relationships",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func upsert(_ kind: StoreKind) throws {
        try with(kind, .mergeByPropertyObjectTrump) { context in
            let old = context.make("Item", "a", ["size": 1, "note": "old", "shop": context.make("Shop", "s")])
            context.make("Part", "p", ["item": old])
            old.mutableSetValue(forKey: "labels").add(context.make("Label", "l"))
        } _: { stack, context in
            let id = try context.one("Item", "a").objectID
            let new = context.make("Item", "a", ["size": 2, "code": 5])
            context.make("Part", "q", ["item": new])
            new.mutableSetValue(forKey: "labels").add(context.make("Label", "m"))
            try context.save()
            expectEqual(new.managedObjectContext, nil)
            expectFalse(context.hasChanges)
            let old = try context.one("Item", "a")
            expectEqual(old.objectID, id)
            expectEqual(old.number("size"), 2)
            expectEqual(old.number("code"), 5)
            expectEqual(old.text("note"), nil)
            try inFreshContext(stack) { fresh in
                let stored = try fresh.one("Item", "a")
                expectEqual(stored.objectID, id)
                expectEqual(stored.number("size"), 2)
                expectEqual(stored.number("code"), 5)
                expectEqual(stored.text("note"), nil)
                expectEqual(stored.object("shop")?.text("name"), "s")
                expectEqual(stored.names("parts"), ["p", "q"])
                expectEqual(stored.names("labels"), ["l", "m"])
                try expectEqual(fresh.names("Part"), ["p", "q"])
            }
        }
    }

    @Test(
        "in favour of the store, the stored one keeps its values, and new objects are related to it",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func keeping(_ kind: StoreKind) throws {
        try with(kind, .mergeByPropertyStoreTrump) {
            $0.make("Item", "a", ["size": 1])
        } _: { stack, context in
            let new = context.make("Item", "a", ["size": 2, "code": 5])
            context.make("Part", "q", ["item": new])
            try context.save()
            expectEqual(new.managedObjectContext, nil)
            try inFreshContext(stack) { fresh in
                let stored = try fresh.one("Item", "a")
                expectEqual(stored.number("size"), 1)
                expectEqual(stored.number("code"), nil)
                expectEqual(stored.names("parts"), ["q"])
            }
        }
    }

    @Test(
        "overwriting, the stored one gets all values, nil included, and the new one's relationships alone",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func overwriting(_ kind: StoreKind) throws {
        try with(kind, .overwrite) { context in
            let old = context.make("Item", "a", ["size": 1, "note": "lost", "shop": context.make("Shop", "s")])
            old.mutableSetValue(forKey: "labels").add(context.make("Label", "l"))
        } _: { stack, context in
            let id = try context.one("Item", "a").objectID
            let new = context.make("Item", "a", ["size": 2])
            new.mutableSetValue(forKey: "labels").add(context.make("Label", "m"))
            try context.save()
            try inFreshContext(stack) { fresh in
                let stored = try fresh.one("Item", "a")
                expectEqual(stored.objectID, id)
                expectEqual(stored.number("size"), 2)
                expectEqual(stored.text("note"), nil)
                expectEqual(stored.object("shop"), nil)
                expectEqual(stored.names("labels"), ["m"])
            }
        }
    }

    @Test(
        "rolling back, the new one is deleted with its cascades", arguments: StoreKind.everyKind.without(.noUniqueness))
    func rollingBack(_ kind: StoreKind) throws {
        try with(kind, .rollback) {
            $0.make("Item", "a", ["size": 1])
        } _: { stack, context in
            let new = context.make("Item", "a", ["size": 2])
            context.make("Part", "q", ["item": new])
            context.make("Item", "b")
            try context.save()
            try inFreshContext(stack) { fresh in
                let stored = try fresh.one("Item", "a")
                expectEqual(stored.number("size"), 1)
                try expectEmpty(fresh.all("Part"))
                try expectEqual(fresh.names("Item"), ["a", "b"])
            }
        }
    }

    @Test(
        "of several new objects, the last stays if objects are favoured, the first if the store is",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func severalNew(_ kind: StoreKind) throws {
        let policies: [(NSMergePolicy, Int64, String?)] = [
            (.mergeByPropertyObjectTrump, 3, nil), (.mergeByPropertyStoreTrump, 1, nil), (.overwrite, 3, nil),
            (.rollback, 1, nil),
        ]
        for (policy, size, _) in policies {
            try with(kind, policy) { _ in
            } _: { stack, context in
                for size in 1...3 {
                    context.make("Part", "p\(size)", ["item": context.make("Item", "a", ["size": size])])
                }
                try context.save()
                expectFalse(context.hasChanges)
                try inFreshContext(stack) { fresh in
                    let stored = try fresh.one("Item", "a")
                    let merges =
                        policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
                        || policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType
                    expectEqual(stored.number("size"), size, "\(policy.mergeType)")
                    expectEqual(
                        stored.names("parts"), (merges ? ["p1", "p2", "p3"] : ["p\(size)"]), "\(policy.mergeType)")
                }
            }
        }
    }

    @Test(
        "a saved object that gets the values of another replaces it, or keeps its own values",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func updates(_ kind: StoreKind) throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback] {
            try with(kind, policy) { context in
                context.make("Part", "p", ["item": context.make("Item", "a", ["size": 1])])
                context.make("Item", "b", ["size": 2])
            } _: { stack, context in
                let b = try context.one("Item", "b")
                b.setValue("a", forKey: "name")
                b.setValue(3, forKey: "size")
                try context.save()
                expectFalse(context.hasChanges)
                try inFreshContext(stack) { fresh in
                    switch policy.mergeType {
                    case .mergeByPropertyObjectTrumpMergePolicyType:
                        try expectEqual(fresh.names("Item"), ["a"])
                        try expectEqual(fresh.one("Item", "a").objectID, b.objectID)
                        try expectEqual(fresh.one("Item", "a").names("parts"), ["p"])
                    case .overwriteMergePolicyType:
                        try expectEqual(fresh.names("Item"), ["a"])
                        try expectEqual(fresh.one("Item", "a").number("size"), 3)
                        try expectEmpty(fresh.all("Part"))
                    case .mergeByPropertyStoreTrumpMergePolicyType:
                        try expectEqual(fresh.names("Item"), ["a", "b"])
                        try expectEqual(fresh.one("Item", "b").number("size"), 3)
                    default:
                        try expectEqual(fresh.names("Item"), ["a", "b"])
                        try expectEqual(fresh.one("Item", "b").number("size"), 2)
                    }
                }
            }
        }
    }

    @Test(
        "importing the same objects again and again changes them and makes no more",
        arguments: StoreKind.everyKind.without(.noUniqueness))
    func importing(_ kind: StoreKind) throws {
        try with(kind, .mergeByPropertyObjectTrump) { _ in
        } _: { stack, context in
            for round in 1...3 {
                for index in 0..<300 { context.make("Item", "\(index)", ["size": round * 1000 + index]) }
                try context.save()
            }
            try inFreshContext(stack) { fresh in
                let all = try fresh.all("Item")
                expectEqual(all.count, 300)
                #expect(all.allSatisfy { $0.number("size") == Int64($0.text("name")!)! + 3000 })
            }
        }
    }

    @Test("a policy may resolve such conflicts by itself", arguments: StoreKind.everyKind.without(.noUniqueness))
    func custom(_ kind: StoreKind) throws {
        final class Renaming: NSMergePolicy, @unchecked Sendable {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                for conflict in list {
                    for object in conflict.conflictingObjects {
                        object.setValue((object.text("name") ?? "") + "'", forKey: "name")
                    }
                }
            }
        }
        try with(kind, Renaming(merge: .errorMergePolicyType)) { context in
            context.make("Item", "a")
            context.make("Item", "a'")
        } _: { stack, context in
            context.make("Item", "a")
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["a", "a'", "a''"]) }
        }
    }

    @Test("a conflict without a description is empty")
    func empty() {
        let conflict = NSConstraintConflict()
        expectEmpty(conflict.constraint)
        expectEqual(conflict.databaseObject, nil)
        expectEmpty(conflict.conflictingObjects)
    }

    @Test("a conflict may be described by a program")
    func describing() throws {
        try withStack(.memory, model: UniqueModel.make()) { stack in
            let item = stack.context.make("Item", "a", ["size": 1])
            let conflict = NSConstraintConflict(
                constraint: ["name"], database: nil, databaseSnapshot: nil, conflicting: [item],
                conflictingSnapshots: [["name": "b"]])
            #expect(conflict.constraintValues as? [String: String] == ["name": "a"])
            #expect(conflict.conflictingSnapshots[0]["name"] as? String == "b")
            expectEqual(thrownError { try NSMergePolicy.error.resolve(constraintConflicts: [conflict]) }?.code, 133021)
        }
    }
}
