// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension MigrationRouteSearch {
    /// A mapping model that a route doesn't use.
    package struct UnusedMapping {
        package let mapping: MigrationRoute.KnownMapping
        /// Why: a sentence without its subject, which is the mapping model.
        package let reason: String

        /// "The mapping model M isn't used: it leads from …".
        package var text: String { "The mapping model \(mapping.name) isn\u{2019}t used: it \(reason)." }
    }

    /// The mapping models that a route doesn't use.
    ///
    /// - Parameter route: nil if there is none.
    package func unused(by route: MigrationRoute?) -> [UnusedMapping] {
        mappings.filter { route?.uses($0) != true }.map { UnusedMapping(mapping: $0, reason: reason(for: $0, route)) }
    }

    private func reason(for mapping: MigrationRoute.KnownMapping, _ route: MigrationRoute?) -> String {
        if mapping.model.entityMappings.isEmpty { return "has no entity mapping" }
        let own = edges.filter { $0.mapping.model === mapping.model }
        if let route, let other = other(for: own, in: route) {
            return "is for the same step as \(other.name)"
        }
        if let edge = own.first {
            return "leads from \(name(of: edge.from)) to \(name(of: edge.to)), which is no part of the way"
        }
        let begin = side("begins with", { mapping.model.entitiesUnlike(source: $0) })
        let end = side("ends with", { mapping.model.entitiesUnlike(destination: $0) })
        return [begin, end].joined(separator: ", and ")
    }

    /// The mapping model that a route uses for the same step.
    private func other(for own: [Edge], in route: MigrationRoute) -> MigrationRoute.KnownMapping? {
        route.mappings.first { used in
            edges.contains { edge in
                edge.mapping.model === used.model && own.contains { $0.from == edge.from && $0.to == edge.to }
            }
        }
    }

    /// A version at one end of a mapping model, or what is most like it.
    private func side(_ verb: String, _ unlike: ([String: Data]) -> [String]) -> String {
        let found = nodes.indices.map { (node: $0, entities: unlike(nodes[$0].hashes)) }
            .min { $0.entities.count < $1.entities.count }
        guard let found else { return "" }
        if found.entities.isEmpty { return "\(verb) \(name(of: found.node))" }
        let names = found.entities.prefix(5).joined(separator: ", ") + (found.entities.count > 5 ? ", \u{2026}" : "")
        return "\(verb) no version that is known here (\(name(of: found.node)) differs in \(names))"
    }

    private func name(of node: Int) -> String {
        nodes[node].version?.text ?? (node == 0 ? "the store\u{2019}s version" : "the model")
    }
}
