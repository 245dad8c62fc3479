/// The sections that an earlier fetch has formed, as long as they hold: the request and the stores' files are the same,
/// and the context has nothing unsaved.
struct SectionCache {
    private let file: SectionCacheFile
    private let request: [String]
    private let stores: [StoreStamp]
    private let results: FetchedResults

    /// Nil for results that have no cache, or whose stores or predicate don't tell whether anything has changed.
    init?(_ results: FetchedResults) {
        guard let name = results.cacheName, results.sectionName != nil, !results.context.hasChanges,
            let stores = Self.stamps(results),
            let request = Self.request(results)
        else { return nil }
        file = SectionCacheFile(name)
        self.request = request
        self.stores = stores
        self.results = results
    }

    /// The sections for a number of fetched objects, nil if they have to be formed.
    func sections(count: Int) -> [FetchedContent.Section]? {
        guard let content = file.read(), content.request == request, content.stores == stores,
            Self.stamps(results) == stores
        else { return nil }
        var runs = SectionRuns(isDivided: true)
        var rest = count
        for section in content.sections {
            guard section.count > 0, section.count <= rest else { return nil }
            rest -= section.count
            runs.append(section.name, count: section.count)
        }
        return rest == 0 ? runs.sections : nil
    }

    /// Keeps the sections of a content, if they are those of the stores as they are now.
    func write(_ content: FetchedContent) {
        guard Self.stamps(results) == stores, !stores.contains(where: \.isTooYoung), isCurrent(content.objects) else {
            return
        }
        file.write(
            SectionCacheFile.Content(
                request: request, stores: stores,
                sections: content.sections.map {
                    SectionCacheFile.Content.Section(name: $0.name, count: $0.range.count)
                }))
    }

    // MARK: Validity

    private static func stamps(_ results: FetchedResults) -> [StoreStamp]? {
        // The files tell nothing of what a pinned context reads.
        guard results.context.queryPin.isNone, let coordinator = results.context.persistentStoreCoordinator,
            let layout = try? results.layout()
        else { return nil }
        let stores = coordinator.stores(for: layout, among: results.request.affectedStores)
        let stamps = stores.compactMap { coordinator.contentStamp(of: $0) }
        return stamps.isEmpty || stamps.count < stores.count ? nil : stamps
    }

    /// Whether no object, or destination of the section name key path, is older in the context than in the store.
    private func isCurrent(_ objects: [NSManagedObject]) -> Bool {
        let keys = KeyPathWalk.split(results.sectionName?.keyPath ?? "").dropLast()
        return objects.allSatisfy { object in
            var current = object
            var rest = keys
            while true {
                if let buffer = current.buffer, let row = current.row, buffer.mayBeSuperseded {
                    do {
                        if try results.context.isSuperseded(row, of: current) { return false }
                    } catch {
                        // Without the cache the sections are computed, which reads the object and reports the failure.
                        return false
                    }
                }
                guard let key = rest.popFirst(), let slot = current.layout.slot(named: key), slot.kind == .toOne,
                    let next = current.destination(slot)
                else { return true }
                current = next
            }
        }
    }

    /// The request in texts; nil if texts can't tell two apart.
    private static func request(_ results: FetchedResults) -> [String]? {
        let fetch = results.fetched
        guard let layout = try? results.layout() else { return nil }
        var texts = ["entity \(layout.name)", "hash \(layout.entity.versionHash.base64EncodedString())"]
        texts += [
            "sections \(results.sectionName?.keyPath ?? "")", "locale \(Locale.current.identifier)",
            "program \(programTime)",
        ]
        texts.append("subentities \(fetch.includesSubentities) limit \(fetch.fetchLimit) offset \(fetch.fetchOffset)")
        if let predicate = fetch.predicate {
            guard isPlain(predicate) else { return nil }
            texts.append("where \(PredicateObjects.replacingObjects(predicate).predicateText)")
        }
        for descriptor in fetch.sortDescriptors ?? [] {
            guard !descriptor.needsEvaluation, let key = descriptor.key else { return nil }
            texts.append("by \(key) \(descriptor.ascending) \(descriptor.selector?.name ?? "compare:")")
        }
        return texts
    }

    /// Section names may be computed by code: another build of the program may compute others.
    private static var programTime: String {
        let path = CommandLine.arguments.first ?? ""
        let modified = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return modified.map { "\($0.timeIntervalSinceReferenceDate)" } ?? ""
    }

    /// Whether a predicate says the same whenever it is asked: blocks, functions and subqueries may not.
    private static func isPlain(_ predicate: NSPredicate) -> Bool {
        switch predicate.kind {
        case .comparison(let comparison): isPlain(comparison.leftExpression) && isPlain(comparison.rightExpression)
        case .compound(_, let parts): parts.allSatisfy(isPlain)
        case .constant: true
        case .block: false
        }
    }

    private static func isPlain(_ expression: NSExpression) -> Bool {
        switch expression.expressionType {
        case .keyPath, .constantValue, .evaluatedObject: true
        case .aggregate: (expression.collection as? [NSExpression])?.allSatisfy(isPlain) ?? false
        default: false
        }
    }
}
