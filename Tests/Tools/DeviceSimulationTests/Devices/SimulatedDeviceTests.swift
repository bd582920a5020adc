import Foundation
import JSONWire
import SubGuardDomain
import Testing

@testable import DeviceSimulation

/// A device with a server simulated by the test.
@Suite struct SimulatedDeviceTests {
    private static let ids = ["018f3c2a-7b1e-7c3d-9a4f-0123456789ab", "018f3c2a-7b1e-7c3d-9a4f-0123456789ac"]
    private static let epoch: Int64 = 1_709_164_800_000  // 29 February 2024

    private func answer(_ status: Int, _ body: String = "", tag: String? = nil) -> Answer {
        var answer = Answer(status: status)
        (answer.body, answer.entityTag) = (Array(body.utf8), tag)
        return answer
    }

    private func page(_ ids: [String], next: String? = nil, token: String? = nil) -> String {
        let items = ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        let ends = [next.map { "\"next_cursor\":\"\($0)\"" }, token.map { "\"sync_token\":\"\($0)\"" }]
        return "{\"items\":[\(items)]" + ends.compactMap { $0 }.map { "," + $0 }.joined() + "}"
    }

    private func taken(_ request: ClientRequest, duplicates: Int = 0) throws -> String {
        let body = try #require(request.body)
        let list = try #require(try JSONValue.parse(body).objectValue)
        let count = (list["events"] ?? list["suggestions"])?.arrayValue?.count ?? 0
        return "{\"accepted\":\(count - duplicates),\"duplicates\":\(duplicates),\"rejected\":[]}"
    }

    /// Runs one visit to its end with the responses of a healthy server. Returns the requests.
    @discardableResult
    private func visit(
        _ device: inout SimulatedDevice, _ reader: inout CatalogueReader, revalidated: Answer? = nil
    ) throws -> [ClientRequest] {
        var tally = ClientTally()
        device.begin(&tally)
        var asked: [ClientRequest] = []
        device.step(sentAt: Self.epoch)
        while let request = device.request {
            asked.append(request)
            let reply =
                switch request.route {
                case .whole: answer(200, page(Self.ids, token: "t1"), tag: "\"whole\"")
                case .delta: answer(200, page([], token: "t1"), tag: "\"e1\"")
                case .revalidation: revalidated ?? answer(304)
                default: try answer(202, taken(request))
                }
            #expect(device.take(reply, to: request, &reader, &tally))
            #expect(tally.firstDisagreement == nil)
            #expect(asked.count < 20)
            device.step(sentAt: Self.epoch)
        }
        return asked
    }

    @Test func theCatalogueIsReadWholeThenByDeltaThenByTag() throws {
        var reader = CatalogueReader()
        var device = SimulatedDevice(seed: 3, number: 2, days: 32, epoch: Self.epoch)
        var calls: [ClientRequest] = []
        while device.upcoming != nil { calls += try visit(&device, &reader).filter { $0.route.isSynchronisation } }
        try #require(calls.count > 4)
        #expect(calls[0].path == "/api/v1/catalogue?limit=500")
        #expect(calls[1].path == "/api/v1/catalogue?limit=500&since=t1")
        #expect(!calls[1].fields.contains("If-None-Match"))
        let tag = "\r\nIf-None-Match: \"e1\"\r\n"
        #expect(calls.dropFirst(2).allSatisfy { $0.fields.contains(tag) && $0.route == .revalidation })
    }

    @Test func aFreshCopyIsNotAskedFor() throws {
        let copy = DeviceCatalogue(pages: [], token: "t", at: 1000)
        #expect(copy.isFresh(at: 1000 + DeviceCatalogue.life - 1))
        #expect(!copy.isFresh(at: 1000 + DeviceCatalogue.life))
    }

