import Foundation

/// Polls until `condition` is true; returns `false` after the timeout. For actions of other threads or processes,
/// instead of a sleep that is too short on one machine and too long on another. The timeout is long, because it costs
/// nothing if the condition becomes true, and a busy machine may take seconds.
package func eventually(timeoutSeconds: Double = 30, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: timeoutSeconds)
    while try !condition() {
        guard Date() < end else { return false }
        Thread.sleep(forTimeInterval: 0.002)
    }
    return true
}

/// The value once it has not changed for `milliseconds`, or the current value after ten times as long.
package func settled<Value: Equatable>(milliseconds: Int = 150, _ value: () -> Value) -> Value {
    var last = value()
    for _ in 0..<10 {
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        let now = value()
        if now == last { break }
        last = now
    }
    return last
}
