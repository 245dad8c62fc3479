import CoreData

// Xcode generates the class of this entity.
extension Author {
    override public func awakeFromInsert() {
        super.awakeFromInsert()
        createdAt = Date(timeIntervalSinceReferenceDate: 0)
    }

    @objc var initials: String {
        (name ?? "").split(separator: " ").compactMap(\.first).map(String.init).joined()
    }

    @objc func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let name = value.pointee as? String, name.count < 3 else { return }
        throw NSError(
            domain: "Bookshelf", code: 7, userInfo: [NSLocalizedDescriptionKey: "\(name) is no name of an author."])
    }

    var sortedBooks: [Book] {
        let descriptor = NSSortDescriptor(
            key: #keyPath(Book.title), ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))
        return books?.sortedArray(using: [descriptor]) as? [Book] ?? []
    }
}
