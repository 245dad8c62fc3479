extension NSEntityDescription {
    /// What the model compiler does with a source model: the old form (a flag, a list of names) beside each fetch index
    /// over properties. The other way, from the old forms to fetch indexes, is `convertedIndexes`; using a model does
    /// it.
    package final func addLegacyFormsOfIndexes() {
        for name in singleAttributeNames {
            ownPropertyStorage.first { $0.nameStorage == name && $0 is NSAttributeDescription }?.setHasLegacyIndex(true)
        }
        let lists = compiledCompoundIndexes
        if lists.count != compoundIndexStorage.count { setLegacyCompoundIndexes(lists) }
    }
}
