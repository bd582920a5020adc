import Dispatch
import Logging
import SQLDatabase
import Synchronization

/// Logs that the standby for reads cannot be used, such as with a wrong password: reads then go to the primary, and no
/// one would notice.
final class StandbyWatch: Sendable {
    private struct State {
        var isFailing = false
        var nextWarningAt = DispatchTime(uptimeNanoseconds: 0)
    }

    private let store: any SQLStore
    private let logger: Logger
    private let state = Mutex(State())

    private static let secondsBetweenWarnings = 3600

    init(store: any SQLStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Reads nothing from the standby, so that it is tried without other reads, too. Throws errors of the primary.
    func look() throws {
        try store.readOnStandby { _ in }
        guard let fault = store.standbyReads?.fault else { return noteSuccess() }
        let isDue = state.withLock { state in
            guard state.nextWarningAt <= .now() else { return false }
            state = State(isFailing: true, nextWarningAt: .now() + .seconds(Self.secondsBetweenWarnings))
            return true
        }
        guard isDue else { return }
        logger.warning(
            "SUBGUARD_DATABASE_READ_URL cannot be used; the primary serves its reads",
            metadata: ["reason": "\(Self.reason(fault))", "error": "\(fault)"])
    }

    /// The store says in a few words why a server that responds is not the right one.
    private static func reason(_ fault: SQLError) -> String {
        fault.code == .cannotOpen && fault.context != "connect"
            ? "the server is \(fault.context)" : StartError.reach(fault)
    }

    private func noteSuccess() {
        let wasFailing = state.withLock { state in
            defer { state = State() }
            return state.isFailing
        }
        if wasFailing { logger.notice("SUBGUARD_DATABASE_READ_URL can be used again") }
    }
}
