import CoreData
import CoreDataServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers errors of snapshots, saves and the service. A client gets no text of an error that could have values of
/// others, names of hosts or SQL.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = TeamContext

    func handle(
        _ request: Request, context: TeamContext, next: (Request, TeamContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as SnapshotError {
            return try Self.response(error)
        } catch is CoreDataServiceError {
            return Self.response(.serviceUnavailable, "The server is busy or shuts down.", retryAfter: 1)
        } catch is NIOTooManyBytesError {
            return Self.response(.contentTooLarge, "The body is too large.")
        } catch let error as HTTPError {
            var response = Self.response(error.status, error.body ?? Self.message(error.status))
            response.headers.append(contentsOf: error.headers)
            return response
        } catch let error as any HTTPResponseError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return try Self.response(error as NSError, context.logger)
        }
    }

    /// The answer for an error of the database. Its text is for the log.
    static func response(_ error: NSError, _ logger: Logger) throws -> Response {
        if let problems = SnapshotError(validation: error) { return try response(problems) }
        guard error.domain == NSCocoaErrorDomain else {
            logger.error("\(error)")
            return response(.internalServerError, "The server has failed.")
        }
        // First, since the state begins like the states of lost connections: a request that is made again at once could
        // make the change twice.
        if hasUnknownOutcome(error) {
            logger.error("\(error.domain) \(error.code): \(error.localizedDescription)")
            return response(
                .internalServerError, "It is unknown whether the change was made. Look before making it again.")
        }
        if isUnreachable(error) {
            logger.warning("\(error.domain) \(error.code): \(error.localizedDescription)")
            return response(.serviceUnavailable, "The database can't be reached.", retryAfter: 1)
        }
        if error.code == NSPersistentStoreSaveError, let key = error.userInfo[NSValidationKeyErrorKey] as? String {
            return try response([(key, .invalidValue, "The database can't store the value.")])
        }
        switch error.code {
        case NSManagedObjectMergeError: return response(.conflict, "Another request has changed the object.")
        case NSManagedObjectConstraintMergeError: return response(.conflict, "Another object has these values.")
        case NSPersistentStoreTimeoutError: return response(.serviceUnavailable, "The database is busy.", retryAfter: 1)
        default:
            logger.error("\(error.domain) \(error.code): \(error.localizedDescription)")
            return response(.internalServerError, "The server has failed.")
        }
    }

    /// Whether the server of the database is away, stops, starts, or has no place: the same request can succeed later.
    ///
    /// The code of the error says only whether a store was read or written.
    private static func isUnreachable(_ error: NSError) -> Bool {
        guard let state = databaseState(error) else { return false }
        return state.hasPrefix("08") || state.hasPrefix("57P0") || state == "53300"
    }

    /// Whether the connection was lost during a COMMIT, and the server of the database didn't tell in time whether the
    /// transaction took place.
    private static func hasUnknownOutcome(_ error: NSError) -> Bool { databaseState(error) == "08007" }

    /// The SQLSTATE of an error of PostgreSQL, or of the one that it wraps.
    private static func databaseState(_ error: NSError) -> String? {
        if let state = error.userInfo["NSPostgreSQLState"] as? String { return state }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap(databaseState)
    }

    /// The message of an error that has none.
    private static func message(_ status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "There is nothing at this address for this method."
        case .contentTooLarge: "The body is too large."
        default: status.reasonPhrase
        }
    }

    private static func response(_ error: SnapshotError) throws -> Response {
        try response(error.problems.map { ($0.keyPath, $0.kind, $0.message) })
    }

    private static func response(
        _ problems: [(keyPath: String, kind: SnapshotError.Kind, message: String)]
    ) throws -> Response {
        let kinds = Set(problems.map(\.kind))
        let status: HTTPResponse.Status =
            kinds.contains(.notJSON)
            ? .badRequest : kinds.contains(.outdated) ? .preconditionFailed : .unprocessableContent
        let values = problems.map { problem in
            SnapshotValue.object([
                "keyPath": .string(problem.keyPath), "kind": .string(problem.kind.rawValue),
                "message": .string(problem.message),
            ])
        }
        return try ManagedObjectSnapshot(["problems": .array(values)]).response(status)
    }

    private static func response(_ status: HTTPResponse.Status, _ message: String, retryAfter: Int? = nil) -> Response {
        let body = ManagedObjectSnapshot(["error": .object(["message": .string(message)])])
        var response = (try? body.response(status)) ?? Response(status: status)
        response.headers[.retryAfter] = retryAfter.map(String.init)
        return response
    }
}
