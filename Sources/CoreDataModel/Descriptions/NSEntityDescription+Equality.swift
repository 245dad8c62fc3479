extension NSEntityDescription {
    /// Equal values, equal declared properties, and relatives of the same names.
    final func describesSameEntity(as other: NSEntityDescription) -> Bool {
        guard nameStorage == other.nameStorage, managedObjectClassName == other.managedObjectClassName,
            isAbstractStorage == other.isAbstractStorage, superentityName == other.superentityName,
            versionHashModifierStorage == other.versionHashModifierStorage,
            renamingIdentifier == other.renamingIdentifier,
            uniquenessConstraintNames == other.uniquenessConstraintNames,
            compoundIndexNames == other.compoundIndexNames,
            userInfosAreEqual(userInfoStorage, other.userInfoStorage),
            expressionsAreEqual(displayNameExpressionStorage, other.displayNameExpressionStorage),
            ownPropertyStorage.count == other.ownPropertyStorage.count, indexStorage == other.indexStorage
        else { return false }
        let others = Self.byName(other.ownPropertyStorage)
        return ownPropertyStorage.allSatisfy { $0.isEqual(others[$0.nameStorage]) }
    }
}
