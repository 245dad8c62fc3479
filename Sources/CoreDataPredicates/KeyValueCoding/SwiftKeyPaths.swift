/// Finds the key of a Swift key path: the type at which it begins is asked.
package enum SwiftKeyPaths {
    /// The key of a key path, nil if it has none.
    package static func key(for keyPath: AnyKeyPath) -> String? {
        (type(of: keyPath).rootType as? any SwiftKeyPathNaming.Type)?.keyValueCodingKey(for: keyPath)
    }

    /// The key of a key path; one without stops the program, naming what asked for it.
    static func requiredKey(for keyPath: AnyKeyPath, of asking: String) -> String {
        if let key = key(for: keyPath) { return key }
        let root = type(of: keyPath).rootType
        let reason =
            (root as? any SwiftKeyPathNaming.Type)?.missingKeyReason(for: keyPath)
                ?? """
                \(root) doesn't name the keys of its key paths. Let it adopt SwiftKeyPathNaming, or give the key as a \
                string.
                """
        programmingError("\(asking): \(keyPath) has no key: \(reason)")
    }
}
