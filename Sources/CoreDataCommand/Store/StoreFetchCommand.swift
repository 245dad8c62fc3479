import ArgumentParser
import OpenCoreData

/// `coredata store fetch STORE --entity E`
struct StoreFetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Prints the objects of an entity and its subentities, or values computed from them.",
        discussion: """
            table and csv have the columns of the entity. json also has the properties of subentities. Transient
            properties are not in a store.

            Values that the store has lost are warnings on standard error, with entity, attribute and primary key
            (Z_PK): values whose external file is missing, and values of another storage class than the attribute's.
            The exit code is 2 then, and the output is complete. With --fetch, the attributes in the key paths are
            checked, for all objects that --predicate selects.

            Examples:
              --fetch 'name,albums.@count'          one row for each object
              --fetch 'n=count:(SELF),max:(year)'   one row for all objects
              --fetch 'artist.name,n=count:(SELF)' --group-by artist.name --having 'n > 1' --sort n:desc
                                                    one row for each artist
            """)

    @OptionGroup var arguments: StoreArguments

    @Option(help: "The entity of the objects.")
    var entity: String

    @Option(
        help: ArgumentHelp(
            "The format string of a predicate for the objects: 'name BEGINSWITH \"A\"', 'added >= \"2026-11-17\"'.",
            valueName: "format"))
    var predicate: String?

    @Option(help: ArgumentHelp("The object with this ID.", valueName: "Entity/p1"))
    var id: String?

    @Option(
        help: ArgumentHelp(
            "The objects at the other end of a relationship of one object.", valueName: "Entity/p1/relationship"))
    var relatedTo: String?

    @Option(
        help: ArgumentHelp(
            "Values to print instead of objects: key paths and expressions, separated by commas.",
            valueName: "[name=]expression,…"))
    var fetch: String?

    @Option(
        help: ArgumentHelp(
            "One row for objects with equal values: key paths, expressions, or names of --fetch.",
            valueName: "expression,…"))
    var groupBy: String?

    @Option(
        help: ArgumentHelp("A predicate for the groups, on aggregates and names of --fetch.", valueName: "format"))
    var having: String?

    @Flag(help: "Print equal rows once.")
    var distinct = false

    @Option(
        help: ArgumentHelp(
            """
            The order: key paths or names of --fetch, separated by commas, with :desc for descending order. 'self' is \
            the primary key.
            """,
            valueName: "key[:desc],…"))
    var sort: String?

    @Option(help: ArgumentHelp("The maximum number of objects or rows.", valueName: "count"))
    var limit: Int?

    @Option(help: "The output format.")
    var format: OutputFormat = .table

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if let sort { _ = try SortKey.parse(sort) }
        if let predicate { _ = try parsed(predicate) }
        if let fetch { _ = try FetchColumn.parse(fetch) }
        if let groupBy { _ = try FetchColumn.parse(groupBy) }
        if let having { _ = try parsed(having) }
        if fetch == nil, groupBy != nil || having != nil || distinct {
            throw ValidationError(
                "--group-by, --having and --distinct need --fetch with the values to print.")
        }
        if having != nil && groupBy == nil {
            throw ValidationError("--having needs --group-by. Use --predicate to select objects.")
        }
    }

    /// The exit code after complete output with values that the store has lost.
    private static let hasLostValues = ExitCode(2)

    func run() throws {
        let store = try arguments.open()
        let entity = try store.entity(named: entity)
        var report = LostValueReport(store: store)
        if let fetch {
            try printValues(FetchColumn.parse(fetch), of: entity, in: store, &report)
        } else {
            try printObjects(of: entity, in: store, &report)
        }
        guard report.count > 0 else { return }
        try StandardStreams.flush()
        StandardStreams.error(report.summary)
        throw Self.hasLostValues
    }

    // MARK: Objects

    private func printObjects(
        of entity: NSEntityDescription, in store: ReadOnlyStore, _ report: inout LostValueReport
    ) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        try restrict(request, entity, in: store)
        for key in try sort.map(SortKey.parse) ?? [] where key.keyPath != "self" {
            try KeyPathCheck(entity: entity).checkSortKey(key.keyPath)
        }
        let formatter = format.formatter(
            columns: OutputRecord.columns(of: entity), noun: "object", print: StandardStreams.output)
        let problems = try report.problems(of: entity)
        try store.context.performAndWait {
            for object in try store.context.fetch(request) {
                try formatter.add(OutputRecord(object))
                report.add(problems[object.objectID.key] ?? [])
                // A printed object becomes a fault, so that large stores need little memory.
                store.context.refresh(object, mergeChanges: false)
            }
        }
        try formatter.finish()
    }

    // MARK: Values

    private func printValues(
        _ columns: [FetchColumn], of entity: NSEntityDescription, in store: ReadOnlyStore,
        _ report: inout LostValueReport
    ) throws {
        let request = NSFetchRequest<NSDictionary>(entityName: entity.name ?? "")
        try restrict(request, entity, in: store)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = columns.map(\.description)
        // The text is the name of a column, or else the expression.
        request.propertiesToGroupBy = try groupBy.map(FetchColumn.parse)?.map { group -> Any in
            if group.expression.expressionType == .keyPath || columns.contains(where: { $0.name == group.text }) {
                return group.text
            }
            return group.description
        }
        request.havingPredicate = try having.map(parsed)
        request.returnsDistinctResults = distinct
        let formatter = format.formatter(columns: columns.map(\.name), noun: "row", print: StandardStreams.output)
        let results = try store.context.performAndWait { try store.context.fetch(request) }
        for result in results {
            try formatter.add(OutputRecord(cells: columns.map { ($0.name, $0.cell(in: result, of: entity)) }))
        }
        try formatter.finish()
        let used = try columns + (groupBy.map(FetchColumn.parse) ?? [])
        try report.add(
            keyPaths: used.flatMap { KeyPathCheck.keyPaths(in: $0.expression) }, of: entity,
            selectedBy: request.predicate)
    }

    // MARK: Both

    private func restrict<Result>(
        _ request: NSFetchRequest<Result>, _ entity: NSEntityDescription, in store: ReadOnlyStore
    ) throws {
        var conditions: [NSPredicate] = []
        if let id {
            guard let objectID = try store.objectID(id) else {
                throw CommandError("'\(id)' is no ID of an object of the store. Use Entity/p1.")
            }
            conditions.append(NSPredicate(format: "SELF == %@", argumentArray: [objectID]))
        }
        if let relatedTo { conditions.append(try RelatedObjects(relatedTo, in: store).predicate) }
        if let predicate {
            let predicate = try parsed(predicate)
            try KeyPathCheck(entity: entity).check(predicate)
            conditions.append(try DateConstants(entity: entity).read(predicate))
        }
        if !conditions.isEmpty {
            request.predicate =
                conditions.count == 1 ? conditions[0] : NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
        }
        request.sortDescriptors = try sort.map(SortKey.parse)?.map(\.descriptor)
        if let limit { request.fetchLimit = limit }
    }

    private func parsed(_ format: String) throws -> NSPredicate {
        do {
            return try NSPredicate.parse(format, arguments: [])
        } catch {
            throw ValidationError("The predicate is invalid: \(error)")
        }
    }
}
