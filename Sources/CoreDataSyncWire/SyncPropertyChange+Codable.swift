// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The JSON of a change: its base, and one key for what changes. A push has one for each property of each object, so
/// the keys are short and nothing is nested.
extension SyncPropertyChange: Codable {
    private enum Key: String, CodingKey {
        case base = "b"
        case value = "v"
        case difference = "d"
        case added = "a"
        case removed = "r"
        case moves = "m"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(base, forKey: .base)
        switch change {
        case .value(let value): try container.encode(value, forKey: .value)
        case .difference(let difference): try container.encode(difference, forKey: .difference)
        case .members(let added, let removed):
            try container.encode(added, forKey: .added)
            try container.encode(removed, forKey: .removed)
        case .moves(let moves): try container.encode(moves, forKey: .moves)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        base = try container.decode(Int64.self, forKey: .base)
        let kinds = container.allKeys.filter { $0 != .base }
        switch kinds {
        case [.value]: change = .value(try container.decode(SyncValue.self, forKey: .value))
        case [.difference]: change = .difference(try container.decode(SyncValue.self, forKey: .difference))
        case [.added, .removed], [.removed, .added]:
            change = .members(
                added: try container.decode([UUID].self, forKey: .added),
                removed: try container.decode([UUID].self, forKey: .removed))
        case [.moves]: change = .moves(try container.decode([SyncMove].self, forKey: .moves))
        default:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A change has one key for what changes."))
        }
    }
}
