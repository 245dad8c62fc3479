// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The markup of the boxes that pages have shown. A box is made again only when its entity, its place or the selection
/// in it has changed.
// Unchecked: the lock guards the entries.
final class DiagramBoxes: @unchecked Sendable {
    struct Key: Equatable {
        let entity: SourceTree
        let x: Double
        let y: Double
        let selection: String?
    }

    struct Entry {
        let key: Key
        let html: HTML
    }

    private let lock = NSLock()
    private var entries: [String: Entry] = [:]

    /// The markup for entities, in their order.
    ///
    /// - Parameter make: gives the entry of an entity from its old one.
    func boxes(of entities: [SourceTree], _ make: (SourceTree, Entry?) -> Entry?) -> [HTML] {
        let known = lock.withLock { entries }
        var made: [String: Entry] = [:]
        let boxes = entities.compactMap { entity -> HTML? in
            let name = entity["name"] ?? ""
            guard let entry = make(entity, known[name]) else { return nil }
            made[name] = entry
            return entry.html
        }
        lock.withLock { entries = made }
        return boxes
    }
}
