// SPDX-License-Identifier: Apache-2.0

/// One comparable value of a model, an entity or a property.
struct ModelAspect {
    enum Value: Equatable {
        /// A text or nil.
        case text(String?)
        /// A flag, with the phrases for a change to it: "now required", "now optional".
        case flag(Bool, yes: String, no: String)
        /// A part without a value, such as a constraint.
        case present
    }

    let name: String
    let value: Value
    /// Whether the value is part of the version hash of the entity.
    let isHashed: Bool

    init(_ name: String, _ text: String?, isHashed: Bool = false) {
        self.name = name
        value = .text(text)
        self.isHashed = isHashed
    }

    init(_ name: String, _ flag: Bool, yes: String, no: String, isHashed: Bool = false) {
        self.name = name
        value = .flag(flag, yes: yes, no: no)
        self.isHashed = isHashed
    }

    init(present name: String, isHashed: Bool = false) {
        self.name = name
        value = .present
        self.isHashed = isHashed
    }

    /// The value as text; nil if there is none.
    var text: String? {
        switch value {
        case .text(let text): text
        case .flag(let flag, _, _): flag ? "yes" : "no"
        case .present: "yes"
        }
    }
}

/// A change between two aspects of the same name. Either can be missing.
struct ModelAspectChange {
    let name: String
    let old: ModelAspect?
    let new: ModelAspect?

    var isHashed: Bool { old?.isHashed == true || new?.isHashed == true }

    var kind: ModelDifference.Kind {
        if old?.text == nil { return .added }
        return new?.text == nil ? .removed : .changed
    }

    var phrase: String {
        if case .flag(let flag, let yes, let no) = new?.value { return flag ? yes : no }
        switch (old?.text, new?.text) {
        case (let old?, let new?): return "\(name) \(old) → \(new)"
        case (nil, let text?): return new?.value == .present ? "\(name) added" : "\(name) \(text) added"
        case (let text?, nil): return old?.value == .present ? "\(name) removed" : "\(name) \(text) removed"
        case (nil, nil): return name
        }
    }

    /// The changes between two lists of aspects: in the order of the new list, followed by the removed aspects.
    static func changes(from old: [ModelAspect], to new: [ModelAspect]) -> [ModelAspectChange] {
        // Most parts of two versions are equal.
        if old.count == new.count, zip(old, new).allSatisfy({ $0.name == $1.name && $0.value == $1.value }) {
            return []
        }
        let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let names = Set(new.map(\.name))
        var seen: Set<String> = []
        let changed = new.compactMap { aspect -> ModelAspectChange? in
            guard seen.insert(aspect.name).inserted, before[aspect.name]?.value != aspect.value else { return nil }
            if before[aspect.name] == nil && aspect.text == nil { return nil }
            return ModelAspectChange(name: aspect.name, old: before[aspect.name], new: aspect)
        }
        let removed = old.filter { !names.contains($0.name) && $0.text != nil && seen.insert($0.name).inserted }
        return changed + removed.map { ModelAspectChange(name: $0.name, old: $0, new: nil) }
    }
}
