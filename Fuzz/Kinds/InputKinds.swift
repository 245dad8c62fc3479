/// All kinds, in the order of the table.
enum InputKinds {
    static let all: [any InputKind] = [
        SourceModelKind(), OldSourceKind(), CurrentVersionKind(), CompiledModelKind(isXML: false),
        CompiledModelKind(isXML: true),
        VersionInfoKind(), ModelCacheKind(), StringsKind(), CompiledMappingKind(), SourceMappingKind(),
        NotationKind(), SwiftSourceKind(), PredicateKind(), XMLStoreKind(), BinaryStoreKind(), SQLiteStoreKind(),
        StoredValuesKind.rows,
        StoredValuesKind.history,
    ]

    static func named(_ name: String) -> (any InputKind)? { all.first { $0.name == name } }
}
