import Foundation

/// Seconds of the processor that the calling thread spends in a function. Other than the clock's, they hardly depend
/// on what else runs on the machine.
public func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let began = seconds()
    try body()
    return seconds() - began
}

/// The least of several measurements, which a full cache or an interrupt disturbs least.
public func leastProcessorSeconds(of rounds: Int, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<rounds { least = min(least, try processorSeconds(body)) }
    return least
}
