import CoreData
import Testing

@Suite("Fetch request templates")
struct FetchTemplateTests {
    private func makeModel() -> NSManagedObjectModel {
        let author = entity(
            "Author", [attribute("firstName", .stringAttributeType), attribute("lastName", .stringAttributeType)])
        let publication = entity(
            "Publication", [attribute("name", .stringAttributeType), attribute("publicationDate", .dateAttributeType)])
        let mainAuthor = toOne("mainAuthor", author)
        let publications = toMany("publications", publication)
        pair(mainAuthor, publications)
        author.properties.append(publications)
        publication.properties.append(mainAuthor)
        let model = model([author, publication])
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Publication")
        request.predicate = NSPredicate(
            format: """
                (mainAuthor.firstName like[cd] $FIRST_NAME) AND (mainAuthor.lastName like[cd] $LAST_NAME) AND \
                (publicationDate > $DATE)
                """
        )
        model.setFetchRequestTemplate(request, forName: "PublicationsForAuthorSinceDate")
        let undated = NSFetchRequest<any NSFetchRequestResult>(entityName: "Publication")
        undated.predicate = NSPredicate(format: "publicationDate == $DATE")
        model.setFetchRequestTemplate(undated, forName: "Dated")
        return model
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        let fiona = context.make("Author", nil, ["firstName": "Fiona", "lastName": "Müller"])
        let fred = context.make("Author", nil, ["firstName": "Fred", "lastName": "Miller"])
        for (index, author) in [fiona, fiona, fred].enumerated() {
            context.make(
                "Publication", "p\(index)",
                ["mainAuthor": author, "publicationDate": Date(timeIntervalSinceReferenceDate: Double(index))])
        }
        context.make("Publication", "undated", ["mainAuthor": fred])
        try context.save()
    }

    private func names(_ request: NSFetchRequest<any NSFetchRequestResult>?, _ context: NSManagedObjectContext) throws
        -> [String]
    {
        try context.fetch(requireValue(request)).compactMap { ($0 as? NSManagedObject)?.text("name") }.sorted()
    }

    @Test("values replace variables", arguments: StoreKind.allCases)
    func substituting(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            try fill(stack.context)
            let request = stack.model.fetchRequestFromTemplate(
                withName: "PublicationsForAuthorSinceDate",
                substitutionVariables: [
                    "FIRST_NAME": "fiona", "LAST_NAME": "MULLER", "DATE": Date(timeIntervalSinceReferenceDate: 0.5),
                ])
            try expectEqual(names(request, stack.context), ["p1"])
            request?.fetchLimit = 1
            expectEqual(stack.model.fetchRequestTemplate(forName: "PublicationsForAuthorSinceDate")?.fetchLimit, 0)
        }
    }

    @Test("NSNull stands for nil", arguments: StoreKind.allCases)
    func null(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            try fill(stack.context)
            try expectEqual(
                names(
                    stack.model.fetchRequestFromTemplate(withName: "Dated", substitutionVariables: ["DATE": NSNull()]),
                    stack.context), ["undated"])
        }
    }

    @Test("a name that no template has gives nil")
    func unknown() {
        let model = makeModel()
        expectEqual(model.fetchRequestFromTemplate(withName: "Nothing", substitutionVariables: [:]), nil)
        expectEqual(model.fetchRequestTemplate(forName: "Nothing"), nil)
        expectEqual(model.fetchRequestTemplatesByName.keys.sorted(), ["Dated", "PublicationsForAuthorSinceDate"])
    }

    @Test("the template of an immutable model can't be changed; a copy can")
    func immutable() async throws {
        try withStack(.memory, model: makeModel()) { stack in
            let template = try requireValue(stack.model.fetchRequestTemplate(forName: "Dated"))
            let copy = try #require(template.copy() as? NSFetchRequest<any NSFetchRequestResult>)
            copy.predicate = NSPredicate(format: "name == 'x'")
            copy.fetchLimit = 3
            expectEqual(template.fetchLimit, 0)
            #expect(copy != template)
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = FetchTemplateTests().makeModel()
            _ = NSPersistentStoreCoordinator(managedObjectModel: model)
            model.fetchRequestTemplate(forName: "Dated")?.fetchLimit = 1
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(text, "Can't modify a named fetch request in an immutable model", "\(text)")
    }

    @Test("a variable without a value stops the program and is named")
    func missing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FetchTemplateTests().makeModel().fetchRequestFromTemplate(
                withName: "PublicationsForAuthorSinceDate",
                substitutionVariables: ["FIRST_NAME": "a", "LAST_NAME": "b"])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(text, "$DATE", "\(text)")
    }
}
