/// Stops the program for a mistake that Apple's Core Data answers with an exception.
///
/// - Parameters:
///   - what: what was wrong, naming entity and key.
///   - remedy: what to do about it.
func programmingError(_ what: String, remedy: String) -> Never {
    fatalError("CoreData: \(what) \(remedy)")
}
