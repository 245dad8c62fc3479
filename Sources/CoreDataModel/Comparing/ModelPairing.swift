// SPDX-License-Identifier: Apache-2.0

/// Pairs the members of an old model and a new model: by renaming identifier, then by name.
struct ModelPairing<Member> {
    private(set) var pairs: [(old: Member, new: Member)] = []
    private(set) var added: [Member] = []
    private(set) var removed: [Member] = []

    /// Pairs two lists.
    ///
    /// - Parameters:
    ///   - old: the members of the old model.
    ///   - new: the members of the new model.
    ///   - name: the name of a member.
    ///   - identifier: the renaming identifier of a member, which equals the name by default.
    init(old: [Member], new: [Member], name: (Member) -> String, identifier: (Member) -> String) {
        var partners: [Int?] = Array(repeating: nil, count: new.count)
        var isPaired = Array(repeating: false, count: old.count)
        func pair(_ oldKey: (Member) -> String, _ newKey: (Member) -> String) {
            let positions = Dictionary(
                old.indices.filter { !isPaired[$0] }.map { (oldKey(old[$0]), $0) },
                uniquingKeysWith: { first, _ in first })
            for index in new.indices where partners[index] == nil {
                guard let position = positions[newKey(new[index])], !isPaired[position] else { continue }
                partners[index] = position
                isPaired[position] = true
            }
        }
        // A member with the same name and identifier takes precedence over a renamed one.
        pair({ name($0) + "\0" + identifier($0) }, { name($0) + "\0" + identifier($0) })
        pair(identifier, identifier)
        pair(name, identifier)
        pair(name, name)
        for (index, member) in new.enumerated() {
            if let position = partners[index] { pairs.append((old[position], member)) } else { added.append(member) }
        }
        removed = old.indices.filter { !isPaired[$0] }.map { old[$0] }
    }
}
