/// Names a query generation: the state of a coordinator's stores at one time, to which contexts can be pinned.
///
/// Got from a context's `queryGenerationToken`, or ``current``. As long as a token lives, the stores keep what its
/// generation reads, so don't keep tokens longer than needed. May be used from any thread. An archived token can be
/// read in the same process while its generation lives.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Nil for ``current``.
    final let generation: QueryGeneration?

    private static let currentToken = NSQueryGenerationToken(nil)
    private static let currentText = "current"
    private static let key = "NSQueryGeneration"

    init(_ generation: QueryGeneration?) {
        self.generation = generation
        super.init()
    }

    /// The token of the newest generation: a context that gets it is pinned to what is in the stores when it reads them
    /// first.
    open class var current: NSQueryGenerationToken { currentToken }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return generation === other.generation
    }

    open override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }

    open override var description: String {
        "<NSQueryGenerationToken: \(generation?.identifier.uuidString ?? Self.currentText)>"
    }

    /// The token itself: it can't be changed.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Archiving

    open class var supportsSecureCoding: Bool { true }

    /// Reads a token.
    ///
    /// - Returns: nil if the generation has ended, or isn't of this process.
    public required init?(coder: NSCoder) {
        let text = coder.decodeObject(of: NSString.self, forKey: Self.key).map { String(describing: $0) }
        if text == Self.currentText {
            generation = nil
        } else {
            guard let identifier = text.flatMap(UUID.init(uuidString:)), let known = QueryGeneration.named(identifier)
            else { return nil }
            generation = known
        }
        super.init()
    }

    /// Writes a token.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: generation?.identifier.uuidString ?? Self.currentText), forKey: Self.key)
    }
}
