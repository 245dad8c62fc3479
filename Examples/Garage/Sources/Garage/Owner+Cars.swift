import CoreData

/// The same class, continued in another file.
extension Owner {
    @NSManaged public var cars: Set<Car>

    @NSManaged public func addCarsObject(_ car: Car)
    @NSManaged public func removeCarsObject(_ car: Car)

    /// The sum of what was driven with all cars.
    public var mileage: Int { cars.reduce(0) { $0 + Int($1.mileage) } }
}
