import CoreDataPredicates

extension SQLQueryTranslator {
    /// A translator for a SQLite store.
    ///
    /// - Parameters:
    ///   - schema: the tables of the store.
    ///   - storeIdentifier: the store's UUID, by which IDs of its objects are told from those of other stores.
    package init(schema: SQLSchema, storeIdentifier: String) {
        self.init(schema: schema, dialect: SQLiteDialect()) { constant in
            guard let id = (constant as? NSManagedObject)?.objectID ?? constant as? NSManagedObjectID else {
                return nil
            }
            let isHere = id.key > 0 && id.storeIdentity?.uuid == storeIdentifier
            return SQLObjectReference(entityName: id.layout.name, key: isHere ? id.key : nil)
        }
    }
}
