extension NSManagedObjectModel {
    /// The named fetch requests of the model. Those of an immutable model are immutable: change a copy.
    public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templateStorage }

    /// A named fetch request of the model, with its variables.
    ///
    /// - Parameter name: the name of the template.
    /// - Returns: the request itself, which belongs to the model; nil if there is none of that name. Change a copy of
    ///   it.
    public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templateStorage[name]
    }

    /// Stores a fetch request under a name.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: a request, whose predicate can contain variables; nil removes the template.
    ///   - name: the name of the template.
    public final func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        willModify("fetchRequestTemplatesByName")
        templateStorage[name] = fetchRequestTemplate
    }

    /// Stores a fetch request of any result type under a name. **Extension**: Apple's platforms need a cast.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: a request, whose predicate can contain variables.
    ///   - name: the name of the template.
    public final func setFetchRequestTemplate<ResultType>(
        _ fetchRequestTemplate: NSFetchRequest<ResultType>, forName name: String
    ) {
        // A request of the general type is stored itself. The type annotation selects the method above.
        let template: NSFetchRequest<any NSFetchRequestResult>? =
            fetchRequestTemplate as? NSFetchRequest<any NSFetchRequestResult>
            ?? NSFetchRequest<any NSFetchRequestResult>(fetchDescription: fetchRequestTemplate.fetchDescription)
        setFetchRequestTemplate(template, forName: name)
    }
}

extension NSManagedObjectModel {
    /// A copy of a named fetch request in which values replace the variables.
    ///
    /// Stops the program if a variable of the template has no value. `NSNull` stands for nil.
    ///
    /// - Parameters:
    ///   - name: the name of the template.
    ///   - variables: the values by the names of the variables, without `$`.
    /// - Returns: a mutable request; nil if there is no template of that name.
    public final func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = templateStorage[name] else { return nil }
        let request = NSFetchRequest<any NSFetchRequestResult>(fetchDescription: template.fetchDescription)
        request.affectedStoresStorage = template.affectedStoresStorage
        guard let predicate = template.predicate else { return request }
        if let missing = PredicateVariables.names(in: predicate).subtracting(variables.keys).sorted().first {
            programmingError(
                """
                The fetch request template '\(name)' has the variable '$\(missing)', for which no value was given. \
                Give a value for every variable; NSNull stands for nil.
                """)
        }
        request.predicate = predicate.withSubstitutionVariables(variables)
        return request
    }
}
