/// Sends the traffic or runs the devices of one thread. Used only by that thread.
protocol LoadWorker: AnyObject {
    var pool: ConnectionPool { get }
    var tally: LoadTally { get set }

    /// Sends what is due. Returns when the next is, in nanoseconds of the monotonic clock; nil when everything is
    /// answered.
    func work(_ now: Int64) -> Int64?

    /// Counts what is not answered at the end.
    func end(wasStopped: Bool)
}

extension LoadWorker {
    private static var chore: Int64 { 100_000_000 }

    /// Returns when everything is answered or given up. `publish` is called several times a second with the counts so
    /// far; it returns whether to stop early.
    func run(_ timing: LoadTiming, publish: (LoadTally) -> Bool) {
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
