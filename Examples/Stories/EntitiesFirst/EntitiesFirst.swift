import CoreData

/// Two entities that refer to each other: a bank has details, and the details have a bank.
struct EntitiesFirst {
    static func run(in folder: URL) throws {
        let model = ModelInCode.model(of: [FailedBankInfo.self, FailedBankDetails.self])
        for entity in model.entities {
            for (name, relationship) in entity.relationshipsByName {
                print(
                    """
                    \(entity.name ?? "").\(name) leads to \(relationship.destinationEntity?.name ?? ""), back by \
                    \(relationship.inverseRelationship?.name ?? "")
                    """
                )
            }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("FailedBanks.sqlite"),
            options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try use(context) }
    }

    static func use(_ context: NSManagedObjectContext) throws {
        for (name, city, state, zip) in [
            ("Test Bank", "Testville", "Testland", 12345), ("Old Savings", "Dodge", "Kansas", 67801),
        ] {
            let info = FailedBankInfo(context: context)
            info.setValuesForKeys(["name": name, "city": city, "state": state])
            let details = FailedBankDetails(context: context)
            details.setValuesForKeys(["zip": zip, "closeDate": Date(), "updateDate": Date()])
            info.setValue(details, forKey: "details")
        }
        do {
            _ = FailedBankInfo(context: context)
            try context.save()
        } catch {
            print("A bank without values isn't saved: \(error.localizedDescription)")
        }
        for bank in context.insertedObjects where bank is FailedBankInfo && bank.value(forKey: "name") == nil {
            context.delete(bank)
        }
        try context.save()

        let request = NSFetchRequest<FailedBankInfo>(entityName: "FailedBankInfo")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let banks = try context.fetch(request)
        print("Banks by name:")
        for bank in banks {
            print(
                """
                  \(bank.value(forKey: "name") ?? ""), \(bank.value(forKey: "city") ?? ""), zip \
                \(bank.value(forKeyPath: "details.zip") ?? "")
                """
            )
        }
        context.delete(banks[0])
        try context.save()
        let left = try context.count(for: NSFetchRequest<FailedBankDetails>(entityName: "FailedBankDetails"))
        print(
            """
            Deleted \(banks[0].objectID.entity.name ?? "") 1 of \(banks.count) and its details with it: \(left) \
            details left
            """
        )
    }
}
