import Glibc
import Synchronization

/// Accepts connections and distributes them to the loops in turn. A single acceptor, rather than a listener per loop,
/// spreads a few dozen long-lived connections evenly; `SO_REUSEPORT` distributes by a hash.
final class Acceptor {
    let listener: Listener
    private let loops: [LoopMailbox]
    /// The loop that runs this acceptor is `loops[own]`.
    private let own: Int
    private let gate: ConnectionGate
    private let speaksTLS: Bool
    private var turn = 0
    private var pausedUntil: Int64?

    /// A level-triggered listener would spin while nothing can be accepted.
    private static let pauseMilliseconds: Int64 = 100
    private static let acceptsPerTurn = 128

    init(listener: Listener, loops: [LoopMailbox], own: Int, gate: ConnectionGate, speaksTLS: Bool) {
        self.speaksTLS = speaksTLS
        self.listener = listener
        self.loops = loops
        self.own = own
        self.gate = gate
    }

    var isPaused: Bool { pausedUntil != nil }

    /// Accepts waiting connections, a bounded number per turn.
    func acceptAll(into loop: EventLoop) {
        for _ in 0..<Self.acceptsPerTurn {
            switch acceptNext(into: loop) {
            case .connection, .failed: continue
            case .none: return
            case .exhausted: return pause(loop)
            }
        }
    }

    /// The response to a client with too many connections; a TLS client only sees the end of the connection.
    private static let refusal: StaticString =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    /// Accepts all established connections: closing the listener would reset them.
    func acceptRest(into loop: EventLoop) {
        while true {
            switch acceptNext(into: loop) {
            case .connection, .failed: continue
            case .none, .exhausted: return
            }
        }
    }

    func tellOthers(_ message: LoopMessage) {
        for (index, mailbox) in loops.enumerated() where index != own { mailbox.post(message) }
    }

    private func acceptNext(into loop: EventLoop) -> AcceptOutcome {
        guard gate.hasRoom else {
            guard listener.hasWaiting else { return .none }
            loop.application.observe(.connections)
            return .exhausted
        }
        let outcome = listener.accept()
        switch outcome {
        case .connection(let descriptor, let peer):
            if let client = gate.enter(peer) {
                deal(descriptor, peer, client, into: loop)
            } else {
                loop.application.observe(.client)
                refuse(descriptor)
            }
        case .exhausted: loop.application.observe(.descriptors)
        case .none, .failed: break
        }
        return outcome
    }

    private func refuse(_ descriptor: Int32) {
        if !speaksTLS {
            send(
                descriptor, Self.refusal.utf8Start, Self.refusal.utf8CodeUnitCount, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        close(descriptor)
    }

    func resumeIfDue(now: Int64, poller: Poller) {
        guard let due = pausedUntil, now >= due else { return }
        pausedUntil = nil
        poller.addLevelTriggered(listener.descriptor)
    }

    func stop(poller: Poller) {
        if !isPaused { poller.remove(listener.descriptor) }
        listener.close()
    }

    private func deal(
        _ descriptor: Int32, _ peer: SocketAddress, _ client: ClientAccount, into loop: EventLoop
    ) {
        turn = (turn + 1) % loops.count
        if turn == own {
            loop.adopt(descriptor, peer: peer, client: client)
        } else {
            loops[turn].post(.adopt(descriptor: descriptor, peer: peer, client: client))
        }
    }

    /// Pauses for lack of room or descriptors: waiting connections stay in the kernel's backlog, and idle ones are
    /// closed.
    private func pause(_ loop: EventLoop) {
        loop.shedIdle()
        tellOthers(.shedIdle)
        loop.poller.remove(listener.descriptor)
        pausedUntil = loop.clock.now + Self.pauseMilliseconds
    }
}
