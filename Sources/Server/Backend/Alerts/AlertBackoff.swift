/// The pauses between attempts.
enum AlertBackoff {
    /// After the first failure, the second …; the last one repeats.
    static let pausesInSeconds: [Int64] = [5, 30, 120, 600, 3600, 21_600, 43_200, 86_400]
    /// No receiver can put us off for longer.
    static let longestPauseInSeconds: Int64 = 86_400

    /// The pause after failure number `attempt` (from 1), a fifth shorter or longer at random, so that messages that
    /// failed together do not come back together. `retryAfterSeconds` makes it longer, never shorter.
    static func milliseconds(afterAttempt attempt: Int, retryAfterSeconds: Int?, random: UInt64) -> Int64 {
        let index = min(max(attempt, 1), pausesInSeconds.count) - 1
        let pause = pausesInSeconds[index] * 1000
        let jittered = pause * 4 / 5 + Int64(random % UInt64(pause * 2 / 5 + 1))
        let asked = min(Int64(clamping: retryAfterSeconds ?? 0), longestPauseInSeconds) * 1000
        return max(jittered, asked)
    }
}
