//
//  Car+CoreDataClass.swift
//  Garage
//

import CoreData
import Foundation

@objc(Car)
public class Car: NSManagedObject {

    /// The cars of an owner, sorted by descending mileage.
    public class func request(ownedBy name: String) -> NSFetchRequest<Car> {
        let request: NSFetchRequest<Car> = Car.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", #keyPath(Car.owner.name), name)
        request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Car.mileage), ascending: false)]
        return request
    }

}
