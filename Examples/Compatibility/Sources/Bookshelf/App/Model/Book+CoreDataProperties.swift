import CoreData
import Foundation

extension Book {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
        return NSFetchRequest<Book>(entityName: "Book")
    }

    @NSManaged public var addedAt: Date?
    @NSManaged public var colour: Colour?
    @NSManaged public var isFavourite: Bool
    @NSManaged public var keywords: [String]?
    @NSManaged public var pages: Int32
    @NSManaged public var rawGenre: Int16
    @NSManaged public var remoteID: Int64
    @NSManaged public var summary: String?
    @NSManaged public var title: String
    @NSManaged public var authors: NSSet?
    @NSManaged public var sessions: NSSet?
    @NSManaged public var shelf: Shelf?

}

// MARK: Generated accessors for authors
extension Book {

    @objc(addAuthorsObject:)
    @NSManaged public func addToAuthors(_ value: Author)

    @objc(removeAuthorsObject:)
    @NSManaged public func removeFromAuthors(_ value: Author)

    @objc(addAuthors:)
    @NSManaged public func addToAuthors(_ values: NSSet)

    @objc(removeAuthors:)
    @NSManaged public func removeFromAuthors(_ values: NSSet)

}

extension Book: Identifiable {

}
