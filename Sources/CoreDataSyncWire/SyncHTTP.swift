// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The form of requests and answers in HTTP.
///
/// A request is a POST to a path below the server's URL. Its body is one line of JSON, and the bytes of a push or of a
/// part of a large value behind it, as they are. An answer is JSON, or the bytes of a part. A failure has a status of
/// its own. News of the server are server-sent events at ``newsPath``.
package enum SyncHTTP {
    /// The path at which a server says that it has a new position.
    package static let newsPath = "sync/news"
    /// The name of the event that says so.
    package static let newsEvent = "position"

    package static let json = "application/json"
    package static let octets = "application/octet-stream"

    // MARK: Requests

    /// The path and the body of a request.
    package static func message(_ request: SyncRequest) throws -> (path: String, body: Data) {
        switch request {
        case .session(let session): return ("sync/session", try body(session, Data()))
        case .changes(let changes): return ("sync/changes", try body(changes, Data()))
        case .blob(let blob): return ("sync/blob", try body(blob, Data()))
        case .push(var push):
            let bytes = push.body
            push.body = Data()
            return ("sync/push", try body(push, bytes))
        case .upload(var upload):
            let bytes = upload.bytes
            upload.bytes = Data()
            return ("sync/upload", try body(upload, bytes))
        }
    }

    /// The request of a path and a body; nil for a path of no request.
    ///
    /// - Throws: ``SyncFailure`` for a body that can't be read.
    package static func request(path: String, body: Data) throws(SyncFailure) -> SyncRequest? {
        let end = body.firstIndex(of: UInt8(ascii: "\n")) ?? body.endIndex
        let head = Data(body[..<end])
        let bytes = end < body.endIndex ? Data(body[(end + 1)...]) : Data()
        func read<Value: Decodable>(_ type: Value.Type) throws(SyncFailure) -> Value {
            do {
                return try JSONDecoder().decode(type, from: head)
            } catch {
                throw SyncFailure(.badRequest, "The body of \(path) can't be read.")
            }
        }
        switch path {
        case "sync/session": return .session(try read(SyncSessionRequest.self))
        case "sync/changes": return .changes(try read(SyncChangesRequest.self))
        case "sync/blob": return .blob(try read(SyncBlobRequest.self))
        case "sync/push":
            var push = try read(SyncPushRequest.self)
            push.body = bytes
            return .push(push)
        case "sync/upload":
            var upload = try read(SyncUploadRequest.self)
            upload.bytes = bytes
            return .upload(upload)
        default: return nil
        }
    }

    private static func body(_ head: some Encodable, _ bytes: Data) throws -> Data {
        var body = try JSONEncoder().encode(head)
        guard !bytes.isEmpty else { return body }
        body.append(UInt8(ascii: "\n"))
        body.append(bytes)
        return body
    }

    // MARK: Answers

    /// The status, the type and the body of an answer.
    package static func message(_ response: SyncResponse) throws -> (status: Int, type: String, body: Data) {
        switch response {
        case .blob(let bytes): (200, octets, bytes)
        case .failure(let failure): (failure.reason.status, json, try JSONEncoder().encode(failure))
        default: (200, json, try JSONEncoder().encode(response))
        }
    }

    /// The answer of a status, a type and a body.
    ///
    /// - Throws: an error of the decoder for an answer that can't be read.
    package static func response(status: Int, type: String, body: Data) throws -> SyncResponse {
        guard status == 200 else {
            if let failure = try? JSONDecoder().decode(SyncFailure.self, from: body) { return .failure(failure) }
            // A proxy between the server and the replica has answered.
            return .failure(
                SyncFailure(
                    status == 413 ? .tooLarge : .unavailable, "The answer has the status \(status), and no reason."))
        }
        if type.hasPrefix(octets) { return .blob(body) }
        return try JSONDecoder().decode(SyncResponse.self, from: body)
    }
}

extension SyncFailure.Reason {
    /// The status of HTTP.
    var status: Int {
        switch self {
        case .badRequest: 400
        case .missingBlob: 404
        case .accountChanged, .replicaForked, .missingPush, .unknownModel: 409
        case .expired, .restored: 410
        case .tooLarge: 413
        case .outdatedModel: 426
        case .unavailable: 503
        }
    }
}
