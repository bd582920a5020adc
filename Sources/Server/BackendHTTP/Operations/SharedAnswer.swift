import HTTPServer
import SubGuardDomain
import Synchronization

/// An expensive response shared by all clients. It is created once for all requests within a short time: requests that
/// arrive during its creation wait without a worker, and later ones get the same response until it expires.
final class SharedAnswer: Sendable {
    private struct State {
        var made: (result: Result<Response, any Error>, at: UTCInstant)?
        /// Requests waiting for the response; nil while none is being created.
        var waiting: [Reply]?
    }

    private let state = Mutex(State())
    private let maximumAge: Int64
    private let now: @Sendable () -> UTCInstant
    private let make: @Sendable () throws -> Response

    /// `make` runs on a worker, never concurrently. Failures are shared like responses.
    init(
        maximumAge: Duration, now: @escaping @Sendable () -> UTCInstant, make: @escaping @Sendable () throws -> Response
    ) {
        self.maximumAge =
            maximumAge.components.seconds * 1000 + maximumAge.components.attoseconds / 1_000_000_000_000_000
        self.now = now
        self.make = make
    }

    /// Responds from memory on the event loop if possible.
    var endpoint: Endpoint {
        .remembered({ _ in self.recent }, otherwise: .deferred { _, reply in self.answer(reply) })
    }

    /// The last response, unless it has expired or failed.
    var recent: Response? {
        let now = now()
        return state.withLock { state in
            guard let result = recent(state, at: now), case .success(let response) = result else { return nil }
            return response
        }
    }

    /// Responds at once or when the response is ready.
    func answer(_ reply: Reply) {
        let now = now()
        let known: Result<Response, any Error>?? = state.withLock { state in
            if let result = recent(state, at: now) { return .some(result) }
            guard state.waiting == nil else {
                state.waiting?.append(reply)
                return .some(nil)
            }
            state.waiting = []
            return .none
        }
        switch known {
        case .some(.some(let result)): return reply(result)
        // Another worker is creating it.
        case .some(.none): return
        case .none: break
        }
        let result = Result { try make() }
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            // Its age counts from the start of its creation, when its contents were current.
            state.made = (result, now)
            return state.waiting ?? []
        }
        for reply in [reply] + waiting { reply(result) }
    }

    /// After the clock steps back, every response is expired.
    private func recent(_ state: borrowing State, at now: UTCInstant) -> Result<Response, any Error>? {
        guard let made = state.made, (0..<maximumAge).contains(made.at.milliseconds(until: now)) else { return nil }
        return made.result
    }
}
