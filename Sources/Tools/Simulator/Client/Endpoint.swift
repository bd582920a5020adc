/// A server to load: its resolved address, and TLS for https.
package struct Endpoint: Sendable {
    package let target: LoadTarget
    let address: NetworkAddress
    let tls: ClientTLS?

    package init(_ target: LoadTarget, isOwned: Bool, tls: ClientTLS?) throws(LoadOptionError) {
        self.target = target
        address = try NetworkAddress.resolve(target, isOwned: isOwned)
        self.tls = target.isSecure ? tls : nil
    }

    /// Connects once, so that a wrong port or certificate is reported at once instead of as a table of errors.
    func probe() throws(LoadError) { _ = try outcome(of: nil, timeout: .seconds(5)) }

    /// Sends one request on a connection of its own. Blocks until the response is there.
    func exchange(_ request: MadeRequest, timeout: Duration) throws(LoadError) -> Answer {
        guard let answer = try outcome(of: request, timeout: timeout) else {
            throw LoadError("--url: \(LoadFault.closed.rawValue)")
        }
        return answer
    }

    /// The response to the request; nil without a request, when the connection is made.
    private func outcome(of request: MadeRequest?, timeout: Duration) throws(LoadError) -> Answer? {
        let pool = try ConnectionPool([self], timeout: timeout.nanoseconds)
        var outcome: Result<Answer, LoadFault>?
        pool.handle = { _, event in
            switch event {
            case .sent: break
            case .answer(let answer, _): outcome = .success(answer)
            case .failed(let fault, _): outcome = .failure(fault)
            }
        }
        if let request { pool.send(0, request, dueAt: LoadClock.now()) } else { pool.open(0) }
        while outcome == nil, request != nil || !pool[0].isConnected {
            pool.wait(until: LoadClock.now() + 100_000_000)
            pool.expire(LoadClock.now())
        }
        switch outcome {
        case nil: return nil
        case .success(let answer)?: return answer
        case .failure(.connect)?: throw LoadError("--url: nothing answers at \(target.authority)")
        case .failure(let fault)?:
            guard let reason = pool.distrust else { throw LoadError("--url: \(fault.rawValue)") }
            throw LoadError(
                "--url: the certificate of \(target.authority) is not trusted (\(reason)); --ca-file names its "
                    + "authority, --insecure accepts any")
        }
    }
}
