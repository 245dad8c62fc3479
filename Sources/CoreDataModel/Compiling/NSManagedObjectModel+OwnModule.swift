// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// Replaces the leading dot of class names, which stands for the program's own module, by a module.
    ///
    /// A compiled model has the names that the runtime knows: `Music.Song`. Version hashes don't depend on them.
    package final func nameOwnModule(_ module: String) {
        for entity in entities {
            guard let name = entity.explicitClassName, name.hasPrefix("."), name.count > 1 else { continue }
            entity.managedObjectClassName = module + name
        }
    }
}
