import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import Logging
import SubGuardContract
import SubGuardDomain
import Synchronization

/// The archive of a backup, each piece read after the browser has taken the previous one. A long download ends as soon
/// as the session's token is revoked, expires or loses a permission.
final class BackupDownload: ChunkSource {
    private struct NotAllowed: Error {}

    private let archive: Mutex<BackupArchive>
    private let tokens: AccessTokenStore
    private let tokenID: UUID
    private let now: @Sendable () -> UTCInstant
    private let logger: Logger

    private init(
        _ archive: sending BackupArchive, of tokenID: UUID, tokens: AccessTokenStore,
        now: @escaping @Sendable () -> UTCInstant, logger: Logger
    ) {
        self.archive = Mutex(archive)
        self.tokens = tokens
        self.tokenID = tokenID
        self.now = now
        self.logger = logger
    }

    /// Records the download and begins it. Throws 404 for a backup that is not there.
    static func begin(
        _ name: String, of store: OpenStore, for visit: ConsoleVisit, _ gate: ConsoleGate
    ) throws -> Response {
        guard let session = visit.session, store.sqlite != nil, let archive = store.backups.archive(of: name) else {
            throw HTTPFailure(.notFound, "There is no such backup.")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("name", archive.name)
        writer.field("bytes", archive.byteCount)
        writer.endObject()
        try AuditLog(context: store.context).append(
            AuditChange(
                actor: try visit.actor(), action: .storeDownload, subjectID: nil, before: nil,
                after: String(decoding: writer.bytes, as: UTF8.self)))
        var response = ConsoleResponse.page([])
        response.fields[.contentType] = "application/x-tar"
        response.fields[.contentDisposition] = "attachment; filename=\"\(archive.name).tar\""
        response.body = .chunks(
            BackupDownload(
                archive, of: session.token.id, tokens: gate.tokens, now: gate.now, logger: gate.logger))
        return response
    }

    func nextChunk() throws -> [UInt8]? {
        do {
            guard let token = try tokens.find(tokenID), token.isValid(at: now()),
                token.role.permissions.isSuperset(of: Permission.allCases)
            else { throw NotAllowed() }
            return try archive.withLock { try $0.nextPiece() }
        } catch {
            // The head is sent, so no other code reports it.
            logger.warning("a download of a backup was ended", metadata: ["error": "\(error)"])
            throw error
        }
    }
}
