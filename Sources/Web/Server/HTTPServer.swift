import Dispatch
import Synchronization

/// A listening HTTP/1.1 server: event loops that run on Dispatch queues of their own, and workers for what may block.
package final class HTTPServer: Sendable {
    /// The port that is really bound.
    package let port: Int
    private let mailboxes: [LoopMailbox]
    private let running = DispatchGroup()
    private let drain = DrainOutcome()
    private let tls: TLSConfiguration?

    /// Binds, listens and serves at once. Throws ``ListenError`` when the address cannot be had, and ``TLSError`` when
    /// certificate or key cannot be used.
    package init(configuration: HTTPServerConfiguration, application: any HTTPApplication) throws {
        tls = configuration.tls
        let loopCount = max(1, configuration.loops)
        let contexts = try configuration.tls.map { try TLSContext.make(loopCount, $0).contexts }
        let listener = try Listener(
            host: configuration.host, port: configuration.port, backlog: configuration.backlog)
        port = listener.port
        let mailboxes = try (0..<loopCount).map { _ in try LoopMailbox() }
        self.mailboxes = mailboxes
        let workers = WorkerPool(
            threads: configuration.workers, capacity: configuration.maximumWaitingRequests,
            longestWait: configuration.longestWait)
        let gate = ConnectionGate(configuration.connections)
        let bodies = BodyBudget(maximumBytes: configuration.maximumBodyMemoryBytes)
        let answers = AnswerBudget(maximumBytes: configuration.maximumAnswerMemoryBytes)
        let started = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        for (index, mailbox) in mailboxes.enumerated() {
            running.enter()
            DispatchQueue(label: "subguard.loop.\(index)").async { [running, drain] in
                defer { running.leave() }
                do {
                    let acceptor =
                        index == 0
                        ? Acceptor(
                            listener: listener, loops: mailboxes, own: index, gate: gate,
                            speaksTLS: configuration.tls != nil) : nil
                    let loop = try EventLoop(
                        configuration: configuration, application: application, workers: workers, mailbox: mailbox,
                        gate: gate, bodies: bodies, answers: answers, acceptor: acceptor, tls: contexts?[index])
                    started.signal()
                    if !loop.run() { drain.wasCut.store(true, ordering: .releasing) }
                } catch {
                    failure.withLock { $0 = error }
                    started.signal()
                }
            }
        }
        for _ in mailboxes { started.wait() }
        if let failure = failure.withLock({ $0 }) {
            for mailbox in mailboxes { mailbox.post(.drain(deadline: .zero)) }
            throw failure
        }
    }

    /// Reads certificate and key again, for connections from now on; those that are open go on. Throws ``TLSError``, and
    /// then everything stays as it was. Returns when the certificate expires, in seconds since 1970, or `nil` without TLS.
    @discardableResult
    package func reloadTLS() throws(TLSError) -> Int? {
        guard let tls else { return nil }
        let (contexts, expiresAt) = try TLSContext.make(mailboxes.count, tls)
        for (mailbox, context) in zip(mailboxes, contexts) { mailbox.post(.useTLS(context)) }
        return expiresAt
    }

    /// Takes new keys for session tickets, so that whoever gets hold of the present ones cannot read what was sent before.
    package func renewTicketKeys() {
        guard tls != nil else { return }
        let keys = TLSTicketKeys.random()
        for mailbox in mailboxes { mailbox.post(.useTicketKeys(keys)) }
    }

    /// Stops accepting, lets running requests finish, closes. Returns `false` when `deadline` came first and connections
    /// were cut. Later calls wait for the same end.
    @discardableResult
    package func stop(deadline: Duration = .seconds(10)) -> Bool {
        // The loop that accepts goes first: it deals out who still waits, and only then tells the others, which would
        // otherwise be gone before their last connections reach them.
        mailboxes.first?.post(.drain(deadline: deadline))
        // Half a second more than the loops give themselves: they cut what is left at the deadline.
        let ended = running.wait(timeout: .now() + .milliseconds(Int(deadline.milliseconds) + 500)) == .success
        return ended && !drain.wasCut.load(ordering: .acquiring)
    }

    /// What the loops say when they end.
    private final class DrainOutcome: Sendable {
        let wasCut = Atomic<Bool>(false)
    }
}
