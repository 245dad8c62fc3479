/// The relations of objects, by names: the rules of inverse relationships in their plainest form.
struct RelationshipGraph {
    let shape: RelationshipShape
    private(set) var rights: [String: [String]] = [:]
    private var leftsByName: [String: [String]] = [:]

    init(_ shape: RelationshipShape) { self.shape = shape }

    var lefts: [String: [String]] { shape.isOwnInverse ? rights : leftsByName }

    /// The links as pairs of a left and a right one; both ways for a relationship that is its own inverse.
    var links: Set<[String]> { Set(rights.flatMap { left, rights in rights.map { [left, $0] } }) }

    /// Whether no object on the right has two on the left.
    var isExclusive: Bool { Set(rights.values.joined()).count == rights.values.joined().count }

    mutating func link(_ left: String, _ right: String, at position: Int? = nil) {
        guard rights[left]?.contains(right) != true else { return }
        if shape.rights == .one { for old in rights[left] ?? [] { unlink(left, old) } }
        if shape.lefts == .one { for old in lefts[right] ?? [] { unlink(old, right) } }
        rights[left, default: []].insert(right, at: position ?? rights[left]?.count ?? 0)
        if shape.isOwnInverse {
            if left != right { rights[right, default: []].append(left) }
        } else {
            leftsByName[right, default: []].append(left)
        }
    }

    mutating func unlink(_ left: String, _ right: String) {
        rights[left]?.removeAll { $0 == right }
        if shape.isOwnInverse {
            rights[right]?.removeAll { $0 == left }
        } else {
            leftsByName[right]?.removeAll { $0 == left }
        }
    }

    mutating func setRights(_ left: String, _ new: [String]) {
        for old in rights[left] ?? [] where !new.contains(old) { unlink(left, old) }
        for right in new { link(left, right) }
        rights[left] = new
    }

    mutating func setLefts(_ right: String, _ new: [String]) {
        guard !shape.isOwnInverse else { return setRights(right, new) }
        for old in lefts[right] ?? [] where !new.contains(old) { unlink(old, right) }
        for left in new { link(left, right) }
        leftsByName[right] = new
    }

    mutating func delete(_ name: String) {
        for right in rights[name] ?? [] { unlink(name, right) }
        for left in lefts[name] ?? [] { unlink(left, name) }
    }
}
