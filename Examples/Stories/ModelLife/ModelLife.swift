import CoreData

/// Finds, merges, uses and changes a model, with a fetch request template, localized names, and an entity made in code.
struct ModelLife {
    static func run(in folder: URL) throws {
        try loading()
        try renaming(in: folder)
        try publications(in: folder)
        try changing(in: folder)
        try runs(in: folder)
    }

    /// The folder of the model as a bundle.
    static let models = StoryModels("ModelLife").url

    static func loadModel(at url: URL = models.appendingPathComponent("Publications.xcdatamodel")) throws
        -> NSManagedObjectModel
    {
        guard let model = NSManagedObjectModel(contentsOf: url) else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        return model
    }

    static func loading() throws {
        let model = try loadModel()
        print(
            """
            Loaded by URL: \(model.entitiesByName.keys.sorted().joined(separator: " and ")), version \
            \(identifiers(model))
            """
        )
        let merged = Bundle(url: models).flatMap { NSManagedObjectModel.mergedModel(from: [$0]) }
        print(
            """
            Merged from the models of a bundle: the same hashes? \
            \(merged?.entityVersionHashesByName == model.entityVersionHashesByName)
            """
        )
    }

    /// The first common mistake: a model was renamed and changed, and the old model is still in the program's folder.
    static func renaming(in folder: URL) throws {
        let place = folder.appendingPathComponent("Renamed")
        try FileManager.default.copyItem(at: models, to: place)
        let old = place.appendingPathComponent("Publications.xcdatamodel")
        let new = place.appendingPathComponent("Library.xcdatamodel")
        try FileManager.default.copyItem(at: old, to: new)
        let contents = new.appendingPathComponent("contents")
        let text = try String(contentsOf: contents, encoding: .utf8)
        try Data(
            text.replacingOccurrences(
                of: "name=\"title\" attributeType", with: "name=\"title\" optional=\"YES\" attributeType"
            ).utf8
        ).write(to: contents)
        guard let bundle = Bundle(url: place) else { return }
        print("Renamed to Library, changed, and the old one left beside it:")
        let refused = NSManagedObjectModel.mergedModel(from: [bundle]) == nil
        try FileManager.default.removeItem(at: old)
        let mended = NSManagedObjectModel.mergedModel(from: [Bundle(path: place.path) ?? bundle]) != nil
        print(
            """
              merging \(refused ? "fails" : "succeeds"), as standard error says; without the old one it \
            \(mended ? "succeeds" : "fails")
            """
        )
    }

    static func publications(in folder: URL) throws {
        let context = try stack(try loadModel(), at: folder.appendingPathComponent("Publications.sqlite"))
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Lovelace", forKey: "lastName")
            do {
                try context.save()
            } catch {
                print("Saving an author without first name: \(error.localizedDescription)")
            }
            author.setValue("Ada", forKey: "firstName")
            for (title, year) in [("Notes", 1843.0), ("Letters", 1835.0)] {
                let publication = NSEntityDescription.insertNewObject(forEntityName: "Publication", into: context)
                publication.setValue(title, forKey: "title")
                publication.setValue(
                    Date(timeIntervalSinceReferenceDate: (year - 2001) * 365.25 * 86400), forKey: "publicationDate")
                publication.setValue(author, forKey: "mainAuthor")
            }
            try context.save()
            // The coordinator of the context has the model, and so has the entity of each object.
            guard let model = context.persistentStoreCoordinator?.managedObjectModel else { return }
            print(
                "The entity of an object knows the coordinator's model: \(author.entity.managedObjectModel === model)")
            try templates(model, context)
        }
    }

    static func templates(_ model: NSManagedObjectModel, _ context: NSManagedObjectContext) throws {
        let variables: [String: Any] = [
            "FIRST_NAME": "ada", "LAST_NAME": "l*",
            "DATE": Date(timeIntervalSinceReferenceDate: (1840 - 2001) * 365.25 * 86400),
        ]
        guard
            let request = model.fetchRequestFromTemplate(
                withName: "publicationsByAuthor", substitutionVariables: variables)
        else { return }
        let found = try context.fetch(request).compactMap {
            ($0 as? NSManagedObject)?.value(forKey: "title") as? String
        }
        print("The template \"publicationsByAuthor\" with ada, l* and 1840 finds: \(found.joined(separator: ", "))")
        // The model is in use, so a change of the template would stop the program. A copy may be changed.
        let copy =
            model.fetchRequestTemplate(forName: "publicationsByAuthor")?.copy()
            as? NSFetchRequest<any NSFetchRequestResult>
        copy?.predicate = nil
        copy?.fetchLimit = 1
        print(
            "A copy of it without predicate and with limit 1 finds \(try copy.map { try context.fetch($0).count } ?? 0)"
        )
    }

    /// The second common mistake: opening a store of an older model. Only changes of the version hashes matter.
    static func changing(in folder: URL) throws {
        let url = folder.appendingPathComponent("Publications.sqlite")
        let ruled = try loadModel()
        let title = ruled.entitiesByName["Publication"]?.attributesByName["title"]
        title?.setValidationPredicates(
            [NSPredicate(format: "length <= 200")], withValidationWarnings: ["Title too long"])
        title?.defaultValue = "Untitled"
        _ = try stack(ruled, at: url)
        print("A new rule and a new default value: the old store opens")
        let grown = try loadModel()
        let pages = NSAttributeDescription()
        pages.name = "pages"
        pages.attributeType = .integer32AttributeType
        grown.entitiesByName["Publication"]?.properties.append(pages)
        do {
            _ = try stack(grown, at: url)
        } catch let error as NSError {
            print("A new attribute: error \(error.code), \(error.localizedDescription)")
        }
    }

    static func runs(in folder: URL) throws {
        let context = try stack(Run.model(), at: folder.appendingPathComponent("Runs.sqlite"))
        try context.performAndWait {
            let run = Run(context: context)
            run.date = Date()
            run.processID = -1
            do {
                try context.save()
            } catch {
                print("A run with process ID -1: \(error.localizedDescription)")
            }
            run.processID = 42
            try context.save()
            let runs = try context.fetch(NSFetchRequest<Run>(entityName: "Run"))
            print("Saved \(runs.count) run, with process ID \(runs.first?.processID ?? 0)")
        }
    }

    static func stack(_ model: NSManagedObjectModel, at url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func identifiers(_ model: NSManagedObjectModel) -> String {
        model.versionIdentifiers.map { "\"\($0)\"" }.sorted().joined(separator: ", ")
    }
}
