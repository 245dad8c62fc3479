import OpenCoreData

/// An object named by its ID: the whole URI for programs, `Entity/p1` for people.
struct ObjectReference: Comparable {
    let uri: String
    let short: String

    init(_ id: NSManagedObjectID) {
        let url = id.uriRepresentation()
        uri = url.absoluteString
        short = url.pathComponents.suffix(2).joined(separator: "/")
    }

    /// By entity, then by key as a number, so that `p10` follows `p9`.
    static func < (left: ObjectReference, right: ObjectReference) -> Bool {
        left.short.compare(right.short, options: .numeric) == .orderedAscending
    }
}
