// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import Digests

/// The edges that an object brings into the scopes: from the values of constants to the objects of a template, and from
/// an object to those that it leads to. The record of the object has them, so that each change shows which are new and
/// which are gone.
struct SyncEdges: Hashable {
    struct Edge: Hashable {
        let relationship: UInt32
        let parent: UUID
        let child: UUID
    }

    /// An end of an edge, and the relationship of the edge: two objects may have several.
    struct End: Hashable {
        /// 0 for the values of constants.
        let relationship: UInt32
        let uuid: UUID
    }

    /// The ends from which an edge leads to the object.
    var parents: Set<End> = []
    /// The objects to which an edge of the object leads.
    var children: Set<End> = []

    init() {}

    // MARK: Bytes

    /// A byte, a relationship and a UUID for each edge.
    init(_ data: Data) {
        let bytes = Array(data)
        for start in stride(from: 0, to: bytes.count - bytes.count % 21, by: 21) {
            let end = bytes[start..<(start + 21)].withUnsafeBytes {
                End(
                    relationship: UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self)),
                    uuid: UUID(uuid: $0.loadUnaligned(fromByteOffset: 5, as: uuid_t.self)))
            }
            if bytes[start] == 0 { parents.insert(end) } else { children.insert(end) }
        }
    }

    var data: Data {
        var data = Data()
        for (mark, ends) in [(UInt8(0), parents), (1, children)] {
            for end in ends.sorted(by: { ($0.uuid, $0.relationship) < ($1.uuid, $1.relationship) }) {
                data.append(mark)
                withUnsafeBytes(of: end.relationship.littleEndian) { data.append(contentsOf: $0) }
                withUnsafeBytes(of: end.uuid.uuid) { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    func edges(of identity: UUID) -> Set<Edge> {
        Set(parents.map { Edge(relationship: $0.relationship, parent: $0.uuid, child: identity) })
            .union(children.map { Edge(relationship: $0.relationship, parent: identity, child: $0.uuid) })
    }
}

extension SyncScopes {
    /// The properties of an entity that its edges come from.
    func edgeProperties(of entity: NSEntityDescription) -> Set<String> {
        var names: Set<String> = []
        for route in routes where route.hops.isEmpty && entity.isKindOf(entity: route.root) {
            names.formUnion(route.term.keyPaths.map { String($0.prefix { $0 != "." }) })
        }
        for hop in hops {
            if Self.isOfSource(hop), entity.isKindOf(entity: hop.source) { names.insert(hop.relationship.name) }
            if !Self.isOfSource(hop), let destination = hop.destination, entity.isKindOf(entity: destination) {
                names.insert(hop.inverse.name)
            }
        }
        return names
    }

    /// Whether the object that leads to others has their edges. Otherwise the object at the end has the one edge.
    static func isOfSource(_ hop: Hop) -> Bool { !hop.relationship.isToMany || hop.inverse.isToMany }

    /// The objects of templates whose predicates depend on a property of an object: the relationships to it, by the
    /// entities of those objects.
    func dependents(on entity: NSEntityDescription, _ names: Set<String>) -> [(NSEntityDescription, String)] {
        var result: [(NSEntityDescription, String)] = []
        for route in routes where route.hops.isEmpty {
            for path in route.term.keyPaths {
                let keys = path.split(separator: ".").map(String.init)
                guard keys.count == 2, names.contains(keys[1]),
                    let destination = route.root.relationshipsByName[keys[0]]?.destinationEntity,
                    entity.isKindOf(entity: destination)
                else { continue }
                result.append((route.root, keys[0]))
            }
        }
        return result
    }

    /// The objects that the edges of an object lead from and to.
    func neighbours(of object: NSManagedObject) -> (parents: [Neighbour], children: [Neighbour]) {
        var (parents, children): ([Neighbour], [Neighbour]) = ([], [])
        for hop in hops {
            if Self.isOfSource(hop) {
                guard object.entity.isKindOf(entity: hop.source) else { continue }
                children += object.relatedIDs(forKey: hop.relationship.name).map { (hop.number, $0) }
            } else if let destination = hop.destination, object.entity.isKindOf(entity: destination) {
                parents += object.relatedIDs(forKey: hop.inverse.name).map { (hop.number, $0) }
            }
        }
        return (parents, children)
    }

    /// The number of a relationship, and an object.
    typealias Neighbour = (relationship: UInt32, id: NSManagedObjectID)

    /// The nodes of the values that an object has as one of a template.
    func nodes(of object: NSManagedObject) -> Set<SyncEdges.End> {
        Set(
            routes.lazy.filter { $0.hops.isEmpty && object.entity.isKindOf(entity: $0.root) }
                .compactMap { $0.term.node(of: object) }.map { SyncEdges.End(relationship: 0, uuid: $0) })
    }
}

extension SyncScopes.Hop {
    /// Tells the relationships of a model apart, in each version of the server.
    fileprivate var number: UInt32 {
        let text = "\(source.nameInMessages).\(relationship.nameInMessages)"
        return SHA256.hash(Array(text.utf8)).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } | 1
    }
}
