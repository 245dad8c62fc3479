// SPDX-License-Identifier: Apache-2.0

/// The stored sections of an earlier fetch. They are valid while the request and the stores' files are the same, and
/// the context has no unsaved changes.
struct SectionCache {
    private let file: SectionCacheFile
    private let request: [String]
    private let stores: [StoreFingerprint]
    private let results: FetchedResults

    /// Nil for results without a cache, and if a change of the stores or of the predicate's result can't be detected.
    init?(_ results: FetchedResults) {
        guard let name = results.cacheName, results.sectionName != nil, results.context.unsavedChanges.isEmpty,
            let stores = Self.fingerprints(results),
            let request = Self.requestDescription(results)
        else { return nil }
        file = SectionCacheFile(name)
        self.request = request
        self.stores = stores
        self.results = results
    }

    /// The stored sections for a number of fetched objects; nil if there are none, or they are not valid.
    func sections(count: Int) -> [FetchedContent.Section]? {
        guard let content = file.read(), content.request == request, content.stores == stores,
            Self.fingerprints(results) == stores
        else { return nil }
        var builder = SectionBuilder(isSectioned: true)
        var remaining = count
        for section in content.sections {
            guard section.count > 0, section.count <= remaining else { return nil }
            remaining -= section.count
            builder.append(section.name, count: section.count)
        }
        return remaining == 0 ? builder.sections : nil
    }

    /// Stores the sections of a content, if it is the current content of the stores.
    func write(_ content: FetchedContent) {
        guard Self.fingerprints(results) == stores, !stores.contains(where: \.isTooRecent), isCurrent(content.objects)
        else { return }
        file.write(
            SectionCacheFile.Content(
                request: request, stores: stores,
                sections: content.sections.map {
                    SectionCacheFile.Content.Section(name: $0.name, count: $0.range.count)
                }))
    }

    // MARK: Validity

    private static func fingerprints(_ results: FetchedResults) -> [StoreFingerprint]? {
        // A pinned context reads an older state than the files have.
        guard results.context.reading.pin.isNone, let coordinator = results.context.persistentStoreCoordinator,
            let layout = try? results.layout()
        else { return nil }
        let stores = coordinator.stores(for: layout, among: results.request.affectedStores)
        let fingerprints = stores.compactMap { coordinator.fingerprint(of: $0) }
        return fingerprints.isEmpty || fingerprints.count < stores.count ? nil : fingerprints
    }

    /// Whether the context has the newest row of each object, and of each object on its section name key path.
    private func isCurrent(_ objects: [NSManagedObject]) -> Bool {
        let keys = KeyPathEvaluation.split(results.sectionName?.keyPath ?? "").dropLast()
        return objects.allSatisfy { object in
            var current = object
            var remainingKeys = keys
            while true {
                if let buffer = current.buffer, let row = current.row, buffer.mayBeSuperseded {
                    do {
                        if try results.context.isSuperseded(row, of: current) { return false }
                    } catch {
                        // Without the cache the sections are computed, which reads the object and throws the error.
                        return false
                    }
                }
                guard let key = remainingKeys.popFirst(), let slot = current.layout.slot(named: key),
                    slot.kind == .toOne, let next = current.destination(slot)
                else { return true }
                current = next
            }
        }
    }

    /// A description of the request that is different for each request; nil if there is none.
    private static func requestDescription(_ results: FetchedResults) -> [String]? {
        let fetch = results.fetchedRequest
        guard let layout = try? results.layout() else { return nil }
        var lines = ["entity \(layout.name)", "hash \(layout.entity.versionHash.base64EncodedString())"]
        lines += [
            "sections \(results.sectionName?.keyPath ?? "")", "locale \(Locale.current.identifier)",
            "program \(executableModificationTime)",
        ]
        lines.append("subentities \(fetch.includesSubentities) limit \(fetch.fetchLimit) offset \(fetch.fetchOffset)")
        if let predicate = fetch.predicate {
            guard isDeterministic(predicate) else { return nil }
            lines.append("where \(PredicateObjects.replacingObjects(predicate).predicateText)")
        }
        for descriptor in fetch.sortDescriptors ?? [] {
            guard !descriptor.needsEvaluation, let key = descriptor.key else { return nil }
            lines.append("by \(key) \(descriptor.ascending) \(descriptor.selector?.name ?? "compare:")")
        }
        return lines
    }

    /// Code can compute section names, so another build of the program can compute different names.
    private static var executableModificationTime: String {
        let file = OperatingSystem.arguments.first.flatMap { OperatingSystem.fileSizeAndDate(at: $0) }
        return file.map { "\($0.modified.timeIntervalSinceReferenceDate)" } ?? ""
    }

    /// Whether a predicate gives the same result each time it is evaluated. Blocks, functions and subqueries may not.
    private static func isDeterministic(_ predicate: NSPredicate) -> Bool {
        switch predicate.kind {
        case .comparison(let comparison):
            isDeterministic(comparison.leftExpression) && isDeterministic(comparison.rightExpression)
        case .compound(_, let parts): parts.allSatisfy(isDeterministic)
        case .constant: true
        case .block: false
        }
    }

    private static func isDeterministic(_ expression: NSExpression) -> Bool {
        switch expression.expressionType {
        case .keyPath, .constantValue, .evaluatedObject: true
        case .aggregate: (expression.collection as? [NSExpression])?.allSatisfy(isDeterministic) ?? false
        default: false
        }
    }
}
