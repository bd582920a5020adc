import Foundation
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// The system's time zone data, beside what the C library reads from the same files. Foundation brings older or newer
/// data along.
@Suite struct ZoneFileTests {
    private func file(_ name: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)")))
    }

    private func offset(_ zone: ZoneFile, at moment: Int64) -> Int64 {
        zone.changes.last { $0.at <= moment }?.offset ?? zone.first
    }

    /// Up to 2037 from the list of changes, later from the rule at the end of the file.
    @Test(arguments: [
        "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin", "Asia/Kathmandu",
        "America/Havana", "Pacific/Auckland", "Africa/Casablanca", "Pacific/Apia", "Asia/Jerusalem", "Pacific/Chatham",
    ])
    func offsetsAreThoseOfTheSystem(name: String) throws {
        let zone = try #require(ZoneFile(try file(name)))
        let expected = try zdump(name)
        #expect(expected.count >= 2)
        for (moment, seconds) in expected {
            #expect(offset(zone, at: moment) == seconds, "\(name) \(moment)")
        }
        // No change between those either.
        let range = -946_771_200...Int64(4_070_908_800)
        let offsets = [zone.first] + zone.changes.map(\.offset)
        let changes = zip(zone.changes, offsets).filter { $0.offset != $1 }.map(\.0.at)
        #expect(Set(changes.filter(range.contains)).subtracting(expected.map(\.moment)) == [], "\(name)")
    }

    /// The offsets right before and at each change from 1940 to 2098, by the program of the C library:
    /// `Asia/Tokyo  Sat May  1 14:59:59 1948 UT = Sat May  1 23:59:59 1948 JST isdst=0 gmtoff=32400`.
    private func zdump(_ name: String) throws -> [(moment: Int64, seconds: Int64)] {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/zdump")
        process.arguments = ["-v", "-c", "1940,2099", name]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
        process.waitUntilExit()
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return try text.split(separator: "\n").filter { !$0.hasSuffix("NULL") }.map { line in
            let words = line.split(separator: " ")
            let month = try #require(months.firstIndex(of: String(words[2]))) + 1
            let day = (words[3].count == 1 ? "0" : "") + words[3]
            let text = "\(words[5])-\(month < 10 ? "0" : "")\(month)-\(day)T\(words[4])Z"
            let moment = try #require(UTCInstant(rfc3339: text), "\(line)").millisecondsSinceEpoch / 1000
            return (moment, try #require(Int64(words.last?.dropFirst("gmtoff=".count) ?? "")))
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
