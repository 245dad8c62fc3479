/// Delete rules that cascade in a circle: deleting one object deletes what leads back to its kind, and so on.
///
/// A tree is no such circle: one relationship of an entity to itself that is not its own inverse.
enum CascadeCycleCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let edges = model.entitiesByNameOrder.flatMap { entity in
            entity.ownProperties.compactMap { $0 as? NSRelationshipDescription }
                .filter { $0.deleteRule == .cascadeDeleteRule && $0.destinationEntity != nil }
                .map { Edge(entity: entity, relationship: $0) }
        }
        // The search takes the square of the number; a model with more is made by a program.
        guard edges.count <= edgeLimit else { return [] }
        return circles(in: edges).map { circle in
            let path = circle.map(\.name).joined(separator: " → ")
            let first = circle[0]
            return ModelFinding(
                .warning, .cascadeCycle, first.entity, first.relationship,
                circle.count == 1
                    ? "cascades to its own inverse: deleting one object deletes all that can be reached from it"
                    : "is in a circle of cascading delete rules: \(path) → \(first.name)")
        }
    }

    private static let edgeLimit = 500

    private struct Edge {
        let entity: NSEntityDescription
        let relationship: NSRelationshipDescription

        var name: String { "\(entity.name ?? "").\(relationship.name)" }

        /// Whether deleting what this leads to may delete along the other.
        func leads(to other: Edge) -> Bool {
            guard let destination = relationship.destinationEntity else { return false }
            return destination.isKindOf(entity: other.entity) || other.entity.isKindOf(entity: destination)
        }
    }

    /// One shortest circle for each group of relationships that lead to each other.
    private static func circles(in edges: [Edge]) -> [[Edge]] {
        var told: Set<Int> = []
        var circles: [[Edge]] = []
        let successors = edges.map { edge in edges.indices.filter { edge.leads(to: edges[$0]) } }
        for start in edges.indices where !told.contains(start) {
            guard let circle = shortestCircle(from: start, successors) else { continue }
            if circle.count == 1, edges[start].relationship.inverseRelationship !== edges[start].relationship {
                continue
            }
            told.formUnion(circle)
            circles.append(circle.map { edges[$0] })
        }
        return circles
    }

    /// Breadth first; a step from a relationship to itself counts only if the relationship is all there is.
    private static func shortestCircle(from start: Int, _ successors: [[Int]]) -> [Int]? {
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
