import SwiftData

// Two processes and one store: a process follows the changes that others make.
//
//     follow-models follow /tmp/recipes.store
//     follow-models add /tmp/recipes.store Soup

@Model
final class Dish {
    var name: String
    var isServed = false

    init(name: String) { self.name = name }
}

@main
struct Follower {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let command = arguments.first else {
            return print("usage: follow-models follow STORE [COUNT] | add STORE NAME | serve STORE NAME")
        }
        let url = URL(fileURLWithPath: arguments[1])
        let container = try ModelContainer(for: Dish.self, configurations: ModelConfiguration(url: url))
        switch command {
        case "follow": try await follow(container, count: arguments.count > 2 ? Int(arguments[2]) ?? 0 : .max)
        case "add":
            let context = ModelContext(container)
            context.insert(Dish(name: arguments.last ?? ""))
            try context.save()
        case "serve":
            let context = ModelContext(container)
            let name = arguments.last ?? ""
            for dish in try context.fetch(FetchDescriptor<Dish>(predicate: #Predicate { $0.name == name })) {
                dish.isServed = true
            }
            try context.save()
        default: print("There is no command '\(command)'.")
        }
    }

    /// Prints the dishes that aren't served: now, and after each change.
    ///
    /// - Parameter count: the number of changes after which the program ends.
    @MainActor static func follow(_ container: ModelContainer, count: Int) async throws {
        let observer = try ResultsObserver(
            filterBy: #Predicate<Dish> { !$0.isServed }, sortBy: [SortDescriptor(\.name)], modelContainer: container)
        var remaining = count
        while true {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                let names = observer.results.map(\.name)
                print(names.isEmpty ? "nothing to serve" : names.joined(separator: ", "))
                fflush(nil)
            } onChange: {
                continuation.finish()
            }
            if remaining == 0 { return }
            remaining -= 1
            for await _ in changes {}
        }
    }
}
