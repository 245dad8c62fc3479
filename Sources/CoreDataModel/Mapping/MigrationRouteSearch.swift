// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Finds the path from one version of a model to another.
///
/// Mapping models take precedence over inference: an inferred step doesn't skip a mapping model, if there is another
/// path. Among such paths the shortest is taken. A mapping model counts if it leads from an older version to a newer
/// version, and both versions are between the source and the destination. In a migration back to an older version, a
/// mapping model must lead from a newer version to an older version.
package struct MigrationRouteSearch {
    /// A version that a route may pass.
    struct Node {
        /// Nil for the source and the destination.
        let version: ModelVersion?
        let hashes: [String: Data]
        let known: NSManagedObjectModel?
        /// The place among the versions, from the older to the newer one.
        let place: Int

        /// The model; nil if it can't be read.
        var model: NSManagedObjectModel? { known ?? (try? version?.model()) }
    }

    /// A step with a mapping model, from one node to another.
    struct Edge {
        let from: Int
        let to: Int
        let mapping: MigrationRoute.KnownMapping
    }

    /// The source, the versions in their order, and the destination.
    let nodes: [Node]
    let mappings: [MigrationRoute.KnownMapping]
    /// The steps that mapping models make possible, in the order of the mapping models.
    let edges: [Edge]

    private let inferences = Inferences()

    private var last: Int { nodes.count - 1 }

    /// The pairs of nodes between which a mapping model was sought to be inferred, and whether it can be.
    private final class Inferences {
        var results: [[Int]: Bool] = [:]
    }

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - source: the model that made the store.
    ///   - destination: the model to migrate to.
    ///   - versions: the versions that a route may pass, the older ones first.
    ///   - mappings: the mapping models that a step may use.
    package init(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, through versions: [ModelVersion] = [],
        _ mappings: [MigrationRoute.KnownMapping] = []
    ) {
        let (first, final) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
        var versions = versions
        // A version in its bundle has a place among the bundle's versions.
        let ordered = Set(versions.filter { $0.bundle != nil }.map(\.versionHashes))
        versions.removeAll { $0.bundle == nil && ordered.contains($0.versionHashes) }
        let start = versions.firstIndex { $0.versionHashes == first } ?? -1
        let end = versions.lastIndex { $0.versionHashes == final } ?? versions.count
        let direction = start <= end ? 1 : -1
        var seen: Set = [first, final]
        let between = versions.enumerated().filter { seen.insert($0.element.versionHashes).inserted }.map {
            Node(version: $0.element, hashes: $0.element.versionHashes, known: nil, place: $0.offset * direction)
        }
        nodes =
            [Node(version: nil, hashes: first, known: source, place: start * direction)] + between
            + [Node(version: nil, hashes: final, known: destination, place: end * direction)]
        self.mappings = mappings
        let nodes = nodes
        edges = mappings.flatMap { mapping in
            let isEmpty = mapping.model.entityMappings.isEmpty
            let from = nodes.indices.filter { mapping.model.entitiesUnlike(source: nodes[$0].hashes).isEmpty }
            let to = nodes.indices.filter { mapping.model.entitiesUnlike(destination: nodes[$0].hashes).isEmpty }
            return isEmpty
                ? []
                : from.flatMap { from in
                    to.filter { $0 != from }.map { Edge(from: from, to: $0, mapping: mapping) }
                }
        }
    }

    // MARK: Searching

    /// The best route; nil if there is none. Versions that can't be read are left out.
    package func route() -> MigrationRoute? {
        let relevant = edges.filter { edge in
            let (from, to) = (nodes[edge.from].place, nodes[edge.to].place)
            return nodes[0].place <= from && from < to && to <= nodes[last].place
        }
        if !relevant.isEmpty, let steps = route(with: relevant) { return MigrationRoute(steps: steps) }
        return hop(from: 0, to: last, edges).map { MigrationRoute(steps: $0) }
    }

    /// The cost of a route: routes that pass over fewer mapping models come first, then shorter routes, then routes
    /// with fewer inferred steps.
    private struct Cost: Comparable {
        var passedOver = 0
        var steps = 0
        var inferred = 0

        static func < (left: Cost, right: Cost) -> Bool {
            (left.passedOver, left.steps, left.inferred) < (right.passedOver, right.steps, right.inferred)
        }
    }

    /// The best route over steps with mapping models, and inferred steps between them.
    private func route(with edges: [Edge]) -> [MigrationRoute.Step]? {
        let starts = Set(edges.map(\.from) + [last])
        let ends = Set(edges.map(\.to) + [0])
        // Each step leads to a newer version, so that nodes in this order are complete when they are reached.
        let order = starts.union(ends).sorted { (nodes[$0].place, $0) < (nodes[$1].place, $1) }
        var best: [Int: (cost: Cost, steps: [MigrationRoute.Step])] = [0: (Cost(), [])]
        func offer(_ node: Int, _ cost: Cost, _ steps: [MigrationRoute.Step]) {
            if let known = best[node], known.cost <= cost { return }
            best[node] = (cost, steps)
        }
        for (index, node) in order.enumerated() {
            guard let (cost, steps) = best[node] else { continue }
            var mapped: Set<Int> = []
            for edge in edges where edge.from == node && mapped.insert(edge.to).inserted {
                guard let step = step(from: node, to: edge.to, .mappingModel(edge.mapping)) else { continue }
                var cost = cost
                cost.steps += 1
                offer(edge.to, cost, steps + [step])
            }
            guard ends.contains(node) else { continue }
            for next in order[(index + 1)...] where starts.contains(next) && !mapped.contains(next) {
                guard nodes[next].place > nodes[node].place || next == last, let hop = hop(from: node, to: next, [])
                else { continue }
                var cost = cost
                cost.passedOver +=
                    Set(
                        edges.filter {
                            nodes[node].place <= nodes[$0.from].place && nodes[$0.to].place <= nodes[next].place
                        }.map { [$0.from, $0.to] }
                    ).count
                cost.steps += hop.count
                cost.inferred += hop.count
                offer(next, cost, steps + hop)
            }
        }
        return best[last].flatMap { $0.steps.isEmpty ? nil : $0.steps }
    }

    /// The shortest sequence of steps between two nodes: breadth first, over all versions.
    private func hop(from start: Int, to end: Int, _ edges: [Edge]) -> [MigrationRoute.Step]? {
        if let step = step(from: start, to: end, edges) { return [step] }
        var unvisited = Array(nodes.indices.filter { $0 != start && $0 != end && nodes[$0].version != nil })
        var routes: [(node: Int, steps: [MigrationRoute.Step])] = [(start, [])]
        while !routes.isEmpty {
            var longer: [(node: Int, steps: [MigrationRoute.Step])] = []
            for route in routes {
                var remaining: [Int] = []
                for node in unvisited {
                    guard let next = step(from: route.node, to: node, edges) else {
                        remaining.append(node)
                        continue
                    }
                    let steps = route.steps + [next]
                    if let final = step(from: node, to: end, edges) { return steps + [final] }
                    longer.append((node, steps))
                }
                unvisited = remaining
            }
            routes = longer
        }
        return nil
    }

    /// One step between two nodes; nil if there is neither a mapping model nor an inferred one.
    private func step(from start: Int, to end: Int, _ edges: [Edge]) -> MigrationRoute.Step? {
        if let edge = edges.first(where: { $0.from == start && $0.to == end }) {
            return step(from: start, to: end, .mappingModel(edge.mapping))
        }
        return canInfer(from: start, to: end) ? step(from: start, to: end, .inferred) : nil
    }

    private func canInfer(from start: Int, to end: Int) -> Bool {
        if let known = inferences.results[[start, end]] { return known }
        guard let source = nodes[start].model, let destination = nodes[end].model else { return false }
        let result = LightweightMapping.problems(from: source, to: destination).isEmpty
        inferences.results[[start, end]] = result
        return result
    }

    private func step(from start: Int, to end: Int, _ way: MigrationRoute.Way) -> MigrationRoute.Step? {
        guard let source = nodes[start].model, let destination = nodes[end].model else { return nil }
        return MigrationRoute.Step(
            source: source, destination: destination, version: nodes[end].version, way: way)
    }

    // MARK: A route with given mapping models

    /// A route that uses all of some mapping models, in any order; nil if there is none.
    package func route(using required: [MigrationRoute.KnownMapping]) -> MigrationRoute? {
        if let route = route(), required.allSatisfy({ mapping in route.uses(mapping) }) { return route }
        var attempts = 0
        func complete(
            _ node: Int, _ visited: Set<Int>, _ rest: [MigrationRoute.KnownMapping], _ steps: [MigrationRoute.Step]
        ) -> [MigrationRoute.Step]? {
            attempts += 1
            if attempts > Self.mostAttempts { return nil }
            if rest.isEmpty {
                return node == last ? steps : hop(from: node, to: last, []).map { steps + $0 }
            }
            let possible = rest.flatMap { mapping in edges.filter { $0.mapping.model === mapping.model } }
            // A mapping model that begins where the route is needs no step before it.
            for edge in possible.filter({ $0.from == node }) + possible.filter({ $0.from != node }) {
                let isNew = !visited.contains(edge.to) && (edge.from == node || !visited.contains(edge.from))
                let before = edge.from == node ? [] : hop(from: node, to: edge.from, [])
                guard isNew, let before, let step = step(from: edge.from, to: edge.to, .mappingModel(edge.mapping)),
                    let found = complete(
                        edge.to, visited.union([edge.from, edge.to]),
                        rest.filter { $0.model !== edge.mapping.model }, steps + before + [step])
                else { continue }
                return found
            }
            return nil
        }
        return complete(0, [0], required, []).map { MigrationRoute(steps: $0) }
    }

    /// Mapping models that don't belong together aren't tried in all orders.
    private static let mostAttempts = 1000
}

extension MigrationRoute {
    /// Whether a step has a mapping model.
    func uses(_ mapping: KnownMapping) -> Bool { mappings.contains { $0.model === mapping.model } }
}
