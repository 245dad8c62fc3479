import HTTPTypes
import Hummingbird

extension RouterGroup<TeamContext> {
    /// Answers the methods that an address doesn't have by 405, and OPTIONS by the names of those that it has.
    ///
    /// - Parameters:
    ///   - path: the address in the group.
    ///   - methods: the methods of the address. GET answers HEAD, too.
    func refuseOtherMethods(_ path: RouterPath = "", than methods: [HTTPRequest.Method]) {
        let allowed = methods + (methods.contains(.get) ? [.head] : []) + [.options]
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        on(path, method: .options) { _, _ in Response(status: .noContent, headers: [.allow: names]) }
        for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete] where !allowed.contains(method) {
            on(path, method: method) { request, _ -> Response in
                throw HTTPError(
                    .methodNotAllowed, headers: [.allow: names],
                    message: "\(request.uri.path) has the methods \(names).")
            }
        }
    }
}
