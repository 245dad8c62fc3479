import CoreData

/// Authors and their books.
public enum Library {
    public static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        func relationship(_ name: String, _ destination: NSEntityDescription, maximum: Int) -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.maxCount = maximum
            relationship.isOptional = true
            return relationship
        }
        let (author, book) = (NSEntityDescription(), NSEntityDescription())
        author.name = "Author"
        book.name = "Book"
        let books = relationship("books", book, maximum: 0)
        let toAuthor = relationship("author", author, maximum: 1)
        books.inverseRelationship = toAuthor
        toAuthor.inverseRelationship = books
        author.properties = [attribute("name", .stringAttributeType), books]
        book.properties = [
            attribute("title", .stringAttributeType), attribute("year", .integer64AttributeType), toAuthor,
        ]
        let model = NSManagedObjectModel()
        model.entities = [author, book]
        return model
    }
}
