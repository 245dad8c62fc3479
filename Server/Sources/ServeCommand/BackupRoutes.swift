// SPDX-License-Identifier: Apache-2.0

import CoreDataSyncServer
import Foundation
import Hummingbird

/// The requests of a script that makes backups, with the token of the administrator. The answer to `GET /backup`,
/// before the copy is begun, is the position that the copy will have at least. `POST /backup` with that position, once
/// the copy is in a safe place, lets devices forget what they keep for an older backup.
struct BackupRoutes: Sendable {
    let sync: SyncServer

    func add(to group: RouterGroup<ServerContext>) {
        group.get { _, _ in
            let position = try await sync.position()
            return Response(
                status: .ok, headers: [.contentType: "text/plain", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: "\(position)\n")))
        }
        group.post { request, _ in
            var request = request
            let text = String(buffer: try await request.collectBody(upTo: 64))
            let newest = try await sync.position()
            guard let position = Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)),
                (0...newest).contains(position)
            else {
                throw HTTPError(
                    .badRequest,
                    message: "The body is no position of the server: send what GET /backup said before the copy.")
            }
            try await sync.noteBackup(of: position)
            return Response(status: .noContent)
        }
    }
}
