// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The identifier of a model: it names a row of a store, in any context and any process.
///
/// ```swift
/// let id = recipe.persistentModelID
/// let data = try JSONEncoder().encode(id)   // may be kept outside of the store
/// ```
///
/// A model that was never saved has a temporary identifier, which is valid in this process only, and until the save.
/// May be used on any thread.
public struct PersistentIdentifier: Hashable, Identifiable, Equatable, Comparable, Codable, Sendable {
    enum Form: Sendable {
        /// An identifier of an open store, or of a model that isn't saved.
        case object(NSManagedObjectID)
        /// An identifier by the names of its parts: of a store that may not be open.
        case parts(IdentifierParts)
    }

    let form: Form

    init(_ objectID: NSManagedObjectID) {
        // Custom stores have reference objects, and make their identifiers themselves.
        form = objectID.storeIdentity?.references == nil ? .object(objectID) : Self.form(of: objectID)
    }

    init(_ parts: IdentifierParts) { form = .parts(parts) }

    /// The identity of an identifier, for `Identifiable`.
    public struct ID: Hashable, Equatable, Sendable {
        let parts: IdentifierParts
    }

    /// The parts of the identifier.
    public var id: ID { ID(parts: parts) }

    /// The name of the model's entity.
    public var entityName: String {
        switch form {
        case .object(let id): id.entity.name ?? ""
        case .parts(let parts): parts.entityName
        }
    }

    /// The identifier of the store; nil for a model that isn't saved.
    public var storeIdentifier: String? {
        switch form {
        case .object(let id): id.isTemporaryID ? nil : id.uriRepresentation().host
        case .parts(let parts): parts.storeIdentifier
        }
    }

    /// Whether the model was never saved.
    public var isTemporary: Bool {
        switch form {
        case .object(let id): id.isTemporaryID
        case .parts(let parts): parts.isTemporary
        }
    }

    var parts: IdentifierParts {
        switch form {
        case .object(let id): IdentifierParts(id)
        case .parts(let parts): parts
        }
    }

    /// Makes the identifier of a row in a custom store.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the identifier of the store.
    ///   - entityName: the name of the model's entity.
    ///   - primaryKey: the key of the row in the store.
    /// - Throws: the error of a key that can't be encoded.
    public static func identifier<T>(for storeIdentifier: String, entityName: String, primaryKey: T) throws
        -> PersistentIdentifier
    where T: Comparable & CustomStringConvertible & Decodable & Encodable & Hashable {
        PersistentIdentifier(
            IdentifierParts(
                storeIdentifier: storeIdentifier, entityName: entityName, primaryKey: primaryKey.description,
                isTemporary: false))
    }

    // MARK: Comparing

    /// Whether two identifiers name the same row.
    public static func == (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
        if case .object(let one) = lhs.form, case .object(let other) = rhs.form { return one.isEqual(other) }
        return lhs.parts == rhs.parts
    }

    /// Hashes the key of the row.
    public func hash(into hasher: inout Hasher) {
        switch form {
        // The key of an unsaved model isn't in its parts, by which a decoded identifier is compared.
        case .object(let id) where id.isTemporaryID: parts.hashKey(into: &hasher)
        case .object(let id): hasher.combine(id.key)
        case .parts(let parts): parts.hashKey(into: &hasher)
        }
    }

    /// An order of identifiers: by store, entity and key.
    public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool { lhs.parts < rhs.parts }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey { case implementation }

    /// Decodes an identifier: the object `implementation` with the parts.
    ///
    /// - Throws: `DecodingError` for missing parts, parts of other types, and a URI that names another row than the
    ///   other parts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        form = .parts(try container.decode(IdentifierParts.self, forKey: .implementation))
    }

    /// Encodes the identifier, as Apple's does: the object `implementation` with the parts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(parts, forKey: .implementation)
    }
}

extension PersistentIdentifier: CustomDebugStringConvertible {
    /// The identifier with its URI.
    public var debugDescription: String { "PersistentIdentifier(\(parts.uriRepresentation))" }
}

/// The parts of an identifier, as they are encoded.
struct IdentifierParts: Hashable, Codable, Comparable, Sendable {
    let storeIdentifier: String?
    let entityName: String
    /// The name of the row in its store, for example `p2`.
    let primaryKey: String
    let isTemporary: Bool
    private let uri: URL?

