import Glibc
import Synchronization

/// Takes connections from the listener and deals them out to the loops in turn. One acceptor instead of a listener per
/// loop keeps a few dozen long-lived connections evenly spread; with `SO_REUSEPORT` the kernel's hash decides.
final class Acceptor {
    let listener: Listener
    private let loops: [LoopMailbox]
    /// The loop that runs this acceptor is `loops[own]`.
    private let own: Int
    private let gate: ConnectionGate
    private var turn = 0
    private var pausedUntil: Int64?

    /// A level-triggered listener would spin while nothing can be accepted.
    private static let pauseMilliseconds: Int64 = 100
    private static let acceptsPerTurn = 128

    init(listener: Listener, loops: [LoopMailbox], own: Int, gate: ConnectionGate) {
        self.listener = listener
        self.loops = loops
        self.own = own
        self.gate = gate
    }

    var isPaused: Bool { pausedUntil != nil }

    /// Takes who waits, a bounded number a turn.
    func acceptAll(into loop: EventLoop) {
        for _ in 0..<Self.acceptsPerTurn {
            switch acceptNext(into: loop) {
            case .connection, .failed: continue
            case .none: return
            case .exhausted: return pause(loop)
            }
        }
    }

    /// Takes everybody who has already connected: closing the listener would reset them.
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
        guard gate.hasRoom else { return .exhausted }
        let outcome = listener.accept()
        if case .connection(let descriptor, let peer) = outcome {
            gate.enter()
            deal(descriptor, peer, into: loop)
        }
        return outcome
    }

    func resumeIfDue(now: Int64, poller: Poller) {
        guard let due = pausedUntil, now >= due else { return }
        pausedUntil = nil
        poller.addLevelTriggered(listener.descriptor)
    }

    func stop(poller: Poller) {
        if !isPaused { poller.remove(listener.descriptor) }
        close(listener.descriptor)
    }

    private func deal(_ descriptor: Int32, _ peer: SocketAddress, into loop: EventLoop) {
        turn = (turn + 1) % loops.count
        if turn == own {
            loop.adopt(descriptor, peer: peer)
        } else {
            loops[turn].post(.adopt(descriptor: descriptor, peer: peer))
        }
    }

    private func pause(_ loop: EventLoop) {
        loop.poller.remove(listener.descriptor)
        pausedUntil = loop.clock.now + Self.pauseMilliseconds
    }
}

/// Counts open connections over all loops.
final class ConnectionGate: Sendable {
    private let count = Atomic<Int>(0)
    private let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    var hasRoom: Bool { count.load(ordering: .relaxed) < maximum }
    func enter() { count.add(1, ordering: .relaxed) }
    func leave() { count.subtract(1, ordering: .relaxed) }
}
