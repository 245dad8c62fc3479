import CoreData

/// A class written by hand, with properties in its body.
public class Owner: NSManagedObject {
    @NSManaged public var name: String
    @NSManaged public private(set) var since: Date?

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        since = Date()
    }
}
