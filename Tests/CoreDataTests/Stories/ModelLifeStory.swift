import CoreData
import Testing

@Suite("Story 2: a model's life")
struct ModelLifeStory {
    static func publications(title: (NSAttributeDescription) -> Void = { _ in }, more: [NSPropertyDescription] = [])
        -> NSManagedObjectModel
    {
        let author = entity("Author")
        let publication = entity("Publication")
        let mainAuthor = toOne("mainAuthor", author)
        let publications = toMany("publications", publication)
        pair(mainAuthor, publications)
        let titleAttribute = attribute("title", .stringAttributeType)
        title(titleAttribute)
        author.properties = [
            attribute("firstName", .stringAttributeType, optional: false), attribute("lastName", .stringAttributeType),
            publications,
        ]
        publication.properties = [titleAttribute, attribute("publicationDate", .dateAttributeType), mainAuthor] + more
        let model = model([author, publication])
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Publication")
        request.predicate = NSPredicate(
            format: """
                (mainAuthor.firstName like[cd] $FIRST_NAME) AND (mainAuthor.lastName like[cd] $LAST_NAME) AND \
                (publicationDate > $DATE)
                """
        )
        model.setFetchRequestTemplate(request, forName: "publicationsForAuthor")
        let undated = NSFetchRequest<any NSFetchRequestResult>(entityName: "Publication")
        undated.predicate = NSPredicate(format: "publicationDate == $DATE")
        model.setFetchRequestTemplate(undated, forName: "byDate")
        let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "Publication")
        model.setFetchRequestTemplate(all, forName: "all")
        return model
    }

    @Test("A new entity or attribute makes old stores incompatible, a new rule or default value does not")
    func incompatible() throws {
        let folder = try TemporaryFolder()
        func open(_ model: NSManagedObjectModel) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"), options: nil)
        }
        try open(Self.publications())
        try open(
            Self.publications { title in
                title.defaultValue = "Untitled"
                title.setValidationPredicates(
                    [NSPredicate(format: "length < 200")], withValidationWarnings: ["Title too long"])
            })
        let withEntity = Self.publications()
        withEntity.entities.append(entity("Journal", [attribute("name", .stringAttributeType)]))
        for newer in [Self.publications(more: [attribute("pages", .integer16AttributeType)]), withEntity] {
            let error = try requireValue(thrownError { try open(newer) })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
            expectContains(
                error.localizedDescription,
                "The model used to open the store is incompatible with the one used to create the store")
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: folder.file("a.sqlite"))
            expectFalse(newer.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            // The model that the store was made with is found among several.
            expectEqual(
                NSManagedObjectModel(byMerging: [newer, Self.publications()], forStoreMetadata: metadata)?
                    .entityVersionHashesByName,
                Self.publications().entityVersionHashesByName)
        }
    }

    @Test("The model is reached from a context's coordinator and from an object's entity")
    func reaching() throws {
        try withStack(.memory, model: Self.publications()) { stack in
            let author = stack.context.make("Author", nil, ["firstName": "Ada"])
            #expect(stack.context.persistentStoreCoordinator?.managedObjectModel === stack.model)
            #expect(author.entity.managedObjectModel === stack.model)
            #expect(author.objectID.entity === author.entity)
        }
    }

    @Test(
        "A template is fetched with its variables replaced; NSNull stands for nil; one without variables needs none",
        arguments: StoreKind.allCases)
    func templates(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.publications()) { stack in
            let ada = stack.context.make("Author", nil, ["firstName": "Ada", "lastName": "Lovelace"])
            let old = Date(timeIntervalSinceReferenceDate: -5_000_000_000)
            let new = Date(timeIntervalSinceReferenceDate: 0)
            stack.context.make("Publication", nil, ["title": "Letters", "publicationDate": old, "mainAuthor": ada])
            stack.context.make("Publication", nil, ["title": "Notes", "publicationDate": new, "mainAuthor": ada])
            stack.context.make("Publication", nil, ["title": "Draft"])
            try stack.context.save()
            func titles(_ name: String, _ variables: [String: Any]) throws -> [String] {
                let request = try requireValue(
                    stack.model.fetchRequestFromTemplate(withName: name, substitutionVariables: variables))
                return try stack.context.fetch(request).compactMap { ($0 as? NSManagedObject)?.text("title") }.sorted()
            }
            try expectEqual(
                titles(
                    "publicationsForAuthor",
                    ["FIRST_NAME": "ádá", "LAST_NAME": "love*", "DATE": Date(timeIntervalSinceReferenceDate: -1)]),
                [
                    "Notes"
                ])
            try expectEqual(
                titles("publicationsForAuthor", ["FIRST_NAME": "a*", "LAST_NAME": "*", "DATE": Date.distantPast]),
                ["Letters", "Notes"])
            try expectEqual(titles("byDate", ["DATE": NSNull()]), ["Draft"])
            try expectEqual(titles("byDate", ["DATE": new, "MORE": 1]), ["Notes"])
            try expectEqual(titles("all", [:]).count, 3)
            expectEqual(stack.model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]), nil)
        }
    }

    @Test("A template belongs to the model in use; a copy may be changed")
    func templateCopy() throws {
        try withStack(.memory, model: Self.publications()) { stack in
            let template = try requireValue(stack.model.fetchRequestTemplate(forName: "publicationsForAuthor"))
            #expect(template.predicate is NSCompoundPredicate)
            let copy = try #require(template.copy() as? NSFetchRequest<any NSFetchRequestResult>)
            copy.fetchLimit = 3
            copy.predicate = nil
            expectEqual(template.fetchLimit, 0)
            #expect(template.predicate != nil)
            expectEqual(stack.model.fetchRequestTemplatesByName.count, 3)
        }
    }

    #if compiler(>=6.2)
        @Test("Changing a template of a model in use stops with Apple's message")
        func templateChange() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try withStack(.memory, model: Self.publications()) {
                    $0.model.fetchRequestTemplate(forName: "all")?.fetchLimit = 1
                }
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Can't modify a named fetch request in an immutable model")
        }

        @Test("A variable without value stops and is named")
        func missingVariable() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Self.publications().fetchRequestFromTemplate(
                    withName: "publicationsForAuthor", substitutionVariables: ["FIRST_NAME": "a", "LAST_NAME": "b"])
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "'$DATE'")
            expectContains(text, "publicationsForAuthor")
        }

        @Test("The localization dictionary of a model in use can't be changed")
        func lateLocalization() async {
            await #expect(processExitsWith: .failure) {
                try withStack(.memory, model: Self.publications()) {
                    $0.model.localizationDictionary = ["Entity/Author": "Writer"]
                }
            }
        }
    #endif

    @Test(
        "A model wholly in code: Run, with its class, default value, rule and the rule's words",
        arguments: StoreKind.allCases)
    func run(_ kind: StoreKind) throws {
        let run = entity("Run")
        run.managedObjectClassName = NSStringFromClass(StoryRun.self)
        let processID = attribute("processID", .integer32AttributeType, optional: false, defaultValue: 0)
        processID.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["Process ID < 0"])
        run.properties = [attribute("date", .dateAttributeType, optional: false), processID]
        let model = model([run])
        model.localizationDictionary = [
            "Property/date/Entity/Run": "Date", "ErrorString/Process ID < 0": "Process ID must not be less than 0",
        ]
        try withStack(kind, model: model) { stack in
            let run = StoryRun(context: stack.context)
            expectEqual(run.number("processID"), 0)
            expectEqual(thrownError { try stack.context.save() }?.localizedDescription, "Date is a required value.")
            run.setValuesForKeys(["date": Date(), "processID": -1])
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 1550)
            expectEqual(error.localizedDescription, "Process ID must not be less than 0")
            run.setValue(ProcessInfo.processInfo.processIdentifier, forKey: "processID")
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEqual($0.fetch(NSFetchRequest<StoryRun>(entityName: "Run")).count, 1)
            }
        }
    }
}

final class StoryRun: NSManagedObject {}
