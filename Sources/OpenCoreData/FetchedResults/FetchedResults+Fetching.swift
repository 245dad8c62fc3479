extension FetchedResults {
    /// Fetches, and forms the sections.
    ///
    /// - Throws: what the fetch throws, and `NSCoreDataError` (134060) for objects that are not sorted by section.
    func performFetch() throws {
        guard let description = request.fetchDescriptionStorage, description.sortDescriptors?.isEmpty == false else {
            Self.refuseUnsorted(request)
        }
        if description.resultType == .countResultType {
            programmingError(
                """
                An NSFetchedResultsController shows results, not their count (entity \
                '\(description.entityName ?? "")').
                """,
                remedy: "Set the request's resultType to .managedObjectResultType, or use count(for:).")
        }
        // What has changed until now is told as a change of the old content.
        context.processChanges()
        let before = (fetched, selection)
        fetched = description
        do {
            show(try fetchedContent(usesCache: true))
        } catch {
            (fetched, selection) = before
            throw error
        }
        observe()
    }

    static func refuseUnsorted(_ request: NSPersistentStoreRequest) -> Never {
        programmingError(
            """
            An instance of NSFetchedResultsController requires a fetch request with sort descriptors (entity \
            '\(request.fetchDescriptionStorage?.entityName ?? "")').
            """,
            remedy: "Set the request's sortDescriptors; where there are sections, the first one sorts by section.")
    }

    /// What the request gives now.
    func fetchedContent(usesCache: Bool) throws -> FetchedContent {
        guard fetched.resultType == .managedObjectResultType else { return try fetchedValues() }
        let cache = usesCache ? SectionCache(self) : nil
        let objects = try context.fetch(objectRequest)
        let layout = try layout()
        let selection = FetchedSelection(fetched, layout: layout, affectedStores: request.affectedStores)
        self.selection = selection
        guard let sectionName else {
            var runs = SectionRuns(isDivided: false)
            runs.append("", count: objects.count)
            return FetchedContent(objects: objects, sections: runs.sections)
        }
        if let sections = cache?.sections(count: objects.count) {
            return FetchedContent(objects: objects, sections: sections)
        }
        let content = FetchedContent(
            objects: objects, sections: Self.sections(objects) { sectionName.name(of: selection.subject($0)) })
        try checkOrder(content)
        cache?.write(content)
        return content
    }

    /// IDs or dictionaries.
    private func fetchedValues() throws -> FetchedContent {
        selection = nil
        let values = try context.fetch(
            NSFetchRequest<any NSFetchRequestResult>(fetchDescription: fetched).sending(to: request.affectedStores))
        guard let sectionName else {
            var runs = SectionRuns(isDivided: false)
            runs.append("", count: values.count)
            return FetchedContent(objects: [], values: values, sections: runs.sections)
        }
        let content = FetchedContent(
            objects: [], values: values, sections: Self.sections(values, name: sectionName.name))
        try checkOrder(content)
        return content
    }

    private var objectRequest: NSFetchRequest<NSManagedObject> {
        NSFetchRequest<NSManagedObject>(fetchDescription: fetched).sending(to: request.affectedStores)
    }

    func layout() throws -> EntityLayout {
        guard let layout = try context.requireCoordinator().layouts.byName[fetched.entityName ?? ""] else {
            programmingError(
                "The entity of an NSFetchedResultsController is not in its context's model.",
                remedy: "Give the entity's name.")
        }
        return layout
    }

    private static func sections<Result>(_ results: [Result], name: (Result) -> String) -> [FetchedContent.Section] {
        var runs = SectionRuns(isDivided: true)
        for result in results { runs.append(name(result), count: 1) }
        return runs.sections
    }

    /// Every section must be in one piece.
    private func checkOrder(_ content: FetchedContent) throws {
        if let error = orderError(content) { throw error }
    }

    func orderError(_ content: FetchedContent) -> NSError? {
        guard let sectionName, let section = SectionRuns.firstRepeated(content.sections) else { return nil }
        let first = fetched.sortDescriptors?.first
        let reason =
            """
            The fetched object at index \(section.range.lowerBound) has an out of order section name \
            '\(section.name)'. Objects must be sorted by section name
            """
        return NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [
                "reason": reason,
                NSLocalizedDescriptionKey: """
                \(reason): the sections of entity '\(fetched.entityName ?? "")' are named by \
                '\(sectionName.keyPath)', but the objects are sorted first by \
                '\(first?.key ?? "\(first.map { "\($0)" } ?? "")")'. Let the first sort descriptor sort by \
                '\(sectionName.keyPath)', or by a key that gives the same order of sections.
                """,
            ])
    }
}

extension NSFetchRequest {
    fileprivate func sending(to stores: [NSPersistentStore]?) -> Self {
        affectedStores = stores
        return self
    }
}
