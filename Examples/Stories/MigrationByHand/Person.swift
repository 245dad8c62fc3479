import CoreData

/// An object that decides what its copy in a newer version has.
protocol CopiedByItself {
    func valuesForMigration(to entity: NSEntityDescription) -> [String: Any]
}

/// A person of either version: with a name, or with a first and a last name.
final class Person: NSManagedObject, CopiedByItself {
    func valuesForMigration(to entity: NSEntityDescription) -> [String: Any] {
        guard self.entity.attributesByName["name"] != nil, let name = value(forKey: "name") as? String else {
            return dictionaryWithValues(forKeys: Array(entity.attributesByName.keys))
        }
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        return ["firstName": parts.count > 1 ? parts[0] : NSNull(), "lastName": parts.last ?? ""]
    }
}
