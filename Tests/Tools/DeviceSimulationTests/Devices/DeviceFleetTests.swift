import Testing

@testable import DeviceSimulation

@Suite struct DeviceFleetTests {
    private static let second: Int64 = 1_000_000_000

    /// Twenty devices over four days of a second each. The test is their clock.
    private func fleet() -> DeviceFleet {
        DeviceFleet(
            seed: 5, numbers: 0..<20, days: 4, dayLength: Self.second, start: 1000, preparedAt: 1_709_164_800_000,
            calendar: { 1_709_164_800_000 })
    }

    @Test func everyDeviceFinishesAndNothingIsSentEarly() {
        var (fleet, tally) = (fleet(), ClientTally())
        var devices: Set<Int> = []
        var last: Int64 = 0
        while let now = fleet.nextDue, now < .max {
            last = now
            guard let (device, first, dueAt) = fleet.take(at: now, &tally) else { continue }
            #expect(dueAt == now)
            devices.insert(device)
            var request: ClientRequest? = first
            // No retry follows this status, so the rest of the visit is due at once.
            while request != nil { request = fleet.fail(device, status: 404, at: now, &tally) }
        }
        #expect(fleet.nextDue == nil)
        #expect(devices == Set(0..<20))
        // What waits after the last day is spread over one more.
        #expect((4 * Self.second...5 * Self.second + 1000).contains(last))
        fleet.end(&tally)
        #expect(tally[.visits] > 20)
        #expect(tally[.retries] == 0)
        #expect(tally[.recorded] > 20)
        #expect(tally[.waiting] == tally[.recorded])
    }

    @Test func aDeviceWithoutAnAnswerPausesAndAllWait() throws {
        var (fleet, tally) = (fleet(), ClientTally())
        let start = try #require(fleet.nextDue)
        let (device, request, _) = try #require(fleet.take(at: start, &tally))
        #expect(request.route == .whole)
        #expect(fleet.fail(device, at: start, &tally) == nil)
        #expect(tally[.retries] == 1)
        var resumed: Int64?
        while resumed == nil, let now = fleet.nextDue, now < .max {
            if let next = fleet.take(at: now, &tally), next.device == device { resumed = next.dueAt }
        }
        #expect(try (start...start + 500_000_000).contains(#require(resumed)))
    }
}
