import CoreDataModel
import CoreDataPredicates

extension SQLEntity {
    /// The stored property of that name, of the entity or of one below it.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a name that no stored property has, or several subentities' different
    ///   ones.
    func storedProperty(_ key: String, in keyPath: String) throws -> SQLProperty {
        if let property = properties[key] { return property }
        if let reason = reasonNotStored(key) {
            throw SQLQueryError.notStored(key, in: keyPath, of: self, because: reason)
        }
        // A request for an entity may ask for what only some of its subentities have; the others' values are missing.
        var declaring: [SQLEntity] = []
        var candidates = subentities
        while !candidates.isEmpty {
            let next = candidates.removeFirst()
            if next.properties[key] != nil {
                declaring.append(next)
            } else {
                candidates.append(contentsOf: next.subentities)
            }
        }
        guard let first = declaring.first, let property = first.properties[key] else {
            throw SQLQueryError.unknownKey(key, in: keyPath, of: self)
        }
        guard declaring.count == 1 else {
            let names = declaring.map(\.name).joined(separator: " and ")
            throw SQLQueryError.notStored(
                key, in: keyPath, of: self, because: "is declared by \(names) apart; fetch one of these entities")
        }
        return property
    }

    /// Why a property of the model has no column; `nil` if there is no such property.
    private func reasonNotStored(_ key: String) -> String? {
        switch entity.property(named: key) {
        case nil: nil
        case let property? where property.isTransient: "is transient, so the store has no value for it"
        case is NSFetchedPropertyDescription: "is a fetched property, which has no stored value"
        default: "isn\u{2019}t stored in this store"
        }
    }
}
