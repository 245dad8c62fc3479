// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

extension NSManagedObjectModel {
    /// **Extension.** Gives the model a fetch request template from a Swift predicate.
    ///
    /// The inputs of the predicate behind the model are the template's variables:
    ///
    ///     let mine = #Predicate<Membership, String> { membership, user in membership.user == user }
    ///     try model.setFetchRequestTemplate(mine, variables: "USER", forName: "mine")
    ///
    /// is the template `user == $USER` of the entity `Membership`. As on Apple's platforms, a model that a coordinator
    /// uses can't be changed. Not safe to call while another thread uses the model.
    ///
    /// - Parameters:
    ///   - predicate: the predicate, whose first input is a model. Captured values are read now; a model can't be one.
    ///   - variables: the names of the inputs behind the model, in their order, without the dollar sign.
    ///   - name: the name of the template. A template of this name is replaced.
    /// - Throws: `SwiftDataError.unknownSchema` if the first input is no model, or one without an entity here;
    ///   `SwiftDataError.unsupportedPredicate` if a part can't be translated, or the name of an input is missing or no
    ///   identifier.
    public func setFetchRequestTemplate<each Input>(
        _ predicate: Predicate<repeat each Input>, variables: String..., forName name: String
    ) throws {
        var types: [any Any.Type] = []
        for type in repeat (each Input).self { types.append(type) }
        guard let type = types.first as? any PersistentModel.Type,
            let entity = entitiesByName[Schema.entityName(for: type)]
        else {
            let first = types.first.map { "\($0)" } ?? "no input"
            throw SwiftDataError(.unknownSchema, "The managed object model has no entity of the class \(first).")
        }
        func refuse(_ text: String) -> SwiftDataError {
            SwiftDataError(.unsupportedPredicate, "A predicate of \(type) can't be translated: \(text).")
        }
        for variable in variables where !Self.isVariable(variable) {
            throw refuse("“\(variable)” is no name of a variable")
        }
        guard Set(variables).count == types.count - 1, variables.count == types.count - 1 else {
            throw refuse("it has \(types.count - 1) inputs behind the model, and each needs a name of its own")
        }
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
        request.predicate = try ModelPredicates.template(predicate, of: type, variables: variables)
        setFetchRequestTemplate(request, forName: name)
    }

    /// Whether a format could have a name behind a dollar sign. Variables of subqueries are named by the translation.
    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
        let isName = name.unicodeScalars.allSatisfy {
            $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        return isName && name.wholeMatch(of: /x[0-9]+/) == nil
    }
}
