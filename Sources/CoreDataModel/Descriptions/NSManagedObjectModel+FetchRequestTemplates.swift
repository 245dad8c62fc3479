// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
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
            ?? NSFetchRequest<any NSFetchRequestResult>(copying: fetchRequestTemplate)
        setFetchRequestTemplate(template, forName: name)
    }
}
