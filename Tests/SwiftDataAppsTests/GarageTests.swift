import Foundation
import SwiftData
import Testing

@Suite struct GarageTests {
    let store: AppStore

    init() throws {
        store = try AppStore(
            Vehicle.self, MotorVehicle.self, Car.self, Motorcycle.self, Trailer.self, ServiceRecord.self,
            VehicleOwner.self)
    }

    private func fill(_ context: ModelContext) {
        let owner = VehicleOwner(name: "Noor")
        let car = Car(
            name: "Van", licensePlate: "B-AB 1", drivetrain: .combustion(fuel: .diesel, displacement: 1_950),
            owner: owner)
        car.doors = 4
        car.trailer = Trailer(payload: 750)
        car.services = [
            ServiceRecord(date: day(1), odometer: 12_000, work: ["Oil": Decimal(string: "89.90")!, "Filter": 20])
        ]
        let bike = Vehicle(name: "Bike", owner: owner)
        let motorcycle = Motorcycle(name: "Rocket", licensePlate: "B-CD 2", hasSidecar: true)
        owner.vehicles.append(motorcycle)
        context.insert(owner)
        context.insert(bike)
        bike.drive(40)
    }

    @Test func threeLevelsAreRead() throws {
        let context = try store.relaunched(after: fill)
        let vehicles = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
        expectEqual(vehicles.map(\.name), ["Bike", "Rocket", "Van"])
        expectEqual(vehicles.map(\.wheels), [0, 3, 4])
        try expectEqual(context.count(MotorVehicle.self), 2)
    }

    @Test func propertiesOfAllLevelsAreSaved() throws {
        let context = try store.relaunched(after: fill)
        let car = try context.one(Car.self)
        expectEqual(car.doors, 4)
        expectEqual(car.licensePlate, "B-AB 1")
        expectEqual(car.drivetrain, .combustion(fuel: .diesel, displacement: 1_950))
        expectEqual(car.owner?.name, "Noor")
        #expect(car.trailer?.car === car)
    }

    @Test func initializerOfASubclassSetsInheritedProperties() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Motorcycle.self).drivetrain, .combustion(fuel: .petrol, displacement: 600))
    }

    @Test func dictionaryOfDecimalsIsRead() throws {
        let context = try store.relaunched(after: fill)
        let record = try context.one(ServiceRecord.self)
        expectEqual(record.work, ["Oil": Decimal(string: "89.90")!, "Filter": 20])
        expectEqual(record.cost, Decimal(string: "109.90")!)
    }

    @Test func predicateOnASubclassUsesInheritedProperties() throws {
        let context = try store.relaunched(after: fill)
        let plates = #Predicate<MotorVehicle> { $0.name == "Rocket" && $0.licensePlate.starts(with: "B-") }
        try expectEqual(context.one(MotorVehicle.self, where: plates).wheels, 3)
    }

    @Test func inheritedRelationshipCascades() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Car.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(ServiceRecord.self), 0)
        try expectEqual(after.count(Trailer.self), 1)
        try expectEqual(after.one(VehicleOwner.self).vehicles.count, 2)
    }

    @Test func ownerIsChangedThroughTheOtherSide() throws {
        let context = try store.relaunched(after: fill)
        let other = VehicleOwner(name: "Sam")
        context.insert(other)
        other.vehicles = try context.fetch(FetchDescriptor<Vehicle>())
        try context.save()
        let after = try store.launch()
        expectEmpty(try after.one(VehicleOwner.self, where: #Predicate { $0.name == "Noor" }).vehicles)
        try expectEqual(after.one(Car.self).owner?.name, "Sam")
    }

    @Test func rollbackRestoresAllLevels() throws {
        let context = try store.relaunched(after: fill)
        let car = try context.one(Car.self)
        car.drive(100)
        car.doors = 3
        car.licensePlate = "X"
        context.rollback()
        expectEqual(car.odometer, 0)
        expectEqual(car.doors, 4)
        expectEqual(car.licensePlate, "B-AB 1")
    }
}
