extension NSManagedObjectContext {
    /// The origin of the changes of a save or of a batch request of the context.
    final var changeOrigin: ChangeOrigin { ChangeOrigin(author: transactionAuthor, contextName: name) }
}
