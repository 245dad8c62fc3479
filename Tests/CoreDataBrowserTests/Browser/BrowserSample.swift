import CoreData

/// A store of items, for tests of the browser.
enum BrowserSample {
    static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        func relationship(_ name: String, to entity: NSEntityDescription, isToMany: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = entity
            relationship.maxCount = isToMany ? 0 : 1
            relationship.deleteRule = isToMany ? .cascadeDeleteRule : .nullifyDeleteRule
            return relationship
        }
        let item = NSEntityDescription()
        item.name = "Item"
        let year = attribute("year", .integer32AttributeType)
        year.setValidationPredicates([NSPredicate(format: "SELF <= 3000")], withValidationWarnings: ["too late"])
        let note = NSEntityDescription()
        note.name = "Note"
        note.properties = [attribute("text", .stringAttributeType)]
        item.properties = [
            attribute("name", .stringAttributeType), year, attribute("cover", .binaryDataAttributeType),
        ]
        let notes = relationship("notes", to: note, isToMany: true)
        let owner = relationship("item", to: item, isToMany: false)
        notes.inverseRelationship = owner
        owner.inverseRelationship = notes
        item.properties.append(notes)
        note.properties.append(owner)
        let model = NSManagedObjectModel()
        model.entities = [item, note]
        return model
    }

    /// Writes the model with a fetch request into the folder, and returns its path.
    static func writeModel(to folder: TemporaryFolder) throws -> String {
        let bundle = folder.url.appendingPathComponent("Items.xcdatamodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let source = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
                    <attribute name="year" optional="YES" attributeType="Integer 32" maxValueString="3000"/>
                    <attribute name="cover" optional="YES" attributeType="Binary"/>
                    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" \
            destinationEntity="Note" inverseName="item" inverseEntity="Note"/></entity>
                <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
                    <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Item" inverseName="notes" inverseEntity="Item"/></entity>
                <fetchRequest name="Young" entity="Item" predicateString="year &lt; $LIMIT"/>
            </model>
            """
        try Data(source.utf8).write(to: bundle.appendingPathComponent("contents"))
        return bundle.path
    }

    static func makeStore(
        in folder: TemporaryFolder, count: Int, name: String? = nil, year: Int? = nil, covers: [Data] = [],
        hasHistory: Bool = false
    ) throws -> String {
        let path = folder.path("Items.sqlite")
        var options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        if hasHistory { options[NSPersistentHistoryTrackingKey] = true }
        let model = model()
        // A value that is not allowed later may have been saved before.
        if year != nil {
            model.entitiesByName["Item"]?.attributesByName["year"]?.setValidationPredicates(
                [], withValidationWarnings: [])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "test"
        try context.performAndWait {
            for index in 0..<count {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(name ?? (index % 7 == 0 ? nil : "item \(index % 40)"), forKey: "name")
                item.setValue(index % 5 == 0 && year == nil ? nil : NSNumber(value: year ?? index % 3), forKey: "year")
                if index < covers.count { item.setValue(covers[index], forKey: "cover") }
                // Keys in the order of the insertion.
                if count < 4 { try context.save() }
            }
            try context.save()
        }
        try coordinator.remove(store)
        return path
    }

    /// A process's stack that has written and still has the store open.
    final class Writer {
        let folder: URL
        let path: String
        private let context: NSManagedObjectContext

        init(in folder: TemporaryFolder, count: Int) throws {
            self.folder = folder.url.appendingPathComponent("open")
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
            path = self.folder.appendingPathComponent("Items.sqlite").path
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BrowserSample.model())
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
                options: [NSPersistentHistoryTrackingKey: true])
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            for index in 0..<count { try add("item \(index)") }
        }

        func add(_ name: String) throws {
            try context.performAndWait {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(name, forKey: "name")
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue("note of \(name)", forKey: "text")
                note.setValue(item, forKey: "item")
                try context.save()
            }
        }
    }
}
