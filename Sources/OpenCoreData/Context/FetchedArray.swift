/// Arrays of objects as arrays of their class, without a cast of each element.
enum FetchedArray {
    /// The array as one of `T`, nil if an object is none.
    static func objects<T>(_ objects: [NSManagedObject], as type: T.Type) -> [T]? {
        guard let wanted = T.self as? NSManagedObject.Type else { return objects as? [T] }
        if wanted != NSManagedObject.self {
            // Results are of few classes, mostly one: each run of one class is tested once.
            var known: AnyClass?
            for object in objects {
                let present: AnyClass = Swift.type(of: object)
                if present == known { continue }
                guard object is T else { return nil }
                known = present
            }
        }
        // Arrays of class instances have one layout, and every element was tested.
        return unsafeBitCast(objects, to: [T].self)
    }
}
