import CoreData
import OpenCoreData
import Testing

@Suite("coredata: fetches from real stores", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct CorpusFetchTests {
    let folder = try! TemporaryFolder()

    struct Question: CustomTestStringConvertible, Sendable {
        let entity: String
        let predicate: String
        /// The same query in SQL.
        let sql: String

        init(_ entity: String, _ predicate: String, _ sql: String) {
            self.entity = entity
            self.predicate = predicate
            self.sql = sql
        }

        var testDescription: String { "\(entity): \(predicate)" }
    }

    private func keys(_ store: String, model: String?, _ question: Question) async throws -> [Int64] {
        let model = try model.map { ["--model", try Corpus.path($0)] } ?? []
        let run = try await CommandRun(
            arguments: [
                "store", "fetch", store, "--entity", question.entity, "--predicate", question.predicate, "--format",
                "json",
            ] + model)
        expectEqual(run.status, 0, "\(run.errors)")
        let objects = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
        return (objects ?? []).compactMap { object in
            (object["objectID"] as? String)?.split(separator: "/").last.flatMap { Int64($0.dropFirst()) }
        }.sorted()
    }

    private func expectAgreement(_ store: String, model: String?, _ question: Question) async throws {
        let copy = try Corpus.copy(store, into: folder)
        let connection = try SQLiteConnection(path: copy, mode: .immutable)
        var expected: [Int64] = []
        let statement = try connection.statement(question.sql + " ORDER BY 1")
        while try statement.step() { expected.append(statement.int64(at: 0)) }
        statement.reset()
        try await expectEqual(keys(copy, model: model, question), expected)
    }

    @Test(
        "of recipes",
        arguments: [
            Question(
                "Recipe", "ANY ingredients.name CONTAINS[c] 'sugar'",
                "SELECT DISTINCT ZRECIPE FROM ZINGREDIENT WHERE lower(ZNAME) LIKE '%sugar%' AND ZRECIPE NOT NULL"),
            Question(
                "Recipe", "ingredients.@count > 4",
                "SELECT Z_PK FROM ZRECIPE r WHERE (SELECT COUNT(*) FROM ZINGREDIENT WHERE ZRECIPE = r.Z_PK) > 4"),
            Question(
                "Recipe", "NONE ingredients.amount CONTAINS 'cup'",
                """
                SELECT Z_PK FROM ZRECIPE WHERE Z_PK NOT IN (SELECT ZRECIPE FROM ZINGREDIENT WHERE ZAMOUNT LIKE \
                '%cup%' AND ZRECIPE NOT NULL)
                """
            ),
            Question(
                "Recipe", "type.name == 'Dessert' AND prepTime CONTAINS 'hour'",
                """
                SELECT r.Z_PK FROM ZRECIPE r JOIN ZRECIPETYPE t ON t.Z_PK = r.ZTYPE WHERE t.ZNAME = 'Dessert' AND \
                r.ZPREPTIME LIKE '%hour%'
                """
            ),
            Question(
                "RecipeType", "recipes.@count == 0",
                "SELECT Z_PK FROM ZRECIPETYPE WHERE Z_PK NOT IN (SELECT ZTYPE FROM ZRECIPE WHERE ZTYPE NOT NULL)"),
            Question(
                "RecipeType", "ANY recipes.ingredients.displayOrder > 5",
                """
                SELECT DISTINCT r.ZTYPE FROM ZRECIPE r JOIN ZINGREDIENT i ON i.ZRECIPE = r.Z_PK WHERE \
                i.ZDISPLAYORDER > 5 AND r.ZTYPE NOT NULL
                """
            ),
            Question(
                "Ingredient", "recipe.type.name BEGINSWITH 'D' AND displayOrder BETWEEN {1, 3}",
                """
                SELECT i.Z_PK FROM ZINGREDIENT i JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE JOIN ZRECIPETYPE t ON t.Z_PK \
                = r.ZTYPE WHERE t.ZNAME LIKE 'D%' AND i.ZDISPLAYORDER BETWEEN 1 AND 3
                """
            ),
            Question(
                "Ingredient", "amount == nil OR length(name) > 20",
                "SELECT Z_PK FROM ZINGREDIENT WHERE ZAMOUNT IS NULL OR length(ZNAME) > 20"),
            Question(
                "Recipe", "ingredients.@max.displayOrder >= 5",
                "SELECT ZRECIPE FROM ZINGREDIENT WHERE ZRECIPE NOT NULL GROUP BY ZRECIPE HAVING MAX(ZDISPLAYORDER) >= 5"
            ),
            Question(
                "RecipeType", "SUBQUERY(recipes.ingredients, $i, $i.name CONTAINS[c] 'flour').@count > 1",
                """
                SELECT ZTYPE FROM ZRECIPE r JOIN ZINGREDIENT i ON i.ZRECIPE = r.Z_PK WHERE lower(i.ZNAME) LIKE \
                '%flour%' AND ZTYPE NOT NULL GROUP BY ZTYPE HAVING COUNT(*) > 1
                """
            ),
        ])
    func recipes(question: Question) async throws {
        try await expectAgreement("recipes/Recipes.sqlite", model: "recipes/Recipes.xcdatamodeld", question)
    }

    @Test(
        "of tweets",
        arguments: [
            Question(
                "Tweet", "user.screenName == 'RestKit' AND createdAt > CAST(319565000, 'NSDate')",
                """
                SELECT t.Z_PK FROM ZTWEET t JOIN ZUSER u ON u.Z_PK = t.ZUSER WHERE u.ZSCREENNAME = 'RestKit' AND \
                t.ZCREATEDAT > 319565000
                """
            ),
            Question(
                "Tweet", "inReplyToScreenName != nil AND text CONTAINS[c] 'restkit'",
                "SELECT Z_PK FROM ZTWEET WHERE ZINREPLYTOSCREENNAME NOT NULL AND lower(ZTEXT) LIKE '%restkit%'"),
            Question(
                "Tweet", "isFavorited != YES AND text.length < 60",
                "SELECT Z_PK FROM ZTWEET WHERE ZISFAVORITED <> 1 AND length(ZTEXT) < 60"),
            Question(
                "User", "status.@count > 5 AND ANY status.text LIKE '*Xcode*'",
                """
                SELECT u.Z_PK FROM ZUSER u WHERE (SELECT COUNT(*) FROM ZTWEET WHERE ZUSER = u.Z_PK) > 5 AND EXISTS \
                (SELECT 1 FROM ZTWEET WHERE ZUSER = u.Z_PK AND ZTEXT GLOB '*Xcode*')
                """
            ),
            Question(
                "User", "status.@max.createdAt > CAST(319565490, 'NSDate')",
                "SELECT ZUSER FROM ZTWEET WHERE ZUSER NOT NULL GROUP BY ZUSER HAVING MAX(ZCREATEDAT) > 319565490"),
        ])
    func tweets(question: Question) async throws {
        try await expectAgreement(
            "tweets/RKSeedDatabase.sqlite", model: "tweets/RKTwitterCoreData.xcdatamodel", question)
    }

    @Test(
        "of cars and their owners",
        arguments: [
            Question(
                "Person", "ANY cars.maker == 'BMW'",
                "SELECT DISTINCT ZOWNER FROM ZCAR WHERE ZMAKER = 'BMW' AND ZOWNER NOT NULL"),
            Question(
                "Person", "ALL cars.maker != 'FIAT' AND cars.@count >= 2",
                """
                SELECT ZOWNER FROM ZCAR WHERE ZOWNER NOT NULL GROUP BY ZOWNER HAVING SUM(ZMAKER = 'FIAT') = 0 AND \
                COUNT(*) >= 2
                """
            ),
            Question(
                "Car", "owner.firstName IN {'Mark', 'Alex', 'Bret'}",
                """
                SELECT c.Z_PK FROM ZCAR c JOIN ZPERSON p ON p.Z_PK = c.ZOWNER WHERE p.ZFIRSTNAME IN ('Mark', \
                'Alex', 'Bret')
                """
            ),
            Question(
                "SportCar", "owner == nil OR numberPlate ENDSWITH '1'",
                "SELECT Z_PK FROM ZCAR WHERE Z_ENT > 1 AND Z_ENT < 4 AND (ZOWNER IS NULL OR ZNUMBERPLATE LIKE '%1')"),
            Question(
                "Person", "lastName > firstName AND SUBQUERY(cars, $c, $c.markedForDeletionAsOf == nil).@count > 1",
                """
                SELECT Z_PK FROM ZPERSON p WHERE ZLASTNAME > ZFIRSTNAME AND (SELECT COUNT(*) FROM ZCAR WHERE \
                ZOWNER = p.Z_PK AND ZMARKEDFORDELETIONASOF IS NULL) > 1
                """
            ),
        ])
    func cars(question: Question) async throws {
        try await expectAgreement("shop/SampleModel_V1.sqlite", model: nil, question)
    }
}
