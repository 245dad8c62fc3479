import HTTPTypes
import Hummingbird

/// The context of a request, with the team that makes it.
struct TeamContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Empty until the token is checked.
    var team = ""

    init(source: Source) { coreContext = .init(source: source) }
}

/// Finds the team of the token in the `Authorization` header.
struct TokenMiddleware: RouterMiddleware {
    typealias Context = TeamContext

    let teams: [(token: [UInt8], team: String)]

    init(_ teams: [String: String]) { self.teams = teams.map { (Array($0.key.utf8), $0.value) } }

    func handle(
        _ request: Request, context: TeamContext, next: (Request, TeamContext) async throws -> Response
    ) async throws -> Response {
        guard let token = Self.token(request), let team = team(of: token) else {
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                message: "Name the token of a team: Authorization: Bearer TOKEN.")
        }
        var context = context
        context.team = team
        return try await next(request, context)
    }

    /// The token of a request. The names of schemes ignore case.
    private static func token(_ request: Request) -> [UInt8]? {
        guard let parts = request.headers[.authorization]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return Array(parts[1].drop { $0 == " " }.utf8)
    }

    /// Compares all bytes of all tokens: the time says nothing of them.
    private func team(of given: [UInt8]) -> String? {
        var found: String?
        for (token, team) in teams {
            var difference = token.count ^ given.count
            for (index, byte) in token.enumerated() {
                difference |= Int(byte ^ (index < given.count ? given[index] : 0))
            }
            if difference == 0 { found = team }
        }
        return found
    }
}
