import CoreData
import Testing

/// Compares the graph after edits, undo and redo with recorded copies of the graph as text.
@Suite("Random sequences of undo and redo")
struct UndoRandomTests {
    private final class Walk {
        let context: NSManagedObjectContext
        let manager: UndoManager
        let stack: TestStack
        let counter: NSManagedObject
        var generator: SeededGenerator
        /// The graph before the first action, and after each action.
        var graphs: [[String]]
        var position = 0
        var nextName = 0, count = 0
        /// The descriptions of the steps so far.
        var log: [String] = []
        var history: [[String]] = []

        init(_ context: NSManagedObjectContext, _ manager: UndoManager, _ stack: TestStack, seed: UInt64) throws {
            (self.context, self.manager, self.stack) = (context, manager, stack)
            generator = SeededGenerator(seed: seed)
            // Every action changes it.
            counter = context.make("Reader", "counter")
            context.processPendingChangesWithoutUndo()
            try context.save()
            graphs = [try GraphText.lines(context)]
        }

        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

        func step() throws {
            if !log.isEmpty { history.append(log) }
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<45:
                log = ["edit"]
                try context.step {
                    count += 1
                    counter.setValue(count, forKey: "card")
                    for _ in 0..<Int.random(in: 1...4, using: &generator) {
                        try edit()
                        if chance(25) { context.processPendingChanges() }
                    }
                }
                graphs.removeSubrange((position + 1)...)
                graphs.append(try GraphText.lines(context))
                position += 1
            case 45..<68:
                guard position > 0 else { return }
                log = ["undo"]
                context.undo()
                position -= 1
            case 68..<82:
                guard position < graphs.count - 1 else { return }
                log = ["redo"]
                context.redo()
                position += 1
            case 82..<90:
                log = ["save"]
                try context.save()
                // A save discards only transient values of objects that become faults.
                let stored = try GraphText.storedLines(stack)
                let present = try GraphText.lines(context, transient: false)
                if stored != present {
                    throw TestFailure("after a save the store \(GraphText.difference(stored, present))")
                }
            default:
                log = ["refresh"]
                context.refreshAllObjects()
            }
            let found = try GraphText.lines(context)
            if found != graphs[position] {
                throw TestFailure("\(log): the graph \(GraphText.difference(found, graphs[position]))")
            }
            if manager.undoCount != position {
                throw TestFailure("\(log): \(manager.undoCount) actions to undo, not \(position)")
            }
            if manager.redoCount != graphs.count - 1 - position {
                throw TestFailure("\(log): \(manager.redoCount) actions to redo")
            }
            // The next steps change relationships that are not loaded.
            if chance(30) {
                log.append("refresh")
                context.refreshAllObjects()
            }
        }

        private func any(_ entity: String) throws -> NSManagedObject? {
            try context.all(entity, sort: [NSSortDescriptor(key: "name", ascending: true)]).randomElement(
                using: &generator)
        }

        private func edit() throws {
            let entities = ["Author", "Reader", "Book", "Novel", "Cover", "Chapter", "Publisher", "Tag", "Shelf"]
            let entity = entities.randomElement(using: &generator)!
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                nextName += 1
                let object = context.make(entity, "n\(nextName)")
                log.append("make \(entity) n\(nextName)")
                if chance(70) { try relate(object) }
            case 3:
                guard entity != "Publisher", let object = try any(entity), object != counter else { return }
                log.append("delete \(object.text("name")!)")
                context.delete(object)
            case 4, 5:
                guard let object = try any(entity) else { return }
                let keys = object.entity.attributesByName.keys.filter { $0 != "name" }.sorted()
                guard let key = keys.randomElement(using: &generator), key != "note", object != counter else { return }
                let isText = object.entity.attributesByName[key]!.attributeType == .stringAttributeType
                let number = Int.random(in: 0..<5, using: &generator)
                log.append("set \(object.text("name")!).\(key) = \(number)")
                object.setValue(number == 0 ? nil : isText ? "v\(number)" as Any : NSNumber(value: number), forKey: key)
            default:
                guard let object = try any(entity) else { return }
                try relate(object)
            }
        }

        private func relate(_ object: NSManagedObject) throws {
            // A relationship without inverse contains a deleted object until the store has deleted it.
            let relationships = object.entity.relationshipsByName.values.filter { $0.inverseRelationship != nil }.sorted
            { $0.name < $1.name }
            guard let relationship = relationships.randomElement(using: &generator) else { return }
            let other = try any(relationship.destinationEntity!.name!)
            let key = relationship.name
            let kind = Int.random(in: 0..<6, using: &generator)
            log.append("relate \(object.text("name")!).\(key) \(kind) \(other?.text("name") ?? "nil")")
            guard relationship.isToMany else { return object.setValue(chance(80) ? other : nil, forKey: key) }
            guard relationship.isOrdered else {
                let set = object.mutableSetValue(forKey: key)
                if kind == 0 { return object.setValue(other.map { NSSet(object: $0) } ?? NSSet(), forKey: key) }
                if let other { if kind < 4 { set.add(other) } else { set.remove(other) } }
                return
            }
            let ordered = object.mutableOrderedSetValue(forKey: key)
            switch kind {
            case 0: object.setValue(NSOrderedSet(array: Array(ordered.array.reversed())), forKey: key)
            case 1 where ordered.count > 1:
                ordered.moveObjects(at: IndexSet(integer: 0), to: Int.random(in: 1..<ordered.count, using: &generator))
            case 2 where other != nil && !ordered.contains(other!):
                ordered.insert(other!, at: Int.random(in: 0...ordered.count, using: &generator))
            case 3 where ordered.count > 0:
                ordered.removeObject(at: Int.random(in: 0..<ordered.count, using: &generator))
            default: if let other { ordered.add(other) }
            }
        }
    }

    @Test(
        "restore the same graphs in both directions, across saves and refreshes", arguments: StoreKind.allCases,
        0..<TestRun.quick(1, long: 6))
    func random(_ kind: StoreKind, _ round: Int) throws {
        let seed = TestRun.seed(for: "random undo")
        try withUndo(kind) { context, manager, stack in
            let walk = try Walk(context, manager, stack, seed: seed)
            for step in 0..<120 {
                do {
                    try walk.step()
                    try checkInvariants(of: context)
                } catch {
                    Issue.record("COREDATA_SEED=\(seed), step \(step): \(error)\nafter \(walk.history.suffix(12))")
                    return
                }
            }
        }
    }
}
