/// Who makes the changes of a save or of a batch request, as the history of a store records it.
struct ChangeOrigin {
    /// The `transactionAuthor` of the context.
    var author: String?
    /// The name of the context.
    var contextName: String?
}
