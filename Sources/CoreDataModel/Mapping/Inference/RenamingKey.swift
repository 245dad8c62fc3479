/// By what an entity or a property is found again in another version of the model.
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

    /// Finds the source of each destination: by the renaming identifier, then by the name. A source is used once, and a
    /// destination that was renamed by its identifier comes before one that merely has the old name.
    ///
    /// - Returns: names of sources by the names of their destinations.
    static func sources(of destinations: [RenamingKey], among sources: [RenamingKey]) -> [String: String] {
        var byIdentifier: [String: [RenamingKey]] = [:]
        for source in sources { byIdentifier[source.identifier, default: []].append(source) }
        var unused = Set(sources.map(\.name))
        var result: [String: String] = [:]

        func take(_ name: String?, for destination: RenamingKey) {
            guard result[destination.name] == nil, let name, unused.remove(name) != nil else { return }
            result[destination.name] = name
        }
        func takeByIdentifier(_ destination: RenamingKey) {
            let candidates = (byIdentifier[destination.identifier] ?? []).filter { unused.contains($0.name) }
            take((candidates.first { $0.name == destination.name } ?? candidates.first)?.name, for: destination)
        }

        let renamed = destinations.filter { $0.identifier != $0.name }
        for destination in renamed {
            takeByIdentifier(destination)
            take(destination.identifier, for: destination)
        }
        for destination in destinations where destination.identifier == destination.name {
            takeByIdentifier(destination)
            take(destination.name, for: destination)
        }
        for destination in renamed { take(destination.name, for: destination) }
        return result
    }
}
