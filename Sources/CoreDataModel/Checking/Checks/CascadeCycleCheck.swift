// SPDX-License-Identifier: Apache-2.0

/// Finds cycles of cascading delete rules: the deletion of an object deletes objects whose deletion leads back to
/// objects of its entity.
///
/// A tree is not a cycle: it has one relationship of an entity to itself, which is not its own inverse.
enum CascadeCycleCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let edges = model.entitiesByNameOrder.flatMap { entity in
            entity.ownProperties.compactMap { $0 as? NSRelationshipDescription }
                .filter { $0.deleteRule == .cascadeDeleteRule && $0.destinationEntity != nil }
                .map { Edge(entity: entity, relationship: $0) }
        }
        // The search takes quadratic time. Only generated models have more relationships.
        guard edges.count <= edgeLimit else { return [] }
        return cycles(in: edges).map { cycle in
            let path = cycle.map(\.name).joined(separator: " → ")
            let first = cycle[0]
            return ModelFinding(
                .warning, .cascadeCycle, first.entity, first.relationship,
                cycle.count == 1
                    ? "cascades to its own inverse: deleting one object deletes all that can be reached from it"
                    : "is in a cycle of cascading delete rules: \(path) → \(first.name)")
        }
    }

    private static let edgeLimit = 500

    private struct Edge {
        let entity: NSEntityDescription
        let relationship: NSRelationshipDescription

        var name: String { "\(entity.name ?? "").\(relationship.name)" }

        /// Whether the deletion along this relationship can cause a deletion along the other one.
        func leads(to other: Edge) -> Bool {
            guard let destination = relationship.destinationEntity else { return false }
            return destination.isKindOf(entity: other.entity) || other.entity.isKindOf(entity: destination)
        }
    }

    /// One shortest cycle for each group of mutually reachable relationships.
    private static func cycles(in edges: [Edge]) -> [[Edge]] {
        var reported: Set<Int> = []
        var cycles: [[Edge]] = []
        let successors = edges.map { edge in edges.indices.filter { edge.leads(to: edges[$0]) } }
        for start in edges.indices where !reported.contains(start) {
            guard let cycle = shortestCycle(from: start, successors) else { continue }
            if cycle.count == 1, edges[start].relationship.inverseRelationship !== edges[start].relationship {
                continue
            }
            reported.formUnion(cycle)
            cycles.append(cycle.map { edges[$0] })
        }
        return cycles
    }

    /// A breadth-first search. A step from a relationship to itself counts only if the cycle has no other relationship.
    private static func shortestCycle(from start: Int, _ successors: [[Int]]) -> [Int]? {
        var before: [Int: Int] = [:]
        var queue = successors[start].filter { $0 != start }
        for next in queue { before[next] = start }
        var position = 0
        while position < queue.count {
            let current = queue[position]
            position += 1
            if successors[current].contains(start) {
                var path = [current]
                while let previous = before[path[0]], previous != start { path.insert(previous, at: 0) }
                return [start] + path
            }
            for next in successors[current] where before[next] == nil && next != start {
                before[next] = current
                queue.append(next)
            }
        }
        return successors[start].contains(start) ? [start] : nil
    }
}
