import EventLog
import HTTPServer
import HTTPTypes
import HTTPWire
package import Logging
package import ServerAccess
import ServerContract
import SubGuardContract
package import SubGuardDomain
import Synchronization
import Telemetry

/// The route that streams the raw events.
struct EventExportRoutes: Sendable {
    let gate: AdminGate
    let context: BackendContext
    let logger: Logger

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.exportEvents) { request, actor in
                let selection = try EventExportQuery(query: request).selection
                // HEAD shows no event, so it is checked like GET, but not recorded.
                let export =
                    request.method == .head
                    ? try EventExport(selection, context: context)
                    : try EventExport.begin(selection, by: actor, context: context)
                let type =
                    switch selection.format {
                    case .ndjson: "application/x-ndjson"
                    case .csv: "text/csv; charset=utf-8; header=\(selection.hasHeader ? "present" : "absent")"
                    }
                let pieces = Mutex(export)
                return Response(
                    status: .ok,
                    fields: [
                        .contentType: type,
                        .contentDisposition: "attachment; filename=\"events.\(selection.format.rawValue)\"",
                    ],
                    body: .chunks(
                        GuardedDownload(
                            name: "an export of events", actor: actor, permissions: [.eventsExport],
                            tokens: gate.tokens, now: gate.now, logger: logger
                        ) { try pieces.withLock { try $0.nextPiece() } }))
            }
        ]
    }
}

/// The pieces of a long download, each produced after the client has taken the previous one. It ends as soon as the
/// token is revoked, expires or loses one of the permissions, or the session in which it began is ended.
package struct GuardedDownload: ChunkSource {
    private struct NotAllowed: Error {}

    /// For the log: an export of events.
    let name: String
    let actor: Actor
    let permissions: Set<Permission>
    let tokens: AccessTokenStore
    let hasSession: @Sendable () throws -> Bool
    let now: @Sendable () -> UTCInstant
    let logger: Logger
    let next: @Sendable () throws -> [UInt8]?

    package init(
        name: String, actor: Actor, permissions: Set<Permission>, tokens: AccessTokenStore,
        hasSession: @escaping @Sendable () throws -> Bool = { true },
        now: @escaping @Sendable () -> UTCInstant, logger: Logger, next: @escaping @Sendable () throws -> [UInt8]?
    ) {
        self.name = name
        self.actor = actor
        self.permissions = permissions
        self.tokens = tokens
        self.hasSession = hasSession
        self.now = now
        self.logger = logger
        self.next = next
    }

    func nextChunk() throws -> [UInt8]? {
        var metadata: Logger.Metadata = ["request_id": "\(actor.requestID ?? "")"]
        do {
            guard let id = actor.tokenID, let token = try tokens.find(id), token.isValid(at: now()),
                token.role.permissions.isSuperset(of: permissions), try hasSession()
            else { throw NotAllowed() }
            return try next()
        } catch is NotAllowed {
            logger.notice("\(name) was ended: its token or session is not valid any more", metadata: metadata)
            throw NotAllowed()
        } catch {
            // The head is sent, so no other code reports it.
            metadata["error"] = "\(error)"
            logger.error("\(name) broke off", metadata: metadata)
            throw error
        }
    }
}
