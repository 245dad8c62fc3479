// SPDX-License-Identifier: Apache-2.0

extension FetchedResults {
    /// Fetches and forms the sections.
    ///
    /// - Throws: the errors of the fetch, and `NSCoreDataError` (134060) if the objects are not sorted by section.
    func performFetch() throws {
        context.resolveEntity(of: request)
        guard let description = request.fetchDescriptionStorage, description.sortDescriptors != nil else {
            Self.stopForMissingSortDescriptors(request)
        }
        if description.resultType == .countResultType {
            programmingError(
                """
                An NSFetchedResultsController can't use a request for a count (entity \
                '\(description.entityName ?? "")').
                """,
                remedy: "Set the request's resultType to .managedObjectResultType, or use count(for:).")
        }
        // Earlier changes are reported as changes of the old content.
        context.processChanges()
        let previous = (fetchedRequest, criteria)
        fetchedRequest = description
        do {
            setContent(try fetchContent(usesCache: true))
        } catch {
            (fetchedRequest, criteria) = previous
            throw error
        }
        observeContext()
    }

    static func stopForMissingSortDescriptors(_ request: NSPersistentStoreRequest) -> Never {
        programmingError(
            """
            An instance of NSFetchedResultsController requires a fetch request with sort descriptors (entity \
            '\(request.fetchDescriptionStorage?.entityName ?? "")').
            """,
            remedy: """
                Set the request's sortDescriptors, to an empty array for no particular order. With a section name key \
                path, the first descriptor must sort by section.
                """)
    }

    /// Fetches the current results of the request.
    func fetchContent(usesCache: Bool) throws -> FetchedContent {
        guard fetchedRequest.resultType == .managedObjectResultType else { return try fetchValues() }
        let cache = usesCache ? SectionCache(self) : nil
        var objects = try context.fetch(objectRequest)
        let layout = try layout()
        let criteria = FetchedResultsCriteria(fetchedRequest, layout: layout, affectedStores: request.affectedStores)
        self.criteria = criteria
        // Changes are merged by position, so results without sort descriptors need an order too.
        if criteria.sortKeys.isEmpty { objects = criteria.sorted(objects) }
        guard let sectionName else {
            var builder = SectionBuilder(isSectioned: false)
            builder.append("", count: objects.count)
            return FetchedContent(objects: objects, sections: builder.sections)
        }
        if let sections = cache?.sections(count: objects.count) {
            return FetchedContent(objects: objects, sections: sections)
        }
        let content = FetchedContent(
            objects: objects,
            sections: Self.sections(objects) { sectionName.name(of: criteria.evaluationTarget(for: $0)) })
        try checkSectionOrder(content)
        cache?.write(content)
        return content
    }

    /// Fetches IDs or dictionaries.
    private func fetchValues() throws -> FetchedContent {
        criteria = nil
        let values = try context.fetch(
            NSFetchRequest<any NSFetchRequestResult>(fetchDescription: fetchedRequest)
                .withAffectedStores(request.affectedStores))
        guard let sectionName else {
            var builder = SectionBuilder(isSectioned: false)
            builder.append("", count: values.count)
            return FetchedContent(objects: [], values: values, sections: builder.sections)
        }
        let content = FetchedContent(
            objects: [], values: values, sections: Self.sections(values, name: sectionName.name))
        try checkSectionOrder(content)
        return content
    }

    private var objectRequest: NSFetchRequest<NSManagedObject> {
        NSFetchRequest<NSManagedObject>(fetchDescription: fetchedRequest).withAffectedStores(request.affectedStores)
    }

    func layout() throws -> EntityLayout {
        guard let layout = try context.requireCoordinator().layouts.byName[fetchedRequest.entityName ?? ""] else {
            programmingError(
                """
                The entity '\(fetchedRequest.entityName ?? "")' of an NSFetchedResultsController is not in the model \
                of its context's coordinator.
                """,
                remedy: "Make the request with the name of an entity of that model.")
        }
        return layout
    }

    private static func sections<Result>(_ results: [Result], name: (Result) -> String) -> [FetchedContent.Section] {
        var builder = SectionBuilder(isSectioned: true)
        for result in results { builder.append(name(result), count: 1) }
        return builder.sections
    }

    private func checkSectionOrder(_ content: FetchedContent) throws {
        if let error = sectionOrderError(content) { throw error }
    }

    /// The error for results of one section that are not adjacent. Nil if all are.
    func sectionOrderError(_ content: FetchedContent) -> NSError? {
        guard let sectionName, let section = SectionBuilder.firstDuplicate(content.sections) else { return nil }
        let first = fetchedRequest.sortDescriptors?.first
        let reason =
            """
            The fetched object at index \(section.range.lowerBound) has an out of order section name \
            '\(section.name)'. Objects must be sorted by section name
            """
        return CoreDataErrors.error(
            NSCoreDataError,
            message: """
                \(reason): the sections of entity '\(fetchedRequest.entityName ?? "")' are named by \
                '\(sectionName.keyPath)', but the objects are sorted first by \
                '\(first?.key ?? "\(first.map { "\($0)" } ?? "")")'. Let the first sort descriptor sort by \
                '\(sectionName.keyPath)', or by a key that gives the same order of sections.
                """,
            reason: reason, userInfo: ["reason": reason])
    }
}

extension NSFetchRequest {
    fileprivate func withAffectedStores(_ stores: [NSPersistentStore]?) -> Self {
        affectedStores = stores
        return self
    }
}
