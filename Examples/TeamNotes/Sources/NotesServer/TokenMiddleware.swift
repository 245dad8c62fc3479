import Hummingbird

/// Refuses requests without the token.
struct TokenMiddleware<Context: RequestContext>: RouterMiddleware {
    let token: String

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let given = request.headers[.authorization], isEqual(given, "Bearer \(token)") else {
            throw HTTPError(.unauthorized)
        }
        return try await next(request, context)
    }

    /// Takes the same time wherever the first difference is.
    private func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
