import Dispatch
import Synchronization

/// A listening HTTP/1.1 server: event loops on Dispatch queues of their own, and workers for blocking work.
package final class HTTPServer: Sendable {
    /// The bound port.
    package let port: Int
    private let mailboxes: [LoopMailbox]
    private let running = DispatchGroup()
    private let drain = DrainOutcome()
    private let tls: (any SecureTransport)?

    /// Binds, listens and serves at once. Throws ``ListenError`` if the address is not available, and ``TLSError`` if
    /// certificate or key are unusable.
    package init(configuration: HTTPServerConfiguration, application: any HTTPApplication) throws {
        tls = configuration.tls
        let loopCount = max(1, configuration.loops)
        let contexts = try configuration.tls.map { try $0.contexts(loopCount).contexts }
        let listener = try Listener(configuration)
        port = listener.port
        let mailboxes = try (0..<loopCount).map { _ in try LoopMailbox() }
        self.mailboxes = mailboxes
        let workers = WorkerPool(
            threads: configuration.workers, capacity: configuration.maximumWaitingRequests,
            longestWait: configuration.longestWait)
        let gate = ConnectionGate(configuration.connections, isEncrypted: configuration.tls != nil)
        let requests = RequestBudget(maximumBytes: configuration.maximumBodyMemoryBytes)
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
                        gate: gate, requests: requests, answers: answers, acceptor: acceptor, tls: contexts?[index])
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

    /// Reloads certificate and key for new connections; open ones continue. If it throws ``TLSError``, nothing has
    /// changed. Returns when the certificate expires, in seconds since 1970, or `nil` without TLS.
    @discardableResult
    package func reloadTLS() throws(TLSError) -> Int? {
        guard let tls else { return nil }
        let (contexts, expiresAt) = try tls.contexts(mailboxes.count)
        for (mailbox, context) in zip(mailboxes, contexts) { mailbox.post(.useTLS(context)) }
        return expiresAt
    }

    /// Replaces the keys of session tickets, so that stolen keys do not decrypt earlier traffic.
    package func renewTicketKeys() {
        guard tls != nil else { return }
        let keys = TLSTicketKeys.random()
        for mailbox in mailboxes { mailbox.post(.useTicketKeys(keys)) }
    }

    /// Stops accepting, lets running requests finish, closes. Returns `false` if connections had to be closed at
    /// `deadline`. Later calls wait for the same end.
    @discardableResult
    package func stop(deadline: Duration = .seconds(10)) -> Bool {
        // The accepting loop stops first: it distributes waiting connections before the other loops end.
        mailboxes.first?.post(.drain(deadline: deadline))
        // Half a second more than the loops need: they close remaining connections at the deadline.
        let ended = running.wait(timeout: .now() + .milliseconds(Int(deadline.milliseconds) + 500)) == .success
        return ended && !drain.wasCut.load(ordering: .acquiring)
    }

    /// The results of the loops.
    private final class DrainOutcome: Sendable {
        let wasCut = Atomic<Bool>(false)
    }
}
