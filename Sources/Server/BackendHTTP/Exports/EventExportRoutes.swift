import EventLog
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
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
