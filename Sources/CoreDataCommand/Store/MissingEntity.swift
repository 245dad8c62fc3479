// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// The error of a verb that needs an entity. It names the entities of the store.
enum MissingEntity {
    static func error(in location: StoreLocation, modelPath: String?) -> ValidationError {
        // A store that can't be read has no entities to name.
        let names = try? ReadOnlyStore(location, modelPath: modelPath).entities.compactMap(\.name).sorted()
        guard let names, !names.isEmpty else { return ValidationError("Missing expected argument '--entity <entity>'") }
        return ValidationError(
            "Add the entity by --entity. \(location.text) has: \(names.joined(separator: ", ")).")
    }
}
