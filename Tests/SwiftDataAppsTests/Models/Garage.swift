import Foundation
import SwiftData

enum FuelType: String, Codable {
    case petrol
    case diesel
    case electric
}

enum Drivetrain: Codable, Equatable {
    case combustion(fuel: FuelType, displacement: Int)
    case electric(kilowattHours: Double)
    case human
}

@Model
class Vehicle {
    var name: String
    var odometer: Int = 0
    var purchasedOn: Date?
    @Relationship(deleteRule: .cascade, inverse: \ServiceRecord.vehicle)
    var services: [ServiceRecord] = []
    @Relationship(deleteRule: .nullify) var owner: VehicleOwner?

    init(name: String, odometer: Int = 0, owner: VehicleOwner? = nil) {
        self.name = name
        self.odometer = odometer
        self.owner = owner
    }

    var wheels: Int { 0 }

    func drive(_ kilometers: Int) {
        odometer += kilometers
    }
}

@Model
class MotorVehicle: Vehicle {
    var licensePlate: String
    var drivetrain: Drivetrain = Drivetrain.human

    init(name: String, licensePlate: String, drivetrain: Drivetrain, owner: VehicleOwner? = nil) {
        self.licensePlate = licensePlate
        super.init(name: name, owner: owner)
        self.drivetrain = drivetrain
    }
}

@Model
final class Car: MotorVehicle {
    var doors: Int = 5
    var trailer: Trailer?

    override init(name: String, licensePlate: String, drivetrain: Drivetrain, owner: VehicleOwner? = nil) {
        super.init(name: name, licensePlate: licensePlate, drivetrain: drivetrain, owner: owner)
    }

    override var wheels: Int { 4 }
}

@Model
final class Motorcycle: MotorVehicle {
    var hasSidecar: Bool

    init(name: String, licensePlate: String, hasSidecar: Bool = false) {
        self.hasSidecar = hasSidecar
        super.init(
            name: name, licensePlate: licensePlate, drivetrain: .combustion(fuel: .petrol, displacement: 600))
    }

    override var wheels: Int { hasSidecar ? 3 : 2 }
}

@Model
final class Trailer {
    var payload: Double
    @Relationship(inverse: \Car.trailer) var car: Car?

    init(payload: Double) { self.payload = payload }
}

@Model
final class ServiceRecord {
    var date: Date
    var odometer: Int
    var cost: Decimal
    var work: [String: Decimal]
    var vehicle: Vehicle?

    init(date: Date, odometer: Int, work: [String: Decimal] = [:]) {
        self.date = date
        self.odometer = odometer
        self.work = work
        self.cost = work.values.reduce(0, +)
    }
}

@Model
final class VehicleOwner {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Vehicle.owner) var vehicles: [Vehicle] = []

    init(name: String) { self.name = name }
}
