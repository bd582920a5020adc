import Foundation
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// The system's time zone data, beside what Foundation brings along.
@Suite struct ZoneFileTests {
    private func file(_ name: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)")))
    }

    private func offset(_ zone: ZoneFile, at moment: Int64) -> Int64 {
        zone.changes.last { $0.at <= moment }?.offset ?? zone.first
    }

    /// Up to 2037 from the list of changes, later from the rule at the end of the file; zones whose rules no one has
    /// changed lately.
    @Test(arguments: [
        "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin", "Asia/Kathmandu",
        "America/Havana", "Pacific/Auckland", "Africa/Lagos", "Pacific/Apia", "Asia/Jerusalem", "Pacific/Chatham",
    ])
    func offsetsAreThoseOfFoundation(name: String) throws {
        let zone = try #require(ZoneFile(try file(name)))
        let reference = try #require(TimeZone(identifier: name))
        // Every 11 days, and a second to each side of each change.
        let changes = zone.changes.map(\.at).filter { $0 > 0 && $0 < 4_070_908_800 }
        let days = stride(from: Int64(1), to: 4_070_908_800, by: 11 * 86_400)
        for moment in Array(days) + changes.flatMap({ [$0 - 1, $0] }) {
            let expected = reference.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment)))
            #expect(offset(zone, at: moment) == Int64(expected), "\(name) \(moment)")
        }
    }

    /// A file as small as RFC 9636 allows: no change of its own, only a rule.
    private func file(rule: String, types: [Int32] = [0]) -> [UInt8] {
        func header(_ times: UInt8, _ types: UInt8) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
                + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, times, 0, 0, 0, types, 0, 0, 0, 4]
        }
        var block = header(0, UInt8(types.count))
        for type in types {
            block += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: type >> $0) } + [0, 0]
        }
        block += Array("XXX".utf8) + [0]
        return block + block + Array("\n\(rule)\n".utf8)
    }

    @Test func rulesAreCarriedOut() throws {
        func changes(_ rule: String, _ year: Int) throws -> [String] {
            let zone = try #require(ZoneFile(file(rule: rule)), "\(rule)")
            return zone.changes.map { (UTCInstant(millisecondsSinceEpoch: $0.at * 1000), $0.offset) }
                .filter { $0.0.day.year == year }.map { "\($0.0.rfc3339) \($0.1)" }
        }
        #expect(
            try changes("CET-1CEST,M3.5.0,M10.5.0/3", 2099) == [
                "2099-03-29T01:00:00Z 7200", "2099-10-25T01:00:00Z 3600",
            ])
        // Half an hour, south of the equator.
        #expect(
            try changes("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2050)
                == ["2050-04-02T15:00:00Z 37800", "2050-10-01T15:30:00Z 39600"])
        // Beyond the day, on the day before, and winter time that is told as summer time.
        #expect(try changes("EET-2EEST,M3.4.4/50,M10.4.4/50", 2040).first == "2040-03-24T00:00:00Z 10800")
        #expect(try changes("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2030).first == "2030-03-31T01:00:00Z -3600")
        #expect(
            try changes("IST-1GMT0,M10.5.0,M3.5.0/1", 2030) == ["2030-03-31T01:00:00Z 3600", "2030-10-27T01:00:00Z 0"])
        #expect(try changes("<+0530>-5:30", 2030) == [])
        #expect(try changes("", 2030) == [])
        let zone = try #require(ZoneFile(file(rule: "", types: [-18_000])))
        #expect(zone.first == -18_000 && zone.changes.isEmpty)
    }

    @Test func whatIsNoZoneIsRefused() throws {
        let paris = try file("Europe/Paris")
        for length in stride(from: 0, to: paris.count, by: 7) {
            #expect(ZoneFile(Array(paris.prefix(length))) == nil, "\(length)")
        }
        for rule in [
            "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,J60,J300", "CET-1CEST,M3.5.0,M10.5.0,",
            "<CET-1", "CET-200", "CET-1CEST,M3.6.0,M10.5.0", "CET-1:99",
        ] {
            #expect(ZoneFile(file(rule: rule)) == nil, "\(rule)")
        }
        #expect(ZoneFile(file(rule: "", types: [100_000])) == nil)
        #expect(ZoneFile(file(rule: "", types: [])) == nil)
        // Leap seconds.
        if let right = FileManager.default.contents(atPath: "/usr/share/zoneinfo/right/Europe/Paris") {
            #expect(ZoneFile([UInt8](right)) == nil)
        }
        // Any byte changed: refused, or read without a trap.
        var random = SeededRandom(seed: 42)
        for _ in 0..<3000 {
            var bytes = paris
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = ZoneFile(bytes)
        }
    }
}
