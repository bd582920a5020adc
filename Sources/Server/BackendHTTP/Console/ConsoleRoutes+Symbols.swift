import Backend
import Console
import Foundation
import HTML
import HTTPServer
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The images that have symbols. Removing them is a call of the API.
extension ConsoleRoutes {
    private static let symbolFiles = "/console/crashes/symbols"
    private static let symbolFile = "/console/crashes/symbols/{debug_id}/delete"

    func symbolBindings() -> [RouteBinding] {
        [
            gate.page(Self.symbolFiles, of: [.symbolFiles]) { visit in
                let removed = visit.notice.flatMap { $0.code == "removed" ? $0.value : nil }
                return visit.show(SymbolsPage(try symbols.list(), removed: removed.flatMap(DebugID.normalised)))
            },
            gate.page(Self.symbolFile, of: [.symbolFiles, .deleteSymbols]) { visit in
                let id = DebugID.normalised(try visit.request.parameters.text())
                guard let file = try symbols.list().first(where: { $0.debugID == id }) else {
                    throw HTTPFailure(.notFound, "There are no such symbols.")
                }
                return visit.show(CrashConfirmationPage(.symbols(file)))
            },
            gate.action(
                Self.symbolFile, of: .deleteSymbols, showing: [.symbolFiles], form: FormShape(["idempotency_key"])
            ) { visit in try removeSymbols(visit) },
        ]
    }

    private func removeSymbols(_ visit: ConsoleVisit) throws -> Response {
        let id = try visit.request.parameters.text()
        let done = HTMLLink("console", "crashes", "symbols", query: [("notice", "removed.\(id)")])
        return try submit(
            .deleteSymbols, for: visit, features.symbols.remove, done: { _ in done },
            // Sent twice: they are gone, as they were to be.
            gone: { _ in ConsoleResponse.seeOther(done) })
    }
}
