import CoreData

@objc(Shelf)
public final class Shelf: NSManagedObject {
    @NSManaged var name: String
    @NSManaged var books: NSOrderedSet?

    @objc(insertObject:inBooksAtIndex:)
    @NSManaged func insertIntoBooks(_ value: Book, at index: Int)

    @objc(addBooksObject:)
    @NSManaged func addToBooks(_ value: Book)

    public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "bookCount" ? ["books"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    @objc var bookCount: Int { books?.count ?? 0 }
}
