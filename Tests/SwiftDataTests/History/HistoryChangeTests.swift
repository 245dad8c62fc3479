import CoreData
import SwiftData
import Testing

/// Which changes the history has.
@Suite struct HistoryChangeTests {
    @Test func insertNamesTheModel() throws {
        let store = try VoyageStore()
        let voyage = try store.add("Alps", author: "editor")
        let transaction = try requireValue(try store.history().last)
        expectEqual(transaction.author, "editor")
        expectEqual(transaction.storeIdentifier, voyage.persistentModelID.storeIdentifier)
        expectEqual(transaction.changes.map(\.changedPersistentIdentifier), [voyage.persistentModelID])
        guard case .insert(let change) = transaction.changes[0] else {
            Issue.record("not an insert")
            return
        }
        #expect(change is DefaultHistoryInsert<Voyage>)
    }

    @Test func updateHasTheKeyPathsOfChangedProperties() throws {
        let store = try VoyageStore()
        let voyage = try store.add("Alps")
        voyage.name = "Andes"
        voyage.kind = .ship
        voyage.budget = VoyageBudget(amount: 7, currency: "CHF")
        try store.context.save()
        guard case .update(let change)? = try store.history().last?.changes.first,
            let update = change as? DefaultHistoryUpdate<Voyage>
        else {
            Issue.record("not an update of a voyage")
            return
        }
        expectEqual(
            Set(update.updatedAttributes.map { $0 as AnyKeyPath }), [\Voyage.name, \Voyage.kind, \Voyage.budget])
        expectEqual(update.updatedPropertyNames, ["budget", "kind", "name"])
    }

    @Test func relationshipIsAmongTheChangedProperties() throws {
        let store = try VoyageStore()
        let voyage = try store.add("Alps")
        let stop = Stop(place: "Chur")
        store.context.insert(stop)
        try store.context.save()
        stop.voyage = voyage
        try store.context.save()
        let changes = try requireValue(try store.history().last).changes
        let update = changes.compactMap { change -> DefaultHistoryUpdate<Stop>? in
            if case .update(let update) = change { update as? DefaultHistoryUpdate<Stop> } else { nil }
        }
        expectEqual(update.first?.updatedAttributes.contains { $0 == \Stop.voyage }, true)
    }

    @Test func deleteHasTheValuesThatArePreserved() throws {
        let store = try VoyageStore()
        let voyage = Voyage(name: "Alps", started: Date(timeIntervalSinceReferenceDate: 1000))
        store.context.insert(voyage)
        try store.context.save()
        store.context.delete(voyage)
        try store.context.save()
        guard case .delete(let change)? = try store.history().last?.changes.first,
            let delete = change as? DefaultHistoryDelete<Voyage>
        else {
            Issue.record("not a delete of a voyage")
            return
        }
        #expect(delete.tombstone[\.name] as? String == "Alps")
        #expect(delete.tombstone[\.started] as? Date == Date(timeIntervalSinceReferenceDate: 1000))
        #expect(delete.tombstone[\.days] == nil)
        // In the order of the names: kind, name, started.
        expectEqual(delete.tombstone.compactMap { $0 as? String }, ["Alps"])
        expectEqual(Array(delete.tombstone).count, 3)
    }

    @Test func compositeValuesAreInTheTombstone() throws {
        let store = try VoyageStore()
        let voyage = Voyage(name: "Alps", kind: .ship)
        voyage.budget = VoyageBudget(amount: 7, currency: "CHF")
        store.context.insert(voyage)
        try store.context.save()
        store.context.delete(voyage)
        try store.context.save()
        guard case .delete(let change)? = try store.history().last?.changes.first,
            let delete = change as? DefaultHistoryDelete<Voyage>
        else {
            Issue.record("not a delete of a voyage")
            return
        }
        #expect(delete.tombstone[\.kind] as? VoyageKind == .ship)
        #expect(delete.tombstone[\.budget] as? VoyageBudget == VoyageBudget(amount: 7, currency: "CHF"))
    }

    @Test func tombstoneOfAModelWithoutPreservedValuesIsEmpty() throws {
        let store = try VoyageStore()
        let stop = Stop(place: "Chur")
        store.context.insert(stop)
        try store.context.save()
        store.context.delete(stop)
        try store.context.save()
        guard case .delete(let change)? = try store.history().last?.changes.first,
            let delete = change as? DefaultHistoryDelete<Stop>
        else {
            Issue.record("not a delete of a stop")
            return
        }
        expectEmpty(Array(delete.tombstone))
        #expect(delete.tombstone[\.place] == nil)
    }

    @Test func missingValueIsNotInTheTombstone() throws {
        let store = try VoyageStore()
        let voyage = try store.add("Alps")
        store.context.delete(voyage)
        try store.context.save()
        guard case .delete(let change)? = try store.history().last?.changes.first,
            let delete = change as? DefaultHistoryDelete<Voyage>
        else {
            Issue.record("not a delete of a voyage")
            return
        }
        #expect(delete.tombstone[\.started] == nil)
        #expect(delete.tombstone[\.budget] == nil)
        expectEqual(Array(delete.tombstone).count, 2)
    }

    @Test func inheritedPropertyHasItsKeyPath() throws {
        let container = try ModelContainer(
            for: Vehicle.self, Van.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let van = Van(wheels: 4, load: 100)
        context.insert(van)
        try context.save()
        van.wheels = 6
        try context.save()
        guard
            case .update(let change)? = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
                .last?.changes.first, let update = change as? DefaultHistoryUpdate<Van>
        else {
            Issue.record("not an update of a van")
            return
        }
        expectEqual(update.updatedPropertyNames, ["wheels"])
        expectEqual(update.updatedAttributes.map { $0 as PartialKeyPath<Van> }, [\.wheels])
        expectEqual(update.updatedAttributes.first.map { van[keyPath: $0] as? Int }, 6)
    }

    @Test func historyIsThatOfCoreData() throws {
        let store = try VoyageStore()
        let voyage = try store.add("Alps", author: "editor")
        voyage.budget = VoyageBudget(amount: 7, currency: "CHF")
        try store.context.save()
        let model = try requireValue(
            NSManagedObjectModel.makeManagedObjectModel(for: [Voyage.self, Stop.self] as [any PersistentModel.Type]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.url,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map {
                "\($0.transactionNumber) \($0.author ?? "") \($0.changes?.first?.updatedProperties?.first?.name ?? "")"
            }
        }
        expectEqual(found, ["1 editor ", "2 editor budget"])
        try expectEqual(store.history().map(\.transactionIdentifier), [1, 2])
    }
}

@Model
class Vehicle {
    var wheels: Int

    init(wheels: Int) { self.wheels = wheels }
}

@Model
final class Van: Vehicle {
    var load: Int

    init(wheels: Int, load: Int) {
        self.load = load
        super.init(wheels: wheels)
    }
}
