import CoreData
import Garage
import Testing

/// A container with a store in a new folder.
private func container() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Garage")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("GarageTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container.persistentStoreDescriptions = [
        NSPersistentStoreDescription(url: folder.appendingPathComponent("Garage.sqlite"))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
}

@Test func aNewOwnerKnowsSinceWhen() throws {
    let context = try container().viewContext
    #expect(Owner(context: context).since != nil)
}

@Test func theModelNamesTheModuleOfAClassOfTheCurrentProductModule() throws {
    let name = try container().managedObjectModel.entitiesByName["Owner"]?.managedObjectClassName
    #expect(name == "Garage.Owner")
    #expect(name.flatMap { NSClassFromString($0) } == Owner.self)
}

@Test func bothEndsOfARelationshipFollow() throws {
    let context = try container().viewContext
    let owner = Owner(context: context)
    let car = Car(context: context)
    owner.addCarsObject(car)
    #expect(car.owner == owner)
    owner.removeCarsObject(car)
    #expect(owner.cars.isEmpty)
}

@Test func repairsGoWithTheirCar() throws {
    let context = try container().viewContext
    let car = Car(context: context)
    car.addToRepairs(Repair(context: context))
    try context.save()
    context.delete(car)
    try context.save()
    #expect(try context.count(for: NSFetchRequest<Repair>(entityName: "Repair")) == 0)
}
