extension NSManagedObjectModel {
    /// The named fetch requests of the model. Those of an immutable model can't be changed; change a copy.
    public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templateStorage }

    /// A named fetch request, as it is in the model, with its variables.
    ///
    /// - Parameter name: the template's name.
    /// - Returns: the template itself, which belongs to the model (change a copy), or nil if there is none of that name.
    public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templateStorage[name]
    }

    /// Stores a fetch request under a name.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: a request whose predicate may hold variables; nil removes the template.
    ///   - name: the template's name.
    public final func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        willModify("fetchRequestTemplatesByName")
        templateStorage[name] = fetchRequestTemplate
    }

    /// **Extension**: takes a request of any result type, where Apple's platforms need a cast.
    public final func setFetchRequestTemplate<ResultType>(
        _ fetchRequestTemplate: NSFetchRequest<ResultType>, forName name: String
    ) {
        // A request of the general type is kept as it is; the type annotation picks the method above.
        let template: NSFetchRequest<any NSFetchRequestResult>? =
            fetchRequestTemplate as? NSFetchRequest<any NSFetchRequestResult>
            ?? NSFetchRequest<any NSFetchRequestResult>(fetchDescription: fetchRequestTemplate.fetchDescription)
        setFetchRequestTemplate(template, forName: name)
    }
}
