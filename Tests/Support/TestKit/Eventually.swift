import Foundation

/// Asks again and again until `condition` holds. `false` when it does not hold in time: for what another thread or
/// process is about to do, without a sleep that is too short on one machine and too long on the next. The time is long,
/// because it costs nothing where the condition holds, and a busy machine may take seconds.
package func eventually(timeoutSeconds: Double = 30, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: timeoutSeconds)
    while try !condition() {
        guard Date() < end else { return false }
        Thread.sleep(forTimeInterval: 0.002)
    }
    return true
}

/// The value once it has stayed the same for `milliseconds`, or whatever it is after ten times as long.
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
