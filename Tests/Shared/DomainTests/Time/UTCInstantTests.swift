import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct UTCInstantTests {
    @Test(
        arguments: [
            ("2026-11-20T10:00:00Z", 1_795_168_800_000), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1),
            ("2024-02-29t12:34:56z", 1_709_210_096_000),
            ("2024-02-29T12:34:56.7Z", 1_709_210_096_700), ("2024-02-29T12:34:56.78Z", 1_709_210_096_780),
            ("2024-02-29T12:34:56.789Z", 1_709_210_096_789),
            ("2024-02-29T12:34:56.7899999Z", 1_709_210_096_789), ("2024-02-29T12:34:56.123456789Z", 1_709_210_096_123),
            ("2024-02-29T12:34:56+00:00", 1_709_210_096_000),
            ("2024-02-29T12:34:56-00:00", 1_709_210_096_000), ("2024-03-01T00:30:00+01:00", 1_709_249_400_000),
            ("2024-02-29T23:30:00-05:30", 1_709_269_200_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2016-12-31T23:59:60.25Z", 1_483_228_800_250),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800_000),
            ("2016-12-31T18:29:60-05:30", 1_483_228_800_000), ("1969-12-31T23:59:60Z", 0),
            ("1960-06-30T23:59:60Z", -299_894_400_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func readsRFC3339(_ text: String, _ milliseconds: Int64) throws {
        #expect(UTCInstant(rfc3339: text)?.millisecondsSinceEpoch == milliseconds)
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { UTCInstant(rfc3339: $0) }?.millisecondsSinceEpoch == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20 10:00:00Z", "2026-11-20T10:00Z", "2026-11-20T10:00:00.Z",
        "2026-11-20T10:00:00,5Z",
        "2026-11-20T10:00:00.1234567890Z", "2026-11-20T24:00:00Z", "2026-11-20T10:60:00Z", "2026-11-20T10:00:61Z",
        "2026-11-20T10:00:60Z", "2026-11-20T23:59:60+01:00",
        "2026-11-20T23:58:60Z", "2023-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "2026-11-31T10:00:00Z",
        "2026-11-20T10:00:00+1:00", "2026-11-20T10:00:00+0100",
        "2026-11-20T10:00:00+24:00", "2026-11-20T10:00:00+01:60", "2026-11-20T10:00:00+01", "2026-11-20T10:00:00ZZ",
        "2026-11-20T10:00:00Z ", " 2026-11-20T10:00:00Z",
        "2026-11-20T10:00:00 Z", "2026-11-20T1:00:00Z", "0000-12-31T23:00:00-05:00", "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z",
        "2026-11-20T10:00:00UTC", "2026-11-20T10:00:00−01:00", "２０２６-11-20T10:00:00Z", "1795168800",
        "2026-11-20T10:00:00Z\u{0}",
    ])
    func refusesOtherForms(_ text: String) {
        #expect(UTCInstant(rfc3339: text) == nil)
    }

    @Test func refusesEveryPrefix() {
        let text = "2024-02-29T12:34:56.789+01:00"
        for length in 0..<text.utf8.count { #expect(UTCInstant(rfc3339: String(text.prefix(length))) == nil) }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (1, "1970-01-01T00:00:00.001Z"),
        (1_709_210_096_700, "2024-02-29T12:34:56.700Z"),
        (1_709_210_096_000, "2024-02-29T12:34:56Z"), (Int64.min, "0001-01-01T00:00:00Z"),
        (Int64.max, "9999-12-31T23:59:59.999Z"),
    ])
    func writesMillisecondsOnlyWhenThereAreAny(_ milliseconds: Int64, _ text: String) {
        #expect(UTCInstant(millisecondsSinceEpoch: milliseconds).rfc3339 == text)
    }

    @Test func survivesRoundTrips() {
        var generator = SeededRandom(seed: 29)
        let range = UTCInstant.earliest.millisecondsSinceEpoch...UTCInstant.latest.millisecondsSinceEpoch
        for _ in 0..<5000 {
            let instant = UTCInstant(millisecondsSinceEpoch: Int64.random(in: range, using: &generator))
            #expect(UTCInstant(rfc3339: instant.rfc3339) == instant)
            #expect(instant.day.iso == String(instant.rfc3339.prefix(10)))
        }
    }

    @Test func knowsItsDayOnBothSidesOfTheEpoch() throws {
        #expect(UTCInstant(millisecondsSinceEpoch: -1).day.iso == "1969-12-31")
        #expect(UTCInstant(millisecondsSinceEpoch: 86_399_999).day.iso == "1970-01-01")
        #expect(UTCInstant(millisecondsSinceEpoch: 86_400_000).day.iso == "1970-01-02")
        let leapDay = try #require(CalendarDay(iso: "2024-02-29"))
        #expect(UTCInstant(startOf: leapDay).rfc3339 == "2024-02-29T00:00:00Z")
        #expect(UTCInstant(startOf: leapDay).day == leapDay)
    }

    @Test func roundsSecondsDown() {
        #expect(UTCInstant(millisecondsSinceEpoch: 1999).secondsSinceEpoch == 1)
        #expect(UTCInstant(millisecondsSinceEpoch: -1).secondsSinceEpoch == -1)
        #expect(UTCInstant(secondsSinceEpoch: -1).millisecondsSinceEpoch == -1000)
    }

    @Test func isTheSameInstantAsADate() {
        for milliseconds in [0, -1, 1_795_168_800_123, 1_795_168_800_001, -62_135_596_800_000, 253_402_300_799_999] {
            let instant = UTCInstant(millisecondsSinceEpoch: Int64(milliseconds))
            #expect(UTCInstant(instant.date) == instant)
        }
        #expect(UTCInstant(Date(timeIntervalSince1970: 1.9996)).millisecondsSinceEpoch == 2000)
        #expect(UTCInstant(.distantFuture) < .latest)
        #expect(UTCInstant(Date(timeIntervalSince1970: .infinity)) == .latest)
        #expect(UTCInstant(Date(timeIntervalSince1970: -1e300)) == .earliest)
        #expect(UTCInstant(Date(timeIntervalSince1970: .nan)).millisecondsSinceEpoch == 0)
    }

    @Test func staysWithinItsYears() {
        let now = UTCInstant(millisecondsSinceEpoch: 1_795_168_800_123)
        #expect(now.adding(seconds: 1).millisecondsSinceEpoch == 1_795_168_801_123)
        #expect(now.adding(milliseconds: -123).rfc3339 == "2026-11-20T10:00:00Z")
        #expect(now.adding(days: -400).day.iso == "2025-10-16")
        #expect(now.adding(milliseconds: .max) == .latest)
        #expect(now.adding(milliseconds: .min) == .earliest)
        #expect(now.adding(seconds: .max) == .latest)
        #expect(now.adding(seconds: .min) == .earliest)
        #expect(now.adding(days: .max) == .latest)
        #expect(now.adding(days: .min) == .earliest)
        #expect(UTCInstant(secondsSinceEpoch: .max) == .latest)
        #expect(now.milliseconds(until: now.adding(seconds: -2)) == -2000)
        #expect(UTCInstant.earliest < now && now < .latest)
    }
}
