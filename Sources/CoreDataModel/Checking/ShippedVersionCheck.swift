// SPDX-License-Identifier: Apache-2.0

/// Finds versions of a model that changed after they were compiled. Stores created with the old definition no longer
/// match a version.
enum ShippedVersionCheck {
    /// The versions that changed.
    ///
    /// - Parameters:
    ///   - versions: the models to compile, by version name.
    ///   - changing: the version that may change; nil for none.
    ///   - shipped: the hashes of the compiled versions, by the names of version and entity.
    /// - Returns: the findings by version name.
    static func findings(
        in versions: [String: NSManagedObjectModel], changing: String?, shipped: [String: [String: Data]]
    ) -> [String: [ModelFinding]] {
        var findings: [String: [ModelFinding]] = [:]
        for (name, old) in shipped where name != changing {
            guard let new = versions[name]?.entityVersionHashesByName else { continue }
            let changes = changes(from: old, to: new)
            guard !changes.isEmpty else { continue }
            findings[name] = [
                ModelFinding(
                    .warning, .shippedVersion, key: name,
                    """
                    version '\(name)' was changed after it was compiled (\(changes.joined(separator: ", "))): stores \
                    created with it match no version any more, and can't be migrated. Undo the change, and make it \
                    in a new version
                    """)
            ]
        }
        return findings
    }

    /// The compiled versions that no longer exist.
    static func missing(in versions: [String: NSManagedObjectModel], shipped: [String: [String: Data]])
        -> [ModelFinding]
    {
        shipped.keys.filter { versions[$0] == nil }.sortedBytewise().map { name in
            ModelFinding(
                .warning, .shippedVersion, key: name,
                """
                version '\(name)' was compiled before, but is not in the source: stores created with it match no \
                version any more
                """
            )
        }
    }

    /// The entities that differ, as phrases.
    private static func changes(from old: [String: Data], to new: [String: Data]) -> [String] {
        Set(old.keys).union(new.keys).sortedBytewise().compactMap { entity in
            switch (old[entity], new[entity]) {
            case (nil, _): "entity '\(entity)' was added"
            case (_, nil): "entity '\(entity)' was removed"
            case (let old, let new): old == new ? nil : "entity '\(entity)' was changed"
            }
        }
    }
}
