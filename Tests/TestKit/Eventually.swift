import Foundation

/// Asks again and again until `condition` holds. `false` when it does not hold in time: for what another thread or
/// process is about to do, without a sleep that is too short on one machine and too long on the next.
package func eventually(timeoutSeconds: Double = 5, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: timeoutSeconds)
    while try !condition() {
        guard Date() < end else { return false }
        Thread.sleep(forTimeInterval: 0.002)
    }
    return true
}
