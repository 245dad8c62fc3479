// SPDX-License-Identifier: Apache-2.0

/// The order in which things are sent: a thing after those that it depends on. Things that depend on each other in a
/// circle are one group.
struct SyncDependencyOrder<Node: Hashable> {
    private(set) var groups: [[Node]] = []
    private var order: [Node: Int] = [:]
    private var lowest: [Node: Int] = [:]
    private var open: [Node] = []
    private var isOpen: Set<Node> = []

    /// - Parameter dependencies: the nodes that a node depends on. Further nodes among them get their places, too.
    init(_ nodes: [Node], _ dependencies: (Node) -> [Node]) {
        // Tarjan's algorithm for strongly connected components, without recursion.
        for node in nodes where order[node] == nil {
            var path: [(node: Node, rest: [Node])] = []
            visit(node)
            path.append((node, dependencies(node)))
            while let (current, rest) = path.last {
                guard let next = rest.last else {
                    path.removeLast()
                    if let parent = path.last?.node { lower(parent, to: lowest[current]) }
                    if lowest[current] == order[current] { close(current) }
                    continue
                }
                path[path.count - 1].rest.removeLast()
                if order[next] == nil {
                    visit(next)
                    path.append((next, dependencies(next)))
                } else if isOpen.contains(next) {
                    lower(current, to: order[next])
                }
            }
        }
    }

    private mutating func visit(_ node: Node) {
        order[node] = order.count
        lowest[node] = order[node]
        open.append(node)
        isOpen.insert(node)
    }

    private mutating func lower(_ node: Node, to number: Int?) {
        if let number, let present = lowest[node], number < present { lowest[node] = number }
    }

    /// Ends the group whose first node this is.
    private mutating func close(_ node: Node) {
        var group: [Node] = []
        while let last = open.popLast() {
            isOpen.remove(last)
            group.append(last)
            if last == node { break }
        }
        groups.append(group)
    }
}
