import CoreData
import Testing

/// An enumeration that attributes hold by its raw value.
private enum Mood: Int16 {
    case calm
    case merry = 3
}
private enum Tone: String { case high, low }
final class TypedFamilyLeaf: NSManagedObject {}

@Suite("Typed access to every kind of property")
struct TypedFamilyTests {
    private func tree() -> NSManagedObjectModel {
        let leaf = entity("Leaf", [attribute("name", .stringAttributeType)])
        leaf.managedObjectClassName = _typeName(TypedFamilyLeaf.self, qualified: true)
        let tree = entity(
            "Tree",
            [
                attribute("name", .stringAttributeType), attribute("number", .integer32AttributeType),
                attribute("date", .dateAttributeType),
                attribute("data", .binaryDataAttributeType), attribute("price", .decimalAttributeType),
                attribute("words", .transformableAttributeType),
                attribute("flag", .booleanAttributeType),
            ])
        let model = model([tree, leaf])
        func relate(_ name: String, _ inverse: String, isOrdered: Bool, isMany: Bool) {
            let there = NSRelationshipDescription()
            let back = NSRelationshipDescription()
            (there.name, there.destinationEntity, there.maxCount, there.isOrdered, there.isOptional) = (
                name, leaf, isMany ? 0 : 1, isOrdered, true
            )
            (back.name, back.destinationEntity, back.maxCount, back.isOptional) = (inverse, tree, 1, true)
            (there.inverseRelationship, back.inverseRelationship) = (back, there)
            tree.properties.append(there)
            leaf.properties.append(back)
        }
        relate("leaves", "tree", isOrdered: false, isMany: true)
        relate("row", "rowTree", isOrdered: true, isMany: true)
        relate("top", "topTree", isOrdered: false, isMany: false)
        return model
    }

