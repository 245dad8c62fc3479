/// The compound that the parser makes: Foundation's class with the description, equality and copying that its own
/// lacks.
final class CompoundPredicate: NSCompoundPredicate, NSSecureCoding {
    override init(type: LogicalType, subpredicates: [NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }

    init?(coder: NSCoder) {
        guard let decoded = PredicateCoding.decode(NSCompoundPredicate.self, from: coder) else { return nil }
        super.init(type: decoded.compoundPredicateType, subpredicates: decoded.subpredicates)
    }

    func encode(with coder: NSCoder) { PredicateCoding.encode(self, with: coder) }

    static var supportsSecureCoding: Bool { true }

    @available(*, deprecated, message: "use description")
    override var predicateFormat: String { predicateText }

    override var description: String { predicateText }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return structurallyEquals(other)
    }

    override var hash: Int { structuralHash }
}
