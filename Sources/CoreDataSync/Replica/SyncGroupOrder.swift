// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The groups of a push in an order in which the server can save one after the other.
///
/// A group comes after those with the new objects that it refers to. Apart from that the order stays where it counts:
/// a group that deletes objects comes after all that were before it, since its delete rules would meet what those have
/// not changed yet. Groups with objects that have unique values keep their order: one may free the value of another
/// one. Groups that need each other in a circle become one.
struct SyncGroupOrder {
    private(set) var groups: [SyncGroup] = []

    init(_ groups: [SyncGroup], _ schema: SyncSchema) {
        var places: [UUID: Int] = [:]
        for (index, group) in groups.enumerated() {
            for change in group.changes where change.kind == .insert { places[change.object] = index }
        }
        let count = groups.count
        let former = Self.formerWithUniqueValues(groups, schema)
        // The node `count + index` stands for all groups before a group.
        let order = SyncDependencyOrder(Array(0..<count)) { node in
            if node >= count { return node == count ? [] : [node - count - 1, node - 1] }
            let group = groups[node]
            var needed = group.changes.flatMap { $0.properties.values.flatMap(\.change.objects) }
                .compactMap { places[$0] }.filter { $0 != node }
            if group.changes.contains(where: { $0.kind == .delete }) { needed.append(count + node) }
            return needed + (former[node] ?? [])
        }
        for nodes in order.groups {
            let indexes = nodes.filter { $0 < count }.sorted()
            guard !indexes.isEmpty else { continue }
            self.groups.append(SyncGroup(changes: indexes.flatMap { groups[$0].changes }))
        }
    }

    /// The nearest former groups that change objects of the same hierarchies, for hierarchies with unique values.
    private static func formerWithUniqueValues(_ groups: [SyncGroup], _ schema: SyncSchema) -> [Int: [Int]] {
        var (newest, result): ([String: Int], [Int: [Int]]) = ([:], [:])
        for (index, group) in groups.enumerated() {
            let roots = Set(
                group.changes.compactMap { change in
                    schema.entities[change.entity].flatMap { $0.hasUniqueValues ? $0.rootName : nil }
                })
            result[index] = roots.compactMap { newest.updateValue(index, forKey: $0) }
        }
        return result
    }
}