    init(storeIdentifier: String?, entityName: String, primaryKey: String, isTemporary: Bool) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.primaryKey = primaryKey
        self.isTemporary = isTemporary
        uri = nil
    }

    init(_ id: NSManagedObjectID) {
        let uri = id.uriRepresentation()
        storeIdentifier = id.isTemporaryID ? nil : uri.host
        entityName = id.entity.name ?? ""
        primaryKey = uri.lastPathComponent
        isTemporary = id.isTemporaryID
        self.uri = uri
    }

    var uriRepresentation: String {
        uri?.absoluteString ?? Self.uriRepresentation(storeIdentifier, entityName, primaryKey)
    }

    private static func uriRepresentation(_ store: String?, _ entityName: String, _ primaryKey: String) -> String {
        // A store of a program may have any identifier.
        let host = store?.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? ""
        let name = entityName.addingPercentEncoding(withAllowedCharacters: pathPartAllowed) ?? entityName
        let key = primaryKey.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? primaryKey
        return "x-coredata://\(host)/\(name)/\(key)"
    }

    private static let pathPartAllowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))

    /// The number in the key of a row; nil for other keys.
    var rowNumber: Int64? { primaryKey.first == "p" ? Int64(primaryKey.dropFirst()) : nil }

    static func == (lhs: IdentifierParts, rhs: IdentifierParts) -> Bool {
        lhs.primaryKey == rhs.primaryKey && lhs.storeIdentifier == rhs.storeIdentifier
            && lhs.entityName == rhs.entityName && lhs.isTemporary == rhs.isTemporary
    }

    func hash(into hasher: inout Hasher) { hashKey(into: &hasher) }

    /// Hashes as an identifier of an open store does.
    func hashKey(into hasher: inout Hasher) {
        if let rowNumber { hasher.combine(rowNumber) } else { hasher.combine(primaryKey) }
    }

    static func < (lhs: IdentifierParts, rhs: IdentifierParts) -> Bool {
        let left = (lhs.storeIdentifier ?? "", lhs.entityName)
        let right = (rhs.storeIdentifier ?? "", rhs.entityName)
        if left != right { return left < right }
        if let one = lhs.rowNumber, let other = rhs.rowNumber { return one < other }
        return lhs.primaryKey < rhs.primaryKey
    }

    private enum CodingKeys: String, CodingKey {
        case primaryKey
        case isTemporary
        case entityName
        case uriRepresentation
        case storeIdentifier
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        primaryKey = try container.decode(String.self, forKey: .primaryKey)
        entityName = try container.decode(String.self, forKey: .entityName)
        isTemporary = try container.decodeIfPresent(Bool.self, forKey: .isTemporary) ?? false
        uri = try Self.uri(in: container)
        storeIdentifier = try container.decodeIfPresent(String.self, forKey: .storeIdentifier)
        guard let uri, !isNamed(by: uri) else { return }
        throw DecodingError.dataCorruptedError(
            forKey: .uriRepresentation, in: container, debugDescription: "The URI names another row than the parts.")
    }

    /// Whether a URI has the same store, entity and key.
    private func isNamed(by uri: URL) -> Bool {
        if URL(string: Self.uriRepresentation(storeIdentifier, entityName, primaryKey)) == uri { return true }
        // A key may contain an escaped slash.
        let path = URLComponents(url: uri, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? uri.path
        let names = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        return uri.scheme == "x-coredata" && (uri.host ?? "") == (storeIdentifier ?? "")
            && names == [entityName, primaryKey]
    }

    /// The URI. It is encoded as its text, since some coders have a special form for URLs.
    private static func uri(in container: KeyedDecodingContainer<CodingKeys>) throws -> URL? {
        guard let text = try? container.decodeIfPresent(String.self, forKey: .uriRepresentation) else {
            return try container.decodeIfPresent(URL.self, forKey: .uriRepresentation)
        }
        guard let url = URL(string: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .uriRepresentation, in: container, debugDescription: "'\(text)' is no URI")
        }
        return url
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(primaryKey, forKey: .primaryKey)
        try container.encode(isTemporary, forKey: .isTemporary)
        try container.encode(entityName, forKey: .entityName)
        try container.encode(uriRepresentation, forKey: .uriRepresentation)
        try container.encodeIfPresent(storeIdentifier, forKey: .storeIdentifier)
    }
}
