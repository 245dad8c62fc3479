// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The address of a page, a file or a form of the browser, with what its path names.
enum BrowserRoute {
    case start
    case styleSheet
    case script
    case icon
    case model
    case table(entity: String)
    case count(entity: String)
    case predicateCheck(entity: String)
    case export(entity: String, format: String)
    case object(ObjectName)
    case value(ObjectName, key: String)
    case deletion(ObjectName)
    case deletionOfSelection(entity: String)
    case creation(entity: String)
    case find(entity: String)
    case search
    case mark
    case history
    case comparison
    case sync
    // Forms, which change the store.
    case change(ObjectName)
    case create(entity: String)
    case delete(ObjectName)
    case deleteSelection(entity: String)
    case undo
    case redo

    /// An object in a path: its entity and the key that follows it.
    struct ObjectName {
        let entity: String
        let key: String

        init(entity: String, key: String) {
            self.entity = entity
            self.key = key
        }

        init(_ id: NSManagedObjectID) { self.init(entity: id.entity.name ?? "", key: "p\(id.key)") }
    }

    /// Reads the path of a request; nil if no page and no form has it.
    init?(_ request: WebRequest) {
        guard let segments = request.segments else { return nil }
        func object() -> ObjectName { ObjectName(entity: segments[1], key: segments[2]) }
        let isForm = request.method == "POST"
        switch (segments.first, segments.count) {
        case (nil, _) where !isForm: self = .start
        case ("style.css", 1) where !isForm: self = .styleSheet
        case ("script.js", 1) where !isForm: self = .script
        case ("favicon.ico", 1) where !isForm: self = .icon
        case ("model", 1) where !isForm: self = .model
        case ("e", 2) where !isForm: self = .table(entity: segments[1])
        case ("count", 2) where !isForm: self = .count(entity: segments[1])
        case ("check", 2) where !isForm: self = .predicateCheck(entity: segments[1])
        case ("export", 3) where !isForm: self = .export(entity: segments[1], format: segments[2])
        case ("o", 3): self = isForm ? .change(object()) : .object(object())
        case ("b", 4) where !isForm: self = .value(object(), key: segments[3])
        case ("delete", 3): self = isForm ? .delete(object()) : .deletion(object())
        case ("delete", 2):
            self = isForm ? .deleteSelection(entity: segments[1]) : .deletionOfSelection(entity: segments[1])
        case ("new", 2): self = isForm ? .create(entity: segments[1]) : .creation(entity: segments[1])
        case ("find", 2) where !isForm: self = .find(entity: segments[1])
        case ("search", 1) where !isForm: self = .search
        case ("mark", 1) where !isForm: self = .mark
        case ("history", 1) where !isForm: self = .history
        case ("compare", 1) where !isForm: self = .comparison
        case ("sync", 1) where !isForm: self = .sync
        case ("undo", 1) where isForm: self = .undo
        case ("redo", 1) where isForm: self = .redo
        default: return nil
        }
    }

    /// The address, percent-encoded.
    func path(_ query: FormValues = FormValues()) -> String {
        let path = "/" + segments.map(PercentEncoding.encoded).joined(separator: "/")
        return query.pairs.isEmpty ? path : "\(path)?\(query.encoded)"
    }

    private var segments: [String] {
        switch self {
        case .start: []
        case .styleSheet: ["style.css"]
        case .script: ["script.js"]
        case .icon: ["favicon.ico"]
        case .model: ["model"]
        case .table(let entity): ["e", entity]
        case .count(let entity): ["count", entity]
        case .predicateCheck(let entity): ["check", entity]
        case .export(let entity, let format): ["export", entity, format]
        case .object(let name), .change(let name): ["o", name.entity, name.key]
        case .value(let name, let key): ["b", name.entity, name.key, key]
        case .deletion(let name), .delete(let name): ["delete", name.entity, name.key]
        case .deletionOfSelection(let entity), .deleteSelection(let entity): ["delete", entity]
        case .creation(let entity), .create(let entity): ["new", entity]
        case .find(let entity): ["find", entity]
        case .search: ["search"]
        case .mark: ["mark"]
        case .history: ["history"]
        case .comparison: ["compare"]
        case .sync: ["sync"]
        case .undo: ["undo"]
        case .redo: ["redo"]
        }
    }

    /// The pace of the answer to a request for this route.
    func pace(of request: WebRequest) -> AnswerPace {
        switch self {
        case .count, .export, .comparison: .count
        case .search, .find: .search
        case .history where request.query["anyway"] != nil: .count
        case .table where request.query["p"] != nil || request.query["sort"] != nil: .search
        default: .page
        }
    }
}
