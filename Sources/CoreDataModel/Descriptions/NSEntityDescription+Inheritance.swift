// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription {
    /// The greatest depth of inheritance. Some functions walk the hierarchy recursively.
    static let ancestorLimit = 256

    /// The name of the parent, which is also known while the model contains no such entity.
    package final var superentityName: String? {
        get { superentityStorage?.nameStorage ?? pendingSuperentityName }
        set {
            willModify("superentity")
            pendingSuperentityName = newValue
        }
    }

    /// The topmost ancestor, or the entity itself. Its table contains the rows of the whole hierarchy.
    final var rootEntity: NSEntityDescription {
        var entity = self
        while let parent = entity.superentityStorage { entity = parent }
        return entity
    }
}
