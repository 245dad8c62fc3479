/// A behaviour that some kinds of stores don't have, and why. The guide Stores.md lists the differences.
package enum StoreDifference {
    /// A file that is read as a whole when it is added doesn't show what another coordinator saves, and refuses to
    /// overwrite it.
    case fileReadOnce
    /// IDs of files count the objects of all entities, IDs of a program's own stores have its reference objects.
    case otherKeys
    /// An object of a program's own store gets its permanent ID before the store writes, and keeps it if that fails.
    case earlyIDs
    /// A store of the program's own copies the values of the objects by `value(forKey:)`.
    case valuesReadByKey
    /// The archive of a value may contain only classes that conform to `NSSecureCoding`.
    case secureArchives
    /// The example stores drop references to objects that are gone.
    case noDanglingReferences
    /// Attributes derived over relationships reach a store of the program's own when their own object is saved.
    case derivedWithOwner
    /// Only the service of an incremental store could look for objects with equal values.
    case noUniqueness
    /// An incremental store computes the dictionaries of a fetch itself; the example computes no expressions or groups,
    /// and has its own errors.
    case ownDictionaries
    /// An incremental store evaluates predicates and orders itself, and has its own errors. Objects with equal sort
    /// values are in the order of the service.
    case ownEvaluation
    /// An incremental store gets the objects of its results from the context.
    case objectsFromContext

    /// PostgreSQL stores dates in microseconds.
    case microseconds
    /// PostgreSQL has no texts with the character NUL.
    case textsWithoutNUL

    package var kinds: Set<StoreKind> {
        switch self {
        case .fileReadOnce: [.binary, .xml, .json]
        case .otherKeys: [.binary, .xml, .json, .incremental]
        case .earlyIDs, .valuesReadByKey, .secureArchives, .noDanglingReferences, .derivedWithOwner:
            [.json, .incremental]
        case .noUniqueness, .ownDictionaries, .ownEvaluation, .objectsFromContext: [.incremental]
        case .microseconds, .textsWithoutNUL: [.postgresql]
        }
    }
}

extension [StoreKind] {
    /// The kinds without those to which a behaviour doesn't apply.
    package func without(_ differences: StoreDifference...) -> [StoreKind] {
        filter { kind in !differences.contains { $0.kinds.contains(kind) } }
    }
}