    @Test func aTokenThatIsTooOldStartsOver() throws {
        var reader = CatalogueReader()
        var device = SimulatedDevice(seed: 3, number: 2, days: 32, epoch: Self.epoch)
        var kinds: [ClientRoute] = []
        while device.upcoming != nil, !kinds.contains(.revalidation) {
            kinds += try visit(&device, &reader, revalidated: answer(410)).map(\.route).filter(\.isSynchronisation)
        }
        #expect(kinds.suffix(2) == [.revalidation, .whole])
    }

    @Test func changesDropTheTagAndDeletedItemsAreAddedNoMore() throws {
        let whole = ReceivedPage(ids: Self.ids, deleted: [], nextCursor: nil, syncToken: "t1")
        let none = ReceivedPage(ids: [], deleted: [], nextCursor: nil, syncToken: "t1")
        let gone = ReceivedPage(ids: [], deleted: [Self.ids[0]], nextCursor: nil, syncToken: "t2")
        var copy = DeviceCatalogue(pages: [whole], token: "t1", at: 0)
        #expect(copy.item(at: 0) == Self.ids[0])
        copy = copy.applying([none], token: "t1", entityTag: "\"e\"", at: 1)
        #expect(copy.entityTag == "\"e\"")
        copy = copy.applying([gone], token: "t2", entityTag: "\"f\"", at: 2)
        #expect(copy.entityTag == nil)
        #expect(copy.item(at: 0) == Self.ids[1])
        #expect(copy.item(at: 0.99) == Self.ids[1])
        #expect(DeviceCatalogue(pages: [], token: "t", at: 0).item(at: 0.5) == nil)
    }

    @Test func theQueueOfOfflineDaysGoesOutInOneBatch() throws {
        var reader = CatalogueReader()
        var longest = 0
        for number in 0..<40 {
            var device = SimulatedDevice(seed: 5, number: number, days: 32, epoch: Self.epoch)
            while let visit = device.upcoming {
                let waiting = device.events.waiting.count
                let asked = try self.visit(&device, &reader)
                if visit.isOnline {
                    #expect(asked.count { $0.route == .analytics } <= 1)
                    #expect(device.events.waiting.isEmpty)
                    longest = max(longest, waiting)
                } else {
                    #expect(asked.isEmpty)
                    #expect(device.events.waiting.count > waiting)
                }
            }
        }
        #expect(longest >= 3)
    }

    /// The batch of a device's first visit, whose catalogue request is given up at once.
    private func firstBatch(_ device: inout SimulatedDevice, _ reader: inout CatalogueReader) throws -> ClientRequest {
        var tally = ClientTally()
        device.begin(&tally)
        #expect(try next(&device).route == .whole)
        #expect(device.fail(status: 404) == nil)
        var batch = try next(&device)
        while batch.route != .analytics {
            _ = device.take(try answer(202, taken(batch)), to: batch, &reader, &tally)
            batch = try next(&device)
        }
        return batch
    }

    @Test func aLostAnswerMakesTheSameEventsDuplicates() throws {
        var device = SimulatedDevice(seed: 1, number: 1, days: 1, epoch: Self.epoch)
        var (reader, tally) = (CatalogueReader(), ClientTally())
        let batch = try firstBatch(&device, &reader)
        let count = device.events.waiting.count
        #expect(device.loseAnswer(try answer(202, taken(batch)), &tally))
        #expect(tally[.settled] == 0)
        #expect(tally.reported == EventCounts(accepted: count))
        #expect(tally.firstDisagreement == nil)
        #expect(device.fail() != nil)
        let again = try next(&device)
        // The server accepts them as new: it has counted them twice.
        var (wrong, wrongTally) = (device, tally)
        #expect(wrong.take(try answer(202, taken(again)), to: again, &reader, &wrongTally))
        #expect(wrongTally[.disagreements] == 1)
        #expect(wrongTally.firstDisagreement?.contains("0 new, 0 unclear and \(count) known") == true)
        #expect(device.take(try answer(202, taken(again, duplicates: count)), to: again, &reader, &tally))
        #expect(tally.firstDisagreement == nil)
        #expect(tally[.settled] == count)
        #expect(tally[.sent] == 2 * count)
        #expect(tally[.users] == 1)
        #expect(tally.reported == EventCounts(accepted: count, duplicates: count))
        #expect(!device.hasWaiting)
    }

