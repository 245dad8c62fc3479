// SPDX-License-Identifier: Apache-2.0

// Key paths of managed objects have the keys of the properties that they read, or under which their property is
// registered.
extension NSManagedObject: SwiftKeyPathNaming {
    /// **Extension.** The keys of a Swift key path along managed properties, for example `album.title` of
    /// `\Song.album?.title`.
    ///
    /// The key path is read once, from an object without context that records which properties are read. May be called
    /// on any thread.
    ///
    /// - Returns: nil for a key path that doesn't lead to a managed property, and for a property that is computed from
    ///   several properties.
    public static func keyValueCodingKey(for keyPath: AnyKeyPath) -> String? {
        try? KnownKeyPaths.key(of: keyPath).get()
    }

    /// **Extension.** Why a key path has no key.
    public static func missingKeyReason(for keyPath: AnyKeyPath) -> String {
        guard case .failure(let problem) = KnownKeyPaths.key(of: keyPath) else { return "" }
        return problem.reason
    }
}

/// The results of key paths that were read already. The lock guards them; it isn't held while a key path is read.
private enum KnownKeyPaths {
    private struct Known: @unchecked Sendable { var keys: [AnyKeyPath: Result<String, KeyPathProblem>] = [:] }
    // Sendable: key paths are immutable, but AnyKeyPath makes no promise about values that subscripts capture. These
    // key paths are only compared.
    private static let known = Locked(Known())

    static func key(of keyPath: AnyKeyPath) -> Result<String, KeyPathProblem> {
        nonisolated(unsafe) let keyPath = keyPath
        if let found = known.withLock({ $0.keys[keyPath] }) { return found }
        // The getter of a registered property may read several other properties.
        let found = RegisteredMembers.key(of: keyPath).map(Result.success) ?? KeyRecording.key(of: keyPath)
        known.withLock { $0.keys[keyPath] = found }
        return found
    }
}
