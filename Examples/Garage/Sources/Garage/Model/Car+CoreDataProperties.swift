//
//  Car+CoreDataProperties.swift
//  Garage
//

import CoreData
import Foundation

extension Car {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Car> {
        return NSFetchRequest<Car>(entityName: "Car")
    }

    @NSManaged public var make: String?
    @NSManaged public var mileage: Int32
    @NSManaged public var owner: Owner?
    @NSManaged public var repairs: NSSet?

}

// MARK: Generated accessors for repairs
extension Car {

    @objc(addRepairsObject:)
    @NSManaged public func addToRepairs(_ value: Repair)

    @objc(removeRepairsObject:)
    @NSManaged public func removeFromRepairs(_ value: Repair)

    @objc(addRepairs:)
    @NSManaged public func addToRepairs(_ values: NSSet)

    @objc(removeRepairs:)
    @NSManaged public func removeFromRepairs(_ values: NSSet)

}

extension Car: Identifiable {

}
