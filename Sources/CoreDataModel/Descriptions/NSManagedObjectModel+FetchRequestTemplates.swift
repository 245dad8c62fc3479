extension NSManagedObjectModel {
    /// The named fetch requests of the model. Those of an immutable model can't be changed; change a copy.
    public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templateStorage }

    /// A named fetch request, as it is in the model, with its variables.
    ///
    /// - Parameter name: the template's name.
    /// - Returns: the template itself, which belongs to the model (change a copy), or nil if there is none of that
    ///   name.
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

extension NSManagedObjectModel {
    /// A copy of a named fetch request, with values in the place of its variables.
    ///
    /// Every variable of the template must be given; `NSNull` stands for nil. Otherwise the program stops.
    ///
    /// - Parameters:
    ///   - name: the template's name.
    ///   - variables: the values by variable name, without `$`.
    /// - Returns: a request that may be changed, or nil if there is no template of that name.
    public final func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = templateStorage[name] else { return nil }
        let request = NSFetchRequest<any NSFetchRequestResult>(fetchDescription: template.fetchDescription)
        request.affectedStoresStorage = template.affectedStoresStorage
        guard let predicate = template.predicate else { return request }
        if let missing = PredicateVariables.names(in: predicate).subtracting(variables.keys).sorted().first {
            programmingError(
                "The fetch request template '\(name)' has the variable '$\(missing)', for which no value was given. "
                    + "Give a value for every variable; NSNull stands for nil.")
        }
        request.predicate = predicate.withSubstitutionVariables(variables)
        return request
    }
}
