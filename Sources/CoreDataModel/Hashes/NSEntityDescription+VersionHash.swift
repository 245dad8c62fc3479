extension NSEntityDescription {
    /// The hash of an entity: name, abstractness, parent, all stored properties by name, modifier, uniqueness
    /// constraints.
    final func computeVersionHash() -> Data {
        var bytes = Array((nameStorage ?? "").utf8)
        bytes.append(isAbstractStorage ? 1 : 0)
        if let superentityStorage { bytes.append(contentsOf: superentityStorage.versionHash) }
        let hashed = properties.filter(\.entersEntityVersionHash).sorted {
            $0.nameStorage.precedesBytewise($1.nameStorage)
        }
        for property in hashed { bytes.append(contentsOf: property.versionHash) }
        if let versionHashModifierStorage { bytes.append(contentsOf: versionHashModifierStorage.utf8) }
        // The order inside a constraint is kept; several constraints are ordered by their joined names.
        let constraints = uniquenessConstraintNames.map { $0.joined(separator: ".") }.sorted { $0.precedesBytewise($1) }
        for constraint in constraints { bytes.append(contentsOf: constraint.utf8) }
        return Data(SHA256.hash(bytes))
    }
}
