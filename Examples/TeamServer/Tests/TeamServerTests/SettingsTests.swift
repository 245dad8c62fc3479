import CoreData
import Testing

@testable import TeamServer

/// Settings from the environment.
@Suite("Settings")
struct SettingsTests {
    private static let token = "0123456789abcdef"

    private func teams(_ text: String) throws -> [String: String] {
        try Settings(environment: ["TEAM_SERVER_TOKENS": text]).teams
    }

    @Test("Spaces around teams and tokens are no part of them, and a team may have several tokens")
    func pairs() throws {
        let tokens = ["0123456789abcdef", "0123456789abcdeg", "0123456789=abcde"]
        let teams = try teams(" blue = \(tokens[0]), red=\(tokens[1]) ,blue=\(tokens[2]),")
        #expect(teams == [tokens[0]: "blue", tokens[1]: "red", tokens[2]: "blue"])
    }

    @Test(
        "A mistake in the tokens is named with its pair, and no token is shown",
        arguments: [
            ("blue=0123456789abcdef,red", "Pair 2 "), ("blue=0123456789abcdef,=0123456789abcdeg", "Pair 2 "),
            ("blue=0123456789abcde", "Pair 1 "), ("blue=0123456789 abcdef", "Pair 1 "),
            ("blue=0123456789abcdef,red=0123456789abcdef", "Pair 2 "),
            ("\(String(repeating: "b", count: 41))=0123456789abcdef", "Pair 1 "), ("", "TEAM_SERVER_TOKENS names no"),
        ])
    func mistakes(text: String, message: String) throws {
        let problem = try #require(throws: Settings.Problem.self) { try teams(text) }
        #expect(problem.description.hasPrefix(message))
        #expect(!problem.description.contains("0123456789"))
    }
}
