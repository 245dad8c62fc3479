extension NSManagedObject {
    /// Calls `awakeFromFetch()` with change processing off, so that what it sets makes neither the object nor its
    /// context dirty.
    ///
    /// For classes that override it; inverses of relationships that it sets are left alone.
    @inline(never)
    final func awakeWithValues() {
        let wasSuppressingChangeTracking = flags.contains(.suppressesChangeTracking)
        let context = context
        let wasDisabled = context?.isChangeProcessingDisabled ?? false
        flags.insert(.suppressesChangeTracking)
        context?.isChangeProcessingDisabled = true
        awakeFromFetch()
        context?.isChangeProcessingDisabled = wasDisabled
        if !wasSuppressingChangeTracking { flags.remove(.suppressesChangeTracking) }
    }
}