    @Test func whatWasCutOffMayBeEither() throws {
        for duplicates in [0, 1, 2] {
            var device = SimulatedDevice(seed: 1, number: 1, days: 1, epoch: Self.epoch)
            var (reader, tally) = (CatalogueReader(), ClientTally())
            _ = try firstBatch(&device, &reader)
            #expect(device.fail() != nil)
            let batch = try next(&device)
            #expect(device.take(try answer(202, taken(batch, duplicates: duplicates)), to: batch, &reader, &tally))
            #expect(tally.firstDisagreement == nil, "\(duplicates) duplicates")
            #expect(tally[.settled] > 0)
        }
    }

    @Test func everyEventIsOneThatTheRegistryAllows() throws {
        var reader = CatalogueReader()
        var names: Set<String> = []
        for number in 0..<60 {
            var device = SimulatedDevice(seed: 9, number: number, days: 32, epoch: Self.epoch)
            while device.upcoming != nil {
                for request in try visit(&device, &reader) where request.route == .analytics {
                    let body = try #require(request.body)
                    let batch = try #require(try JSONValue.parse(body).objectValue)
                    #expect(batch["sent_at"]?.stringValue == "2024-02-29T00:00:00Z")
                    for event in try #require(batch["events"]?.arrayValue).compactMap(\.objectValue) {
                        let name = try #require(event["name"]?.stringValue)
                        let definition = try #require(EventRegistry.definition(named: name))
                        #expect(event.members.map(\.name) == ["id", "name", "user_id", "timestamp", "properties"])
                        #expect(event["user_id"]?.stringValue == device.events.identity.userID)
                        let moment = try #require(event["timestamp"]?.stringValue.flatMap { UTCInstant(rfc3339: $0) })
                        #expect(UTCInstant(millisecondsSinceEpoch: Self.epoch) <= moment)
                        for property in try #require(event["properties"]?.objectValue).members {
                            let kind = try #require(definition.property(named: property.name)?.kind)
                            #expect(
                                property.value.stringValue.map { kind.accepts(text: $0) }
                                    ?? property.value.integerValue.map { kind.accepts(integer: $0) } ?? false)
                        }
                        names.insert(name)
                    }
                }
            }
        }
        // Every event of the registry occurs.
        #expect(names == Set(EventRegistry.events.map(\.name)))
    }

    @Test func noTwoDevicesAreOneUser() {
        let users = (0..<2000).map { DeviceIdentity(seed: 4, number: $0).userID }
        #expect(Set(users).count == 2000)
        #expect(users.allSatisfy { $0.count == 64 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
        #expect(DeviceIdentity(seed: 5, number: 0).userID != users[0])
    }

    private func next(_ device: inout SimulatedDevice) throws -> ClientRequest {
        device.step(sentAt: 0)
        return try #require(device.request)
    }

    @Test func pausesGrowAndEnd() {
        #expect(BackOff.pause(afterAttempt: 1, chance: 1) == 500_000_000)
        #expect(BackOff.pause(afterAttempt: 3, chance: 1) == 2_000_000_000)
        #expect(BackOff.pause(afterAttempt: 1, chance: 0) == 0)
        #expect(BackOff.pause(afterAttempt: 4, chance: 0) == nil)
        #expect(BackOff.pause(afterAttempt: 1, retryAfter: 2, chance: 0.5) == 2_250_000_000)
        #expect(BackOff.pause(afterAttempt: 1, retryAfter: 31, chance: 0.5) == nil)
    }
}
