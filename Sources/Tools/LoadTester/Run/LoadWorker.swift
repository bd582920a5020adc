import DeviceSimulation

/// Sends the load of one thread over its connections: what ``RateWorker`` and ``DeviceWorker`` have in common. Used
/// only by that thread.
class LoadWorker {
    private static let chore: Int64 = 100_000_000

    let timing: LoadTiming
    let pool: ConnectionPool
    var tally = LoadTally()

    /// - Parameter endpoints: the server of each connection.
    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming) throws(RunError) {
        self.timing = timing
        pool = try ConnectionPool(endpoints, timeout: plan.requestTimeout.nanoseconds)
        pool.handle = { [unowned self] number, event in
            if case .answer(let answer, _) = event { tally[.bytesReceived] += answer.wireBytes }
            handle(number, event)
        }
    }

    /// Sends what is due. Returns when the next is, in nanoseconds of the monotonic clock; nil when everything is
    /// answered.
    func work(_ now: Int64) -> Int64? { nil }

    func handle(_ number: Int, _ event: ConnectionPool.Event) {}

    /// Counts what is not answered at the end.
    func end(wasStopped: Bool) {}

    final func send(_ number: Int, _ request: ClientRequest, dueAt: Int64) {
        tally.change(request.route) { $0.requests += 1 }
        let count = pool.send(number, request, dueAt: dueAt)
        tally[.bytesSent] += count
    }

    /// Returns when everything is answered or given up. `publish` is called several times a second with the counts so
    /// far; it returns whether to stop early.
    final func run(publish: (LoadTally) -> Bool) {
        var (now, wasStopped) = (LoadClock.now(), false)
        var nextChore = now
        while now < timing.giveUpAt {
            if now >= nextChore {
                nextChore = now + Self.chore
                pool.expire(now)
                tally[.connected] = pool.connectedCount
                wasStopped = publish(tally)
                if wasStopped { break }
            }
            guard let next = work(now) else { break }
            pool.wait(until: min(nextChore, next))
            now = LoadClock.now()
        }
        end(wasStopped: wasStopped)
        _ = publish(tally)
    }
}
