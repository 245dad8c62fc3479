// Changes that the server has refused.
// snippet.problems
import CoreDataSync

func showProblems(of engine: SyncEngine) async throws {
    for problem in try await engine.problems() {
        print(problem.kind, problem.entityName, problem.reason)
        for key in problem.keys { print("  \(key): \(problem.value(forKey: key) ?? "nil")") }
        if problem.kind == .deletion {
            try await engine.drop(problem)  // The object stays.
        } else {
            try await engine.repeat(problem)  // The change is made again.
        }
    }
}
// snippet.end
