import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import Synchronization
import TestKit
import Testing

/// Random device histories on a network with all kinds of failures: in the end each event counts once.
@Suite struct RandomLifeTests {
    /// What the server has counted, and how the network behaves.
    private final class World: Sendable {
        struct State {
            var random: SeededRandom
            var isKind = false
            var events: Set<String> = []
            var names: Set<String> = []
            var added = 0
            var removed = 0
        }

        let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

        func answer(_ request: TransportRequest) throws(TransportError) -> TransportAnswer {
            let outcome: Result<TransportAnswer, TransportError> = state.withLock { state in
                let fate = state.isKind ? 9 : state.random.next() % 10
                if fate < 2 { return .failure(.unreachable(.nobodyListens)) }
                if fate == 2 { return .success(.problem(503, "overloaded")) }
                if fate == 3 { return .success(.problem(429, "rate_limited", fields: ["retry-after": "3600"])) }
                let answer = Self.taken(request, &state)
                if fate == 4 { return .failure(.timedOut) }
                if fate == 5 { return .success(.json("{\"accepted\":0", status: 202)) }
                return .success(answer)
            }
            return try outcome.get()
        }

        private static func taken(_ request: TransportRequest, _ state: inout State) -> TransportAnswer {
            guard let object = (try? JSONValue.parse(request.body ?? []))?.objectValue else {
                return .json(#"{"items":[],"deleted":[],"next_cursor":null,"sync_token":"t"}"#)
            }
            let list = object["events"]?.arrayValue ?? object["suggestions"]?.arrayValue ?? []
            var accepted = 0
            for element in list {
                let id = element.objectValue?["id"]?.stringValue ?? "?"
                let name = element.objectValue?["name"]?.stringValue ?? "?"
                let isEvent = object["events"] != nil
                guard isEvent ? state.events.insert(id).inserted : state.names.insert(id).inserted else { continue }
                accepted += 1
                if name == "subscription_added" { state.added += 1 }
                if name == "subscription_removed" { state.removed += 1 }
            }
            let counts = #""accepted":\#(accepted),"duplicates":\#(list.count - accepted)"#
            return .json(object["events"] == nil ? "{\(counts)}" : "{\(counts),\"rejected\":[]}", status: 202)
        }
    }

    @Test(arguments: 1...12)
    func everyEventCountsOnce(_ seed: Int) async throws {
        let world = World(seed: UInt64(seed))
        let fixture = try ClientFixture { request, _ throws(TransportError) in try world.answer(request) }
        var random = SeededRandom(seed: UInt64(seed) &+ 1000)
        var present: [UUID] = []
        var (added, removed, suggested) = (0, 0, 0)
        for step in 0..<60 {
            switch random.next() % 5 {
            case 0, 1:
                present.append(try fixture.add("S\(step)"))
                added += 1
            case 2:
                guard let id = present.popLast() else { continue }
                try fixture.store.subscriptions.delete(id, at: fixture.moment)
                removed += 1
            case 3:
                try fixture.store.suggestions.add("Name \(step)", at: fixture.moment)
                suggested += 1
            default: _ = await fixture.synchroniser().run(force: true, at: fixture.moment)
            }
        }
        world.state.withLock { $0.isKind = true }
        let last = await fixture.synchroniser().run(at: fixture.moment)
        #expect(!last.hasFailed)
        let figures = try fixture.store.analytics.queueCounts()
        #expect(figures.waiting == 0 && figures.rejected == 0 && figures.dropped == 0)
        #expect(try fixture.store.suggestions.counts().waiting == 0)
        world.state.withLock { state in
            #expect(state.added == added && state.removed == removed && state.names.count == suggested)
            #expect(added > 5 && suggested > 3)
        }
    }
}
