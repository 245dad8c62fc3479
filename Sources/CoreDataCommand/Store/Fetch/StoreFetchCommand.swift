// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store fetch STORE --entity E`
struct StoreFetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Prints the objects of an entity and its subentities, or values computed from them.",
        discussion: """
            table and csv have the columns of the entity. json and jsonl (a line for each object) also have the \
            properties of subentities. Transient properties are not in a store. On a terminal the columns of a table \
            are cut to its width; --vertical prints a line for each value, and cuts nothing.

            Rows are printed as they are read, so that large stores need little memory. Only an order other than that \
            of the primary key, and groups, are complete in memory first.

            Values that the store has lost are warnings on standard error, with entity, attribute and primary key \
            (Z_PK): values whose external file is missing, and values of another storage class than the attribute's. \
            The exit code is 2 then, and the output is complete. With --fetch, the attributes in the key paths are \
            checked, for all objects that --predicate selects.

            Examples:
              --predicate 'year > 1990' --count     the number of objects
              --fetch 'name,albums.@count'          one row for each object
              --fetch 'n=count:(SELF),max:(year)'   one row for all objects
              --fetch 'artist.name,n=count:(SELF)' --group-by artist.name \\
                --having 'n > 1' --sort n:desc      one row for each artist
            """)

    @OptionGroup var arguments: StoreArguments

    @Option(
        help: """
            The entity of the objects. --id and --related-to name it too. Without any of them, the entities of the \
            store are told.
            """, completion: .entities)
    var entity: String?

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

    @Option(help: ArgumentHelp("The number of objects or rows to leave out at the beginning.", valueName: "count"))
    var offset = 0

    @Flag(help: "Print the number of objects or rows alone.")
    var count = false

    @Flag(help: "Print the SQL of the fetch in place of its rows, with SQLite's plan: which indexes it uses.")
    var explain = false

    @Flag(help: "Print a line for each value of a table, and the whole value.")
    var vertical = false

    @Option(help: "The output format.")
    var format: OutputFormat = .table

    @Flag(help: "With csv: an apostrophe before texts that a spreadsheet would take for formulas (=, +, -, @).")
    var escapeFormulas = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if offset < 0 { throw ValidationError("--offset must be 0 or more.") }
        if vertical, format != .table {
            throw ValidationError("--vertical is a form of tables. Leave it out with --format \(format.rawValue).")
        }
        if vertical, count { throw ValidationError("--count prints a number alone. Leave --vertical out.") }
        if escapeFormulas, format != .csv {
            throw ValidationError("--escape-formulas is for --format csv.")
        }
        if explain, count || vertical {
            throw ValidationError("--explain prints the SQL of the rows. Leave --count and --vertical out.")
        }
        if explain, format == .csv || format == .jsonl {
            throw ValidationError("--explain prints text, or JSON with --format json.")
        }
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
        guard entity ?? id ?? relatedTo != nil else {
            throw MissingEntity.error(in: arguments.store, modelPath: arguments.model?.text)
        }
        let store = try arguments.open()
        try fetch(namedEntity(in: store), in: store)
    }

    /// The entity of the objects, which an ID names too.
    private func namedEntity(in store: ReadOnlyStore) throws -> NSEntityDescription {
        if let entity { return try store.entity(named: entity) }
        if let id { return try objectID(id, in: store).entity }
        guard let relatedTo, let entity = try RelatedObjects(relatedTo, in: store).relationship.destinationEntity else {
            throw MissingEntity.error(in: arguments.store, modelPath: arguments.model?.text)
        }
        return entity
    }

    private func objectID(_ text: String, in store: ReadOnlyStore) throws -> NSManagedObjectID {
        guard let objectID = store.objectID(text) else {
            throw CommandError("'\(text)' is no ID of an object of the store. Use Entity/p1.")
        }
        return objectID
    }

    private func fetch(_ entity: NSEntityDescription, in store: ReadOnlyStore) throws {
        if count { return try printCount(of: entity, in: store) }
        if explain { return try printStatements(of: entity, in: store) }
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
        let pages = FetchPages(
            store: store, entity: entity, predicate: try conditions(entity, in: store), sortKeys: try sortKeys(entity),
            offset: offset, limit: limit)
        let formatter = formatter(columns: ObjectRecords.columns(of: entity), noun: "object")
        let bar = ProgressBar("reading the store")
        defer { bar.clear() }
        var records = ObjectRecords()
        var count = 0
        try pages.objects { objects in
            // The problems are looked up page by page, so that the first page needn't wait for all of them.
            let problems = try report.problems(of: entity, keys: objects.map(\.objectID.key))
            for object in objects {
                try formatter.add(records.record(of: object))
                report.add(problems[object.objectID.key] ?? [])
            }
            count += objects.count
            try finishPage(formatter, bar, count)
        }
        bar.clear()
        try formatter.finish()
    }

    private func sortKeys(_ entity: NSEntityDescription) throws -> [SortKey] {
        let keys = try sort.map(SortKey.parse) ?? []
        for key in keys where key.keyPath != "self" { try KeyPathCheck(entity: entity).checkSortKey(key.keyPath) }
        return keys
    }

    // MARK: Values

    private func printValues(
        _ columns: [FetchColumn], of entity: NSEntityDescription, in store: ReadOnlyStore,
        _ report: inout LostValueReport
    ) throws {
        let formatter = formatter(columns: columns.map(\.name), noun: "row")
        let bar = ProgressBar("reading the store")
        defer { bar.clear() }
        let attributes = columns.map { $0.attribute(of: entity) }
        var count = 0
        func add(_ rows: [NSDictionary]) throws {
            for row in rows {
                let cells = zip(columns, attributes).map { ($0.name, $0.cell(in: row, as: $1)) }
                try formatter.add(OutputRecord(cells: cells))
            }
            count += rows.count
            try finishPage(formatter, bar, count)
        }
        let predicate = try conditions(entity, in: store)
        if groupBy == nil, !distinct, sort == nil, !store.isInMemory,
            columns.allSatisfy({ $0.isOfEachObject(of: entity) })
        {
            let pages = FetchPages(
                store: store, entity: entity, predicate: predicate, sortKeys: [], offset: offset, limit: limit)
            try pages.rows(of: columns, add)
        } else {
            let request = try valuesRequest(columns, of: entity, in: store)
            try add(store.context.performSynchronously { try store.context.fetch(request) })
        }
        bar.clear()
        try formatter.finish()
        let used = try columns + (groupBy.map(FetchColumn.parse) ?? [])
        try report.add(
            keyPaths: used.flatMap { KeyPathCheck.keyPaths(in: $0.expression) }, of: entity, selectedBy: predicate)
    }

    private func valuesRequest(
        _ columns: [FetchColumn], of entity: NSEntityDescription, in store: ReadOnlyStore
    ) throws -> NSFetchRequest<NSDictionary> {
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
        return request
    }

    // MARK: Both

    private func printCount(of entity: NSEntityDescription, in store: ReadOnlyStore) throws {
        let number: Int
        if let fetch {
            let request = try valuesRequest(FetchColumn.parse(fetch), of: entity, in: store)
            number = try store.context.performSynchronously { try store.context.count(for: request) }
        } else {
            _ = try sortKeys(entity)
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            try restrict(request, entity, in: store)
            request.sortDescriptors = nil
            number = try store.context.performSynchronously { try store.context.count(for: request) }
        }
        guard format != .table else { return try StandardStreams.output("\(number)") }
        let formatter = formatter(columns: ["count"], noun: "row")
        try formatter.add(OutputRecord(cells: [("count", .integer(Int64(number)))]))
        try formatter.finish()
    }

    private func printStatements(of entity: NSEntityDescription, in store: ReadOnlyStore) throws {
        if let fetch {
            let request = try valuesRequest(FetchColumn.parse(fetch), of: entity, in: store)
            return try FetchStatements(store) { try store.context.fetch(request) }.print(format)
        }
        _ = try sortKeys(entity)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        try restrict(request, entity, in: store)
        try FetchStatements(store) { try store.context.fetch(request) }.print(format)
    }

    private func formatter(columns: [String], noun: String) -> any RecordFormatter {
        format.formatter(
            columns: columns, noun: noun, isVertical: vertical, escapesFormulas: escapeFormulas,
            width: StandardStreams.outputWidth,
            print: StandardStreams.output)
    }

    /// Prints the page now: a reader such as `head` may need no more.
    private func finishPage(_ formatter: any RecordFormatter, _ bar: ProgressBar, _ count: Int) throws {
        // Rows on the terminal show by themselves how far the work is.
        if StandardStreams.outputWidth == nil { bar.show(text: "\(count) rows") } else { bar.clear() }
        try formatter.finishPage()
        try StandardStreams.flush()
    }

    private func restrict<Result>(
        _ request: NSFetchRequest<Result>, _ entity: NSEntityDescription, in store: ReadOnlyStore
    ) throws {
        request.predicate = try conditions(entity, in: store)
        request.sortDescriptors = try sort.map(SortKey.parse)?.map(\.descriptor)
        (request.fetchLimit, request.fetchOffset) = (limit ?? 0, offset)
    }

    /// The predicate of all arguments; nil for all objects.
    private func conditions(_ entity: NSEntityDescription, in store: ReadOnlyStore) throws -> NSPredicate? {
        var conditions: [NSPredicate] = []
        if let id {
            conditions.append(NSPredicate(format: "SELF == %@", argumentArray: [try objectID(id, in: store)]))
        }
        if let relatedTo { conditions.append(try RelatedObjects(relatedTo, in: store).predicate) }
        if let predicate {
            let predicate = try parsed(predicate)
            try KeyPathCheck(entity: entity).check(predicate)
            conditions.append(try DateConstants(entity: entity).read(predicate))
        }
        guard conditions.count > 1 else { return conditions.first }
        return NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    }

    private func parsed(_ format: String) throws -> NSPredicate {
        do {
            return try NSPredicate.parse(format, arguments: [])
        } catch {
            throw ValidationError("The predicate is invalid: \(error)")
        }
    }
}
