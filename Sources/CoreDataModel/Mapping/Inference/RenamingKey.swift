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
}
