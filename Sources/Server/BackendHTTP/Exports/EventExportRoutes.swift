import Backend
import EventLog
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

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
                return Response(
                    status: .ok,
                    fields: [
                        .contentType: type,
                        .contentDisposition: "attachment; filename=\"events.\(selection.format.rawValue)\"",
                    ],
                    body: .chunks(
                        EventExportBody(export, of: actor, tokens: gate.tokens, now: gate.now, logger: logger)))
            }
        ]
    }
}

/// The pieces of an export, each produced after the client has taken the previous one. A long download ends as soon as
/// its token is revoked, expires or loses the permission.
private final class EventExportBody: ChunkSource {
    private struct NotAllowed: Error {}

    private let export: Mutex<EventExport>
    private let actor: Actor
    private let tokens: AccessTokenStore
    private let now: @Sendable () -> UTCInstant
    private let logger: Logger

    init(
        _ export: EventExport, of actor: Actor, tokens: AccessTokenStore, now: @escaping @Sendable () -> UTCInstant,
        logger: Logger
    ) {
        self.export = Mutex(export)
        self.actor = actor
        self.tokens = tokens
        self.now = now
        self.logger = logger
    }

    func nextChunk() throws -> [UInt8]? {
        do {
            guard try isAllowed else { throw NotAllowed() }
            return try export.withLock { try $0.nextPiece() }
        } catch is NotAllowed {
            logger.notice(
                "an export of events was ended: its token is not valid any more",
                metadata: ["request_id": "\(actor.requestID ?? "")"])
            throw NotAllowed()
        } catch {
            // The head is sent, so no other code reports it.
            logger.error(
                "an export of events broke off",
                metadata: ["request_id": "\(actor.requestID ?? "")", "error": "\(error)"])
            throw error
        }
    }

    private var isAllowed: Bool {
        get throws {
            guard let id = actor.tokenID, let token = try tokens.find(id) else { return false }
            return token.isValid(at: now()) && token.role.allows(.eventsExport)
        }
    }
}
