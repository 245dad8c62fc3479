//
//  Topic+CoreDataProperties.swift
//  TeamNotes
//

import CoreData
import Foundation

extension Topic {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Topic> {
        return NSFetchRequest<Topic>(entityName: "Topic")
    }

    @NSManaged public var name: String?
    @NSManaged public var notes: NSSet?

}

extension Topic: Identifiable {

}
