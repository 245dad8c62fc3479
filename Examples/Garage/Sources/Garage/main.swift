import CoreData

// The plugin compiles Garage.xcdatamodeld with both versions into the bundle of this target.
guard let modelURL = Bundle.module.url(forResource: "Garage", withExtension: "momd") else {
    fatalError("There is no Garage.momd in \(Bundle.module.bundlePath).")
}
print("Versions of the model:")
for version in try NSManagedObjectModel.checksumsForVersionedModel(at: modelURL).sorted(by: { $0.key < $1.key }) {
    print("  \(version.key)  \(version.value)")
}

// GarageModel.strings, in the folder of a language, has localized names.
let names = NSManagedObjectModel(contentsOf: modelURL)?.localizationDictionary ?? [:]
print("A Car is called \"\(names["Entity/Car"] ?? "Car")\" here.")

// A container finds the model by name.
let container = NSPersistentContainer(name: "Garage")
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Garage-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
container.persistentStoreDescriptions = [
    NSPersistentStoreDescription(url: folder.appendingPathComponent("Garage.sqlite"))
]
container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
let context = container.viewContext

let owner = Owner(context: context)
owner.name = "Ada"
for (make, mileage) in [("Analytical", 1843), ("Difference", 1822)] {
    let car = Car(context: context)
    car.make = make
    car.mileage = Int32(mileage)
    owner.addCarsObject(car)
}

// No source has the class Repair: its code generation is "Class Definition", and the plugin generates it.
let repair = Repair(context: context)
repair.work = "new punched cards"
repair.hours = 3
repair.cost = 17.5
owner.cars.first { $0.make == "Analytical" }?.addToRepairs(repair)

try context.save()
context.reset()

for car in try context.fetch(Car.request(ownedBy: "Ada")) {
    print("\(car.make ?? "?"), \(car.mileage) miles, of \(car.owner?.name ?? "nobody")")
    for repair in car.repairs as? Set<Repair> ?? [] {
        print("  repaired: \(repair.work ?? "?"), \(repair.hours) h, \(repair.cost ?? 0)")
    }
}
if let owner = try context.fetch(NSFetchRequest<Owner>(entityName: "Owner")).first {
    print("\(owner.name) drove \(owner.mileage) miles in all.")
}
