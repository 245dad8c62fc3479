// SPDX-License-Identifier: Apache-2.0

/// Identifies a query generation: the state of a coordinator's stores at one time, to which contexts can be pinned.
///
/// A context's `queryGenerationToken` and ``current`` are tokens. While a token lives, the stores retain the data of
/// its generation, so don't retain tokens longer than needed. May be used from any thread. An archived token can be
/// read in the same process while its generation exists.
nonisolated open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Nil for ``current``.
    final let generation: QueryGeneration?

    private static let currentToken = NSQueryGenerationToken(nil)
    private static let currentText = "current"
    private static let key = "NSQueryGeneration"

    init(_ generation: QueryGeneration?) {
        self.generation = generation
        super.init()
    }

    /// The token of the newest generation. A context with this token is pinned at its first read, to the data that the
    /// stores have then.
    open class var current: NSQueryGenerationToken { currentToken }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return generation === other.generation
    }

    open override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }

    open override var description: String {
        "<NSQueryGenerationToken: \(generation?.identifier.uuidString ?? Self.currentText)>"
    }

    /// Returns the token itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Archiving

    open class var supportsSecureCoding: Bool { true }

    /// Reads a token.
    ///
    /// - Parameter coder: an unarchiver.
    /// - Returns: nil if the generation has ended, or belongs to another process.
    public required init?(coder: NSCoder) {
        let text = coder.decodeObject(of: NSString.self, forKey: Self.key).map { String(describing: $0) }
        if text == Self.currentText {
            generation = nil
        } else {
            guard let identifier = text.flatMap(UUID.init(uuidString:)),
                let known = QueryGeneration.generation(identifier)
            else { return nil }
            generation = known
        }
        super.init()
    }

    /// Writes a token.
    ///
    /// - Parameter coder: an archiver.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: generation?.identifier.uuidString ?? Self.currentText), forKey: Self.key)
    }
}
