//
//  Note+CoreDataProperties.swift
//  TeamNotes
//

import CoreData
import Foundation

extension Note {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {
        return NSFetchRequest<Note>(entityName: "Note")
    }

    @NSManaged public var changed: Date
    @NSManaged public var isPinned: Bool
    @NSManaged public var isTrashed: Bool
    @NSManaged public var key: UUID?
    @NSManaged public var text: String
    @NSManaged public var title: String?
    @NSManaged public var topics: NSSet?

}

// MARK: Generated accessors for topics
extension Note {

    @objc(addTopicsObject:)
    @NSManaged public func addToTopics(_ value: Topic)

    @objc(removeTopicsObject:)
    @NSManaged public func removeFromTopics(_ value: Topic)

    @objc(addTopics:)
    @NSManaged public func addToTopics(_ values: NSSet)

    @objc(removeTopics:)
    @NSManaged public func removeFromTopics(_ values: NSSet)

}

extension Note: Identifiable {

}
