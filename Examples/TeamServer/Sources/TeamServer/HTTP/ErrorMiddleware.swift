import CoreData
import CoreDataServer
import HTTPTypes
import Hummingbird
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
        } catch let error as any HTTPResponseError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return try Self.response(error as NSError, context)
        }
    }

    private static func response(_ error: NSError, _ context: TeamContext) throws -> Response {
        if let problems = SnapshotError(validation: error) { return try response(problems) }
        guard error.domain == NSCocoaErrorDomain else {
            context.logger.error("\(error)")
            return response(.internalServerError, "The server has failed.")
        }
        switch error.code {
        case NSManagedObjectMergeError: return response(.conflict, "Another request has changed the object.")
        case NSManagedObjectConstraintMergeError: return response(.conflict, "Another object has these values.")
        case NSPersistentStoreTimeoutError: return response(.serviceUnavailable, "The database is busy.", retryAfter: 1)
        default:
            context.logger.error("\(error.domain) \(error.code): \(error.localizedDescription)")
            return response(.internalServerError, "The server has failed.")
        }
    }

    private static func response(_ error: SnapshotError) throws -> Response {
        let kinds = Set(error.problems.map(\.kind))
        let status: HTTPResponse.Status =
            kinds.contains(.notJSON)
            ? .badRequest : kinds.contains(.outdated) ? .preconditionFailed : .unprocessableContent
        let problems = error.problems.map { problem in
            SnapshotValue.object([
                "keyPath": .string(problem.keyPath), "kind": .string(problem.kind.rawValue),
                "message": .string(problem.message),
            ])
        }
        return try ManagedObjectSnapshot(["problems": .array(problems)]).response(status)
    }

    private static func response(_ status: HTTPResponse.Status, _ message: String, retryAfter: Int? = nil) -> Response {
        let body = ManagedObjectSnapshot(["error": .object(["message": .string(message)])])
        var response = (try? body.response(status)) ?? Response(status: status)
        response.headers[.retryAfter] = retryAfter.map(String.init)
        return response
    }
}
