import SubGuardClient
import Testing

@Suite struct RetryPolicyTests {
    @Test func pausesGrowAreBoundedAndEnd() {
        let policy = RetryPolicy()
        #expect(policy.pause(afterAttempt: 1, retryAfter: nil, chance: 1) == .milliseconds(500))
        #expect(policy.pause(afterAttempt: 3, retryAfter: nil, chance: 1) == .seconds(2))
        #expect(policy.pause(afterAttempt: 3, retryAfter: nil, chance: 0) == .zero)
        #expect(policy.pause(afterAttempt: 3, retryAfter: nil, chance: 0.5) == .seconds(1))
        #expect(policy.pause(afterAttempt: 4, retryAfter: nil, chance: 1) == nil)
        var patient = policy
        patient.attempts = 100
        #expect(patient.pause(afterAttempt: 99, retryAfter: nil, chance: 1) == .seconds(8))
    }

    @Test func whatTheServerAsksForIsTheLeast() {
        let policy = RetryPolicy()
        #expect(policy.pause(afterAttempt: 1, retryAfter: 7, chance: 0) == .seconds(7))
        #expect(policy.pause(afterAttempt: 1, retryAfter: 30, chance: 1) == .milliseconds(30_500))
        #expect(policy.pause(afterAttempt: 1, retryAfter: 31, chance: 0) == nil)
        #expect(policy.pause(afterAttempt: 1, retryAfter: -3, chance: 0) == .zero)
    }
}
