// SPDX-License-Identifier: Apache-2.0

/// The name and the renaming identifier of an entity or property, which identify it in another version of the model.
struct RenamingKey: Hashable {
    let name: String
    let identifier: String

    init(_ entity: NSEntityDescription) {
        name = entity.name ?? ""
        identifier = entity.renamingIdentifier ?? name
    }

    init(_ property: NSPropertyDescription) {
        name = property.name
        identifier = property.renamingIdentifier ?? name
    }

    /// Finds the source of each destination: by renaming identifier, then by name. Each source is used once. A
    /// destination with a renaming identifier takes precedence over one that only has the old name.
    ///
    /// - Returns: the names of sources by the names of their destinations.
    static func sources(of destinations: [RenamingKey], among sources: [RenamingKey]) -> [String: String] {
        var byIdentifier: [String: [RenamingKey]] = [:]
        for source in sources { byIdentifier[source.identifier, default: []].append(source) }
        var unused = Set(sources.map(\.name))
        var result: [String: String] = [:]

        func assign(_ name: String?, for destination: RenamingKey) {
            guard result[destination.name] == nil, let name, unused.remove(name) != nil else { return }
            result[destination.name] = name
        }
        func assignByIdentifier(_ destination: RenamingKey) {
            let candidates = (byIdentifier[destination.identifier] ?? []).filter { unused.contains($0.name) }
            assign((candidates.first { $0.name == destination.name } ?? candidates.first)?.name, for: destination)
        }

        let renamed = destinations.filter { $0.identifier != $0.name }
        for destination in renamed {
            assignByIdentifier(destination)
            assign(destination.identifier, for: destination)
        }
        for destination in destinations where destination.identifier == destination.name {
            assignByIdentifier(destination)
            assign(destination.name, for: destination)
        }
        for destination in renamed { assign(destination.name, for: destination) }
        return result
    }

    /// A destination that finds its source taken by another one.
    struct Conflict {
        let name: String
        let other: String
        let source: String
    }

    /// The destinations that share the identifier of a source with another destination, which gets the source because
    /// it was renamed. The values of the source can't go to both destinations, and the identifiers don't say to which
    /// one.
    ///
    /// A destination that has the name and the identifier of a source is that source. Other destinations with the
    /// identifier are new.
    ///
    /// - Parameter found: the result of ``sources(of:among:)``.
    static func conflicts(of destinations: [RenamingKey], among sources: [RenamingKey], _ found: [String: String])
        -> [Conflict]
    {
        let takers = Dictionary(found.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return destinations.filter { found[$0.name] == nil }.compactMap { destination in
            let isRenamed = destination.identifier != destination.name
            for source in sources {
                // A new destination may have the first name of one that was renamed before.
                guard isRenamed || source.name == destination.name,
                    source.identifier == destination.identifier || source.name == destination.identifier
                else { continue }
                if let taker = takers[source.name], taker != source.name {
                    return Conflict(name: destination.name, other: taker, source: source.name)
                }
            }
            return nil
        }
    }
}

extension RenamingKey.Conflict {
    /// The problem as a reason and a remedy.
    var reason: String {
        "'\(name)' and '\(other)' share a renaming identifier: both would have the values of '\(source)'"
    }

    var remedy: String {
        "Give the one that is new a different renaming identifier, or write a mapping model."
    }
}

extension NSCompositeAttributeDescription {
    /// The names of the elements of another version of the attribute by the names of the elements.
    package func sourcesOfElements(in former: NSCompositeAttributeDescription) -> [String: String] {
        RenamingKey.sources(of: elements.map { RenamingKey($0) }, among: former.elements.map { RenamingKey($0) })
    }
}
