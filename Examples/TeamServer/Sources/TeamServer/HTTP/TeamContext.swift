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
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
            let team = team(of: Array(header.dropFirst(7).utf8))
        else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        var context = context
        context.team = team
        return try await next(request, context)
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
