import CoreData

/// An extension of the class in another file.
extension Owner {
    @NSManaged public var cars: Set<Car>

    @NSManaged public func addCarsObject(_ car: Car)
    @NSManaged public func removeCarsObject(_ car: Car)

    /// The mileage of all cars.
    public var mileage: Int { cars.reduce(0) { $0 + Int($1.mileage) } }
}
