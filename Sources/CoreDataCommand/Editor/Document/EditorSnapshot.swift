// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataModelEditing
import OpenCoreData

/// The model at one time, as pages show it.
struct EditorSnapshot {
    let files: EditorFiles
    let versions: [String]
    let current: String
    let version: String
    let root: SourceTree
    let model: EditedModel
    /// Whether the model and its findings belong to this state.
    let isChecked: Bool
    let revision: Int
    let isChanged: Bool
    /// The number of the state, which a save keeps.
    let number: Int
    let undoLabel: String?
    let redoLabel: String?
    let outside: String?
    let store: StoreLocation?
    let entities: [SourceTree]
    let entityNames: [String]
    private let entitiesByName: [String: SourceTree]
    private let findingsByEntity: [String: [ModelFinding]]

    init(
        files: EditorFiles, versions: [String], current: String, version: String, root: SourceTree, model: EditedModel,
        isChecked: Bool, revision: Int, isChanged: Bool, number: Int, undoLabel: String?, redoLabel: String?,
        outside: String?, store: StoreLocation?
    ) {
        self.files = files
        self.versions = versions
        self.current = current
        self.version = version
        self.root = root
        self.model = model
        self.isChecked = isChecked
        self.revision = revision
        self.isChanged = isChanged
        self.number = number
        self.undoLabel = undoLabel
        self.redoLabel = redoLabel
        self.outside = outside
        self.store = store
        entities = root.children(named: "entity")
        entityNames = entities.map { $0["name"] ?? "" }
        entitiesByName = Dictionary(zip(entityNames, entities), uniquingKeysWith: { first, _ in first })
        findingsByEntity = Dictionary(grouping: model.findings, by: { $0.entity ?? "" })
    }

    func entity(_ name: String) -> SourceTree? { entitiesByName[name] }

    /// An entity, its parent, and so on, as far as the model has them.
    func ancestry(of name: String?) -> [SourceTree] {
        var entities: [SourceTree] = []
        var seen: Set<String> = []
        var next = name
        while let name = next, seen.insert(name).inserted, let entity = entity(name) {
            entities.append(entity)
            next = entity["parentEntity"]
        }
        return entities
    }

    /// The findings about an entity, or about one of its parts.
    func findings(entity: String, key: String? = nil) -> [ModelFinding] {
        (findingsByEntity[entity] ?? []).filter { key == nil || $0.key == key }
    }
}
