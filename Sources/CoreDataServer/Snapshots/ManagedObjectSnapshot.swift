// SPDX-License-Identifier: Apache-2.0

/// The values of an object and of related objects, without a context: a Codable value that any task may use.
///
/// **Extension.** ``SnapshotProperties`` makes a snapshot of an object, and writes a snapshot into an object.
///
/// ```swift
/// let shown = try SnapshotProperties(["title", "isDone", "assignee.name"], of: task.entity)
/// let data = try shown.snapshot(of: task).json()
/// // {"assignee":{"name":"Ada","objectID":"x-coredata://…/Member/p2"},"isDone":false,"objectID":"…","title":"…"}
/// ```
public struct ManagedObjectSnapshot: Hashable, Sendable {
    /// The values by key. A relationship has an ID or an array of IDs, or an object or an array of objects.
    public var values: [String: SnapshotValue]

    /// Makes a snapshot with values.
    ///
    /// - Parameter values: the values by key.
    public init(_ values: [String: SnapshotValue]) { self.values = values }

    /// Reads a snapshot from JSON. The initializer doesn't check keys and types: ``SnapshotProperties`` does.
    ///
    /// - Parameter json: a JSON object in UTF-8.
    /// - Throws: ``SnapshotError`` with a problem of the kind `notJSON`.
    public init(json: Data) throws {
        do {
            self = try JSONDecoder().decode(ManagedObjectSnapshot.self, from: json)
        } catch let error as SnapshotError {
            throw error
        } catch DecodingError.dataCorrupted {
            throw SnapshotError("", .notJSON, "The text is not JSON in UTF-8, or has a number that is too large.")
        } catch {
            throw SnapshotError("", .notJSON, "The text is not a JSON object.")
        }
    }

    /// The snapshot as JSON, with its keys in order.
    ///
    /// - Throws: `EncodingError` for a number that JSON doesn't have.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The value of a key; nil if it isn't in the snapshot.
    public subscript(key: String) -> SnapshotValue? {
        get { values[key] }
        set { values[key] = newValue }
    }
}

extension ManagedObjectSnapshot: Codable {
    /// Reads an object with any keys.
    ///
    /// - Throws: `DecodingError` for another value.
    public init(from decoder: any Decoder) throws {
        guard case .object(let values) = try SnapshotValue(from: decoder) else {
            throw DecodingError.typeMismatch(
                [String: SnapshotValue].self,
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "A snapshot is an object."))
        }
        self.values = values
    }

    /// Writes the values as an object.
    public func encode(to encoder: any Encoder) throws { try SnapshotValue.object(values).encode(to: encoder) }
}
