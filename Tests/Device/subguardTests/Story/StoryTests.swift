import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// End to end: a server, two devices of one person and one of another, a bad network, and the resulting figures.
    @Suite struct StoryTests {
        @Test func twoDevicesAndAServerThatDies() throws {
            let server = try Server()
            let relay = try Relay(to: server.port)
            let environment = ["SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)"]
            let phone = try Client(environment: environment)
            let tablet = try Client(environment: environment)
            let day = { (number: Int) in "2026-11-\(number < 10 ? "0" : "")\(number)T09:00:00Z" }

            // Day 1, offline: both devices are set up.
            relay.behave(.offline)
            for device in [phone, tablet] {
                #expect(try device.json("consent", "grant", now: day(1))["consent"]?.stringValue == "granted")
            }
            var ids: [String] = []
            for number in 1...4 {
                ids.append(
                    try phone.id(
                        "add", "--name", "Abo \(number) “é”", "--amount", "12.34", "--currency", "EUR", "--cycle",
                        "monthly", "--next", "2026-11-30", now: day(1)))
            }
            _ = try tablet.id(
                "add", "--name", "Tablet's", "--amount", "0.99", "--currency", "CHF", "--cycle", "yearly", "--next",
                "2027-02-28", now: day(1))
            #expect(try phone.id("suggest", "Radio 🎉", now: day(1)) == phone.id("suggest", "RADIO", now: day(1)))
            #expect(try phone.run("sync", now: day(1)).status == 1)

            // Day 2, online, but responses are lost after the server has processed the requests.
            relay.behave(.dropAnswers(4))
            _ = try phone.run("sync", now: day(2))
            relay.behave(.pass)
            #expect(
                try phone.json("sync", now: day(2))["analytics"]?["result"]?.stringValue == "done"
                    || phone.json("status", now: day(2))["queues"]?["events"]?.integerValue == 0)
            _ = try tablet.json("sync", now: day(2))

            // Day 3: linked to the catalogue, the fifth; then the server is killed while it responds.
            let linked = try phone.id("add", "--from-catalogue", "netflix", "--next", "2026-12-01", now: day(3))
            relay.behave(.dropAnswers(3))
            _ = try phone.run("sync", now: day(3))
            server.kill()
            #expect(try phone.run("sync", "--force", now: day(3)).status == 1)
            _ = try phone.json("delete", ids[0], now: day(3))

            // Day 4: it is restarted on another port with its acknowledged data.
            try server.start()
            relay.turn(to: server.port)
            relay.behave(.pass)
            #expect(try phone.json("sync", "--force", now: day(4))["catalogue"]?["reason"]?.stringValue == "unchanged")

            // Day 8: D7 of both; each device's backup is merged into the other.
            let (one, two) = (phone.folder.file("phone.json"), tablet.folder.file("tablet.json"))
            for (device, file) in [(phone, one), (tablet, two)] {
                #expect(try device.run("backup", file, now: day(8)).status == 0)
            }
            _ = try phone.json("merge", two, now: day(8))
            _ = try tablet.json("merge", one, now: day(8))
            let lists = try [phone, tablet].map { try $0.json("list", now: day(8)) }
            #expect(lists[0] == lists[1] && lists[0].arrayValue?.count == 5)
            #expect(lists[0].each("id").contains(linked))
            for device in [phone, tablet] { _ = try device.json("sync", now: day(8)) }

            // The server counts six additions and one removal; merging adds none.
            #expect(try server.figure("total_users") == 2)
            #expect(try server.figure("subscriptions_tracked") == 5)
            let funnel = try server.get("/api/v1/admin/funnel?from=2020-01-01&to=2030-01-01")["stages"]
            #expect(
                funnel?.each("name") == [
                    "downloads", "first_subscription", "five_subscriptions", "retention_d7", "retention_d30",
                ])
            #expect(funnel?.each("count") == ["2", "2", "1", "2", "0"])
            let names = try server.get("/api/v1/admin/suggestions?status=pending")["items"]
            #expect(names?.each("name") == ["Radio 🎉"] && names?.each("count") == ["1"])

            // Erasure on the phone: the figures stay, the link to the phone is removed; the tablet and the
            // subscriptions stay.
            let erased = try phone.json("account", "erase", now: day(9))
            #expect(erased["account"]?.stringValue == "not_signed_in" && erased["pending_erasures"]?.integerValue == 0)
            #expect(try phone.json("list", now: day(9)).arrayValue?.count == 5)
            #expect(try tablet.json("status", now: day(9))["queues"]?["erasures"]?.integerValue == 0)
            #expect(try server.figure("total_users") == 2)
            #expect(try server.figure("subscriptions_tracked") == 5)
            // Within some seconds nothing leads back to the phone any more.
            let hashes = relay.recorded.flatMap { bytes in
                String(decoding: bytes, as: UTF8.self).matches(of: /"user_id":"([0-9a-f]{64})"/).map { String($0.1) }
            }
            #expect(Set(hashes).count == 2)
            #expect(
                try eventually(timeoutSeconds: 30) {
                    try server.integer("SELECT count(*) FROM analytics_erasures") == 0
                })
            server.stop()
            let erasedHash = try #require(hashes.last)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: server.folder.file("server.sqlite")))
            for hash in Set(hashes) {
                let raw = stride(from: 0, to: 64, by: 2).compactMap { place in
                    UInt8(hash.dropFirst(place).prefix(2), radix: 16)
                }
                #expect((bytes.range(of: Data(raw)) != nil) == (hash != erasedHash))
            }
            try Server.run(["figures", "verify"], server.folder)
        }
    }
}
