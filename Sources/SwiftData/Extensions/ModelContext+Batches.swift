// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContext {
    /// **Extension.** Inserts many models, and saves them in parts. The models of a part are released after its save,
    /// unless the program retains them.
    ///
    /// ```swift
    /// try context.insert(contentsOf: lines.lazy.map { Song(line: $0) })
    /// ```
    ///
    /// - Parameters:
    ///   - models: the models. A lazy sequence makes them as they are needed.
    ///   - batchSize: the number of models in a part.
    /// - Throws: as ``save()``. Parts that were saved before stay saved.
    public func insert<Models: Sequence>(contentsOf models: Models, batchSize: Int = 1000) throws
    where Models.Element: PersistentModel {
        var part: [ModelObject] = []
        func finishPart() throws {
            try save()
            // An object with values retains its models and relationships.
            for object in part where !object.isDeleted { managed.refresh(object, mergeChanges: false) }
            part = []
        }
        for model in models {
            insert(model)
            part.append(model.storage.object)
            if part.count >= max(batchSize, 1) { try finishPart() }
        }
        try finishPart()
    }
}
