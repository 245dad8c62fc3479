import CoreDataServer
import TestSupport

/// Snapshots with any values under known and unknown keys.
enum RandomSnapshot {
    static func make(_ random: inout SeededGenerator, keys: [String]) -> ManagedObjectSnapshot {
        var values: [String: SnapshotValue] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let key = keys.randomElement(using: &random) ?? ""
            values[String(key.split(separator: ".").first ?? "")] = value(&random, keys, depth: 3)
        }
        return ManagedObjectSnapshot(values)
    }

    private static func value(_ random: inout SeededGenerator, _ keys: [String], depth: Int) -> SnapshotValue {
        switch Int.random(in: 0...(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: -3...40_000, using: &random))
        case 3: return .number(Double.random(in: -1e6...1e6, using: &random))
        case 4:
            return .string(
                ["", "a", "12.5", "2026-11-26T15:04:05Z", "QUJD", "x-coredata://A/Tag/p1"].randomElement(using: &random)
                    ?? "")
        case 5: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 6: return .string(String(repeating: "é", count: Int.random(in: 0...30, using: &random)))
        case 7:
            return .array(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, keys, depth: depth - 1) })
        default:
            var values: [String: SnapshotValue] = [:]
            for key in ["name", "city", "height", "objectID", "x"] where random.chance(1, of: 3) {
                values[key] = value(&random, keys, depth: depth - 1)
            }
            return .object(values)
        }
    }
}
