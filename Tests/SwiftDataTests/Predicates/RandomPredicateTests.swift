/// Random predicates over random models: the store finds what the evaluation in memory finds, or the fetch throws.
@Suite struct RandomPredicateTests {
    @Test func storeAgreesWithMemory() throws {
        var random = SeededGenerator(seed: TestRun.seed(for: "random Swift predicates"))
        for _ in 0..<TestRun.quick(6, long: 60) {
            let context = try Self.randomContext(&random)
            let recipes = try context.fetch(FetchDescriptor<Recipe>())
            for _ in 0..<4 {
                for (number, form) in PredicateForm.all.enumerated() {
                    let predicate = form(&random)
                    let expected = recipes.filter { (try? predicate.evaluate($0)) == true }.map(\.title).sorted()
                    do {
                        let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
                        #expect(found == expected, "form \(number): \(predicate)")
                    } catch SwiftDataError.unsupportedPredicate {
                        continue
                    }
                }
            }
        }
    }

    private static func randomContext(_ random: inout SeededGenerator) throws -> ModelContext {
        let context = try RecipeBox.context()
        let cuisines = ["French", "Thai", "Ünïque"].map { Cuisine(name: $0) }
        for cuisine in cuisines { context.insert(cuisine) }
        for number in 0..<30 {
            let recipe = Recipe(
                title: "\(PredicateForm.word(&random)) \(number)",
                course: Course.allCases.randomElement(using: &random)!,
                servings: Int.random(in: -3...9, using: &random),
                created: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...9, using: &random))))
            recipe.rating = Double(Int.random(in: 0...20, using: &random)) / 4
            recipe.isFavorite = Bool.random(using: &random)
            recipe.summary = Bool.random(using: &random) ? PredicateForm.word(&random) : nil
            recipe.difficulty = [.easy, .hard, nil].randomElement(using: &random)!
            recipe.cuisine = Bool.random(using: &random) ? cuisines.randomElement(using: &random) : nil
            if Bool.random(using: &random) {
                let page = Bool.random(using: &random) ? Int.random(in: 0...5, using: &random) : nil
                recipe.source = Source(name: PredicateForm.word(&random), page: page, authors: [])
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let amount = Double(Int.random(in: 0...8, using: &random))
                recipe.ingredients.append(Ingredient(name: PredicateForm.word(&random), amount: amount))
            }
            context.insert(recipe)
        }
        try context.save()
        return context
    }
}

/// The forms of predicates, each with random constants.
private enum PredicateForm {
    static func word(_ random: inout SeededGenerator) -> String {
        ["soup", "Soup", "pie", "", "apple pie", "ÄPFEL", "äpfel", "100%", "a_b"].randomElement(using: &random)!
    }

    private static func number(_ random: inout SeededGenerator) -> Int { Int.random(in: -3...9, using: &random) }

    private static func real(_ random: inout SeededGenerator) -> Double { Double(number(&random)) / 2 }

    static let all: [@Sendable (inout SeededGenerator) -> Predicate<Recipe>] = plain + optional + related

    private static let plain: [@Sendable (inout SeededGenerator) -> Predicate<Recipe>] = [
        { random in
            let n = number(&random)
            return #Predicate { $0.servings == n }
        },
        { random in
            let n = number(&random)
            return #Predicate { $0.servings != n && $0.isFavorite }
        },
        { random in
            let n = number(&random)
            return #Predicate { $0.servings < n || $0.rating > 3 }
        },
        { random in
            let n = number(&random)
            return #Predicate { !($0.servings >= n) }
        },
        { random in
            let n = number(&random)
            return #Predicate { $0.servings + n > $0.servings * 2 }
        },
        { random in
            let n = number(&random)
            return #Predicate { ($0.servings - n) * 3 <= 4 }
        },
        { random in
            let x = real(&random)
            return #Predicate { $0.rating / 2 > x }
        },
        { random in
            let x = real(&random)
            return #Predicate { -$0.rating < x }
        },
        { random in
            let n = number(&random)
            return #Predicate { ($0.isFavorite ? $0.servings : n) == 3 }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.title.contains(w) }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.title.starts(with: w) }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.title.localizedStandardContains(w) }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.title > w }
        },
        { random in
            let day = Date(timeIntervalSinceReferenceDate: Double(number(&random)))
            return #Predicate { $0.created <= day }
        },
        { random in
            let range = -3...number(&random)
            return #Predicate { range.contains($0.servings) }
        },
        { random in
            let set = [number(&random), number(&random)]
            return #Predicate { set.contains($0.servings) }
        },
        { random in
            let course = Course.allCases.randomElement(using: &random)!
            return #Predicate { $0.course == course }
        },
        { random in
            let course = Course.allCases.randomElement(using: &random)!
            return #Predicate { $0.course != course && $0.course.rawValue != "main" }
        },
    ]

    private static let optional: [@Sendable (inout SeededGenerator) -> Predicate<Recipe>] = [
        { _ in #Predicate { $0.summary == nil } },
        { random in
            let w = word(&random)
            return #Predicate { $0.summary == w }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.summary != w }
        },
        { random in
            let w = word(&random)
            return #Predicate { ($0.summary ?? "pie") == w }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.summary?.contains(w) ?? true }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.summary?.contains(w) != true }
        },
        { random in
            let w = word(&random)
            return #Predicate { if let summary = $0.summary { summary == w } else { $0.isFavorite } }
        },
        { random in
            let difficulty: Difficulty? = [.easy, .hard, nil].randomElement(using: &random)!
            return #Predicate { $0.difficulty == difficulty }
        },
        { random in
            let difficulty: Difficulty? = [.easy, .hard, nil].randomElement(using: &random)!
            return #Predicate { $0.difficulty != difficulty }
        },
        { random in
            let w = word(&random)
            return #Predicate { $0.source?.name == w }
        },
        { random in
            let n = number(&random)
            return #Predicate { ($0.source?.page ?? 9) < n }
        },
        { _ in #Predicate { $0.source == nil } },
        { _ in #Predicate { $0.source != nil && $0.source?.page == nil } },
        { random in
            let source = Source(name: word(&random), page: nil, authors: [])
            return #Predicate { $0.source == source }
        },
    ]

    private static let related: [@Sendable (inout SeededGenerator) -> Predicate<Recipe>] = [
        { _ in #Predicate { $0.cuisine == nil } },
        { _ in #Predicate { $0.cuisine?.name == "Thai" } },
        { _ in #Predicate { $0.cuisine?.name != "Thai" } },
        { _ in #Predicate { ($0.cuisine?.name ?? "") > "G" } },
        { random in
            let n = number(&random)
            return #Predicate { $0.ingredients.count == n }
        },
        { _ in #Predicate { $0.ingredients.isEmpty } },
        { random in
            let w = word(&random)
            return #Predicate { $0.ingredients.contains { $0.name == w } }
        },
        { random in
            let (w, x) = (word(&random), real(&random))
            return #Predicate { $0.ingredients.contains { $0.name == w || $0.amount < x } }
        },
        { random in
            let x = real(&random)
            return #Predicate { $0.ingredients.allSatisfy { $0.amount > x } }
        },
        { random in
            let x = real(&random)
            return #Predicate { $0.ingredients.filter { $0.amount > x }.count > 1 }
        },
        { random in
            let x = real(&random)
            return #Predicate { $0.ingredients.filter { $0.amount > x }.contains { $0.name == "pie" } }
        },
        { random in
            let n = number(&random)
            return #Predicate { recipe in recipe.ingredients.contains { $0.recipe?.servings == n } }
        },
    ]
}
