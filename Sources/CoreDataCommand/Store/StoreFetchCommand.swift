import ArgumentParser
import OpenCoreData

/// `coredata store fetch STORE --entity E`
struct StoreFetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Prints the objects of an entity, and of its subentities.",
        discussion: "table and csv have the columns of the entity; json also has what subentities add. Transient properties are not in a store.")

    @OptionGroup var arguments: StoreArguments

    @Option(help: "The entity whose objects are printed.")
    var entity: String

    @Option(help: ArgumentHelp("Which objects, as NSPredicate(format:) takes it: 'name BEGINSWITH \"A\"'.", valueName: "format"))
    var predicate: String?

    @Option(help: ArgumentHelp("In which order: key paths, each with :desc for descending, with commas between.", valueName: "key[:desc],…"))
    var sort: String?

    @Option(help: ArgumentHelp("At most so many objects.", valueName: "count"))
    var limit: Int?

    @Option(help: "How they are printed: table for people, json and csv for programs.")
    var format: OutputFormat = .table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if let sort { _ = try SortKey.parse(sort) }
        if let predicate { _ = try parsed(predicate) }
    }

    func run() throws {
        let store = try arguments.open()
        let entity = try store.entity(named: entity)
        let request = try request(for: entity)
        let formatter = format.formatter(for: entity, print: StandardStreams.output)
        try store.context.performAndWait {
            for object in try store.context.fetch(request) {
                try formatter.add(ObjectRecord(object))
                // An object that is printed is no longer needed; large stores are printed in little memory.
                store.context.refresh(object, mergeChanges: false)
            }
        }
        try formatter.finish()
    }

    private func request(for entity: NSEntityDescription) throws -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        let keys = KeyPathCheck(entity: entity)
        if let predicate {
            let predicate = try parsed(predicate)
            try keys.check(predicate)
            request.predicate = predicate
        }
        if let sort {
            let sortKeys = try SortKey.parse(sort)
            for key in sortKeys { try keys.checkSortKey(key.keyPath) }
            request.sortDescriptors = sortKeys.map(\.descriptor)
        }
        if let limit { request.fetchLimit = limit }
        return request
    }

    private func parsed(_ format: String) throws -> NSPredicate {
        do {
            return try NSPredicate.parse(format, arguments: [])
        } catch {
            throw ValidationError("The predicate can't be read: \(error)")
        }
    }
}
