/// A value of a model in the pool, whatever its type is there.
enum PoolValue: Equatable {
    case nothing
    case text(String)
    case number(Double)
    case flag(Bool)
}

/// A property of a model in the pool.
struct PoolField {
    /// The name that the property has in one of the versions. It is the same property in all of them.
    let identity: String
    let isOptional: Bool
    /// The value in rows of a version without the property.
    let defaultValue: PoolValue

    static func required(_ identity: String, _ defaultValue: PoolValue) -> PoolField {
        PoolField(identity: identity, isOptional: false, defaultValue: defaultValue)
    }

    static func optional(_ identity: String) -> PoolField {
        PoolField(identity: identity, isOptional: true, defaultValue: .nothing)
    }
}

/// A class in the pool: one of several with the same name.
protocol PoolRow: PersistentModel {
    static var fields: [PoolField] { get }
    var key: Int { get }
    var values: [String: PoolValue] { get set }

    init(key: Int)
}

extension PoolRow {
    /// The values of all models in a context, by their keys.
    static func read(_ context: ModelContext) throws -> [Int: [String: PoolValue]] {
        Dictionary(uniqueKeysWithValues: try context.fetch(FetchDescriptor<Self>()).map { ($0.key, $0.values) })
    }

    static func insert(_ values: [String: PoolValue], key: Int, into context: ModelContext) {
        let model = Self(key: key)
        context.insert(model)
        model.values = values
    }

    static func change(_ context: ModelContext, _ change: (Self) throws -> Void) throws {
        for model in try context.fetch(FetchDescriptor<Self>()) { try change(model) }
    }
}

extension PoolValue {
    init(_ text: String?) { self = text.map { .text($0) } ?? .nothing }

    init(_ number: Int?) { self = number.map { .number(Double($0)) } ?? .nothing }

    init(_ number: Double?) { self = number.map { .number($0) } ?? .nothing }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var number: Double? { if case .number(let number) = self { number } else { nil } }

    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}