    @Test("an object of another class than that of the accessor is returned unchecked")
    func otherClasses() async throws {
        final class Other: NSManagedObject {}
        final class Larger: NSManagedObject { var stored = [1, 2, 3] }
        try withStack(.memory, model: tree()) { stack in
            let object = stack.context.make("Tree")
            let leaf = stack.context.make("Leaf", "a")
            object.setValue(leaf, forKey: "top")
            let top = object[ManagedProperty<Other?>("top")]
            #expect(top === leaf)
            #expect(top as NSManagedObject? is TypedFamilyLeaf)
            #expect(object[ManagedProperty<Other>("top")].value(forKey: "name") as? String == "a")
        }
        await #expect(processExitsWith: .failure) {
            try withStack(.memory, model: TypedFamilyTests().tree()) { stack in
                let object = stack.context.make("Tree")
                object.setValue(stack.context.make("Leaf", "a"), forKey: "top")
                // Its stored property would lie in memory of another object.
                print(object[ManagedProperty<Larger?>("top")]?.stored ?? [])
            }
        }
    }

    @Test("an attribute of any numbers is read and set as a decimal number")
    func decimalNumbers() throws {
        try withStack(.memory, model: tree()) { stack in
            let object = stack.context.make("Tree")
            expectEqual(object[ManagedProperty<NSDecimalNumber?>("number")], nil)
            object[ManagedProperty<NSDecimalNumber?>("number")] = NSDecimalNumber(value: 7)
            #expect(object.value(forKey: "number") as? Int == 7)
            expectEqual(object[ManagedProperty<NSDecimalNumber?>("number")], 7)
            expectEqual(object[ManagedProperty<Decimal>("flag")], 0)
        }
    }

    @Test("nil reads as zero or empty where the type isn't optional")
    func nilReadings() throws {
        try withStack(.memory, model: tree()) { stack in
            let object = stack.context.make("Tree")
            expectEqual(object[ManagedProperty<String>("name")], "")
            expectEqual(object[ManagedProperty<Data>("data")], Data())
            expectEqual(object[ManagedProperty<Decimal>("price")], 0)
            expectEqual(object[ManagedProperty<[String]>("words")], [])
            expectEqual(object[ManagedProperty<[String: Int]>("words")], [:])
            expectEqual(object[ManagedProperty<Mood>("number")], .calm)
            expectEqual(object[ManagedProperty<Mood?>("number")], nil)
            expectEqual(object[ManagedProperty<Tone?>("name")], nil)
            #expect(object[ManagedProperty<Any?>("name")] == nil)
            expectEqual(object[ManagedProperty<NSNumber?>("number")], nil)
        }
    }

    @Test("a set of the members' class follows each change", arguments: StoreKind.allCases)
    func sets(_ kind: StoreKind) throws {
        try withStack(kind, model: tree()) { stack in
            let leaves = ManagedProperty<Set<TypedFamilyLeaf>>("leaves")
            let tree = stack.context.make("Tree")
            let made = (0..<4).map { _ in TypedFamilyLeaf(context: stack.context) }
            expectEmpty(tree[leaves])
            tree.mutableSetValue(forKey: "leaves").addObjects(from: [made[0], made[1]])
            let before = tree[leaves]
            made[2].setValue(tree, forKey: "tree")
            tree.mutableSetValue(forKey: "leaves").remove(made[0])
            expectEqual(tree[leaves], [made[1], made[2]])
            expectEqual(before, [made[0], made[1]])
            tree[leaves].insert(made[3])
            expectEqual(tree[leaves], [made[1], made[2], made[3]])
            #expect(made[3].object("tree") === tree)
            stack.context.delete(made[1])
            stack.context.processPendingChanges()
            expectEqual(tree[leaves], [made[2], made[3]])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Tree")[0][leaves].count, 2) }
        }
    }

    @Test("values of all types come back from a store", arguments: StoreKind.allCases)
    func roundTrip(_ kind: StoreKind) throws {
        let words = ManagedProperty<[String]?>("words")
        let mood = ManagedProperty<Mood>("number")
        let tone = ManagedProperty<Tone?>("name")
        let price = ManagedProperty<NSDecimalNumber?>("price")
        let flag = ManagedProperty<NSNumber?>("flag")
        let seconds = ManagedProperty<Double>("date")
        try withStack(kind, model: tree()) { stack in
            let object = stack.context.make("Tree")
            object[words] = ["a", "b"]
            object[mood] = .merry
            object[tone] = .low
            object[price] = NSDecimalNumber(string: "1.25")
            object[flag] = true
            object[seconds] = 12.5
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try context.all("Tree")[0]
                expectEqual(found[words], ["a", "b"])
                expectEqual(found[mood], .merry)
                expectEqual(found[tone], .low)
                expectEqual(found[price]?.stringValue, "1.25")
                expectEqual(found[flag]?.boolValue, true)
                expectEqual(found[ManagedProperty<Date>("date")].timeIntervalSinceReferenceDate, 12.5)
                expectEqual(found[ManagedProperty<NSString?>("name")]?.description, "low")
                #expect(found[ManagedProperty<Any?>("name")] as? String == "low")
            }
        }
    }

    @Test(
        "relationships are read and set as objects, sets and ordered sets, inverse and all",
        arguments: StoreKind.allCases)
    func relationships(_ kind: StoreKind) throws {
        let leaves = ManagedProperty<Set<TypedFamilyLeaf>>("leaves")
        let set = ManagedProperty<NSSet?>("leaves")
        let mutable = ManagedProperty<NSMutableSet?>("leaves")
        let row = ManagedProperty<NSOrderedSet?>("row")
        let top = ManagedProperty<TypedFamilyLeaf?>("top")
        let name = ManagedProperty<String>("name")
        try withStack(kind, model: tree()) { stack in
            let object = stack.context.make("Tree")
            let made = ["a", "b", "c"].map { letter in
                let leaf = TypedFamilyLeaf(context: stack.context)
                leaf[name] = letter
                return leaf
            }
            object[leaves].insert(made[0])
            object[mutable]?.add(made[1])
            expectEqual(object[leaves], [made[0], made[1]])
            expectEqual(object[set]?.count, 2)
            #expect(made[1].object("tree") === object)
            let members = ManagedRelationship("leaves")
            let places = ManagedRelationship("row")
            object.add(made[2], to: members)
            object.remove(NSSet(array: [made[0]]), from: members)
            expectEqual(object[leaves], [made[1], made[2]])
            expectEqual(made[0].object("tree"), nil)
            object[row] = NSOrderedSet(array: [made[0], made[1]])
            object.insert(made[2], into: places, at: 1)
            object.remove(at: 0, from: places)
            object.replace(at: 0, in: places, with: made[0])
            object[top] = made[0]
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try context.all("Tree")[0]
                expectEqual((found[row]?.array as? [TypedFamilyLeaf])?.map { $0[name] }, ["a", "b"])
                expectEqual(found[top]?[name], "a")
                expectEqual(found[leaves].count, 2)
            }
        }
    }

    @Test("a primitive accessor sets without marking the object as changed")
    func primitive() throws {
        let primitive = ManagedProperty<String?>("primitiveName")
        try withStack(.memory, model: tree()) { stack in
            let object = stack.context.make("Tree", "oak")
            try stack.context.save()
            object.withPrimitiveAccess(to: primitive) { object[primitive] = "elm" }
            expectEqual(object[primitive], "elm")
            expectEqual(object.text("name"), "elm")
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test("a class is found under the other name by which it was registered")
    func otherName() throws {
        NSManagedObject.register(TypedFamilyLeaf.self, as: "OtherLeafOfTypedFamily")
        let leaf = entity("Leaf", [attribute("name", .stringAttributeType)])
        leaf.managedObjectClassName = "OtherLeafOfTypedFamily"
        try withStack(.memory, model: model([leaf])) { stack in
            #expect(stack.context.make("Leaf") is TypedFamilyLeaf)
        }
    }

    @Test("a type that doesn't fit stops the program with entity, key and both types")
    func mistake() async {
        await #expect(processExitsWith: .failure) {
            let model = model([entity("Tree", [attribute("name", .stringAttributeType)])])
            try? withStack(.memory, model: model) { stack in
                _ = stack.context.make("Tree")[ManagedProperty<NSSet?>("name")]
            }
        }
    }
}
