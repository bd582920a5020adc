import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Days of the operator's zone, with those of 23 and 25 hours.
@Suite struct ReportCalendarTests {
    private func calendar(_ name: String) throws -> ReportCalendar { try #require(ReportCalendar(zoneName: name)) }

    private func start(_ day: String, _ name: String) throws -> String {
        let day = try #require(CalendarDay(iso: day))
        return try calendar(name).start(of: Int64(day.daysSinceEpoch)).rfc3339
    }

    @Test func daysBeginAtMidnightThere() throws {
        // A day of 23 hours, and one of 25.
        #expect(try start("2026-03-29", "Europe/Paris") == "2026-03-28T23:00:00Z")
        #expect(try start("2026-03-30", "Europe/Paris") == "2026-03-29T22:00:00Z")
        #expect(try start("2026-11-01", "America/New_York") == "2026-11-01T04:00:00Z")
        #expect(try start("2026-11-02", "America/New_York") == "2026-11-02T05:00:00Z")
        #expect(try start("2026-06-01", "Asia/Kolkata") == "2026-05-31T18:30:00Z")
        #expect(try start("2026-06-01", "Asia/Kathmandu") == "2026-05-31T18:15:00Z")
        // Half an hour of summer time.
        #expect(try start("2026-04-05", "Australia/Lord_Howe") == "2026-04-04T13:00:00Z")
        #expect(try start("2026-04-06", "Australia/Lord_Howe") == "2026-04-05T13:30:00Z")
        // Midnight does not exist on the day on which the clocks go forward.
        #expect(try start("2026-04-24", "Africa/Cairo") == "2026-04-23T22:00:00Z")
        #expect(try start("2024-02-29", "UTC") == "2024-02-29T00:00:00Z")
        // A day that the zone left out.
        #expect(try start("2011-12-30", "Pacific/Apia") == "2011-12-30T10:00:00Z")
        #expect(try start("2011-12-31", "Pacific/Apia") == "2011-12-30T10:00:00Z")
    }

    @Test func namesAreThoseOfZones() throws {
        for wrong in ["", "Paris", "CET", "GMT+1", "Europe/paris", "../etc/passwd", "Etc/../UTC", "Europe/Atlantis"] {
            #expect(ReportCalendar(zoneName: wrong) == nil, "\(wrong)")
        }
        #expect(try calendar("America/Argentina/Buenos_Aires").zoneName == "America/Argentina/Buenos_Aires")
        #expect(ReportCalendar.utc.zoneName == "UTC" && ReportCalendar.utc.firstDay == nil)
    }

    /// Every zone: a later moment is never on an earlier day, and days are those of Foundation.
    @Test func daysFollowEachOther() throws {
        var random = SeededRandom(seed: 7)
        for name in TimeZone.knownTimeZoneIdentifiers where name.contains("/") {
            let calendar = try calendar(name)
            let reference = ReferenceZone(name)
            var moment = try instant("2020-01-01T00:00:00Z")
            var last = calendar.day(of: moment)
            for _ in 0..<60 {
                moment = moment.adding(milliseconds: Int64.random(in: 1...(80 * 86_400_000), using: &random))
                let day = calendar.day(of: moment)
                #expect(day >= last && day == reference.day(of: moment), "\(name) \(moment.rfc3339)")
                let start = calendar.start(of: Int64(day.daysSinceEpoch))
                #expect(start <= moment && calendar.day(of: start) == day, "\(name) \(day.iso)")
                #expect(calendar.day(of: start.adding(milliseconds: -1)) < day, "\(name) \(day.iso)")
                last = day
            }
        }
    }

    /// Where events were purged, days keep their cut up to the day after the last of them.
    @Test func purgedDaysKeepTheirCut() throws {
        let fixture = try BackendFixture(now: "2026-11-20T22:30:00Z")
        let log = EventLog(context: fixture.context)
        let insights = InsightStore(context: fixture.context, log: log)
        let zone = ReportZone(context: fixture.context, log: log)
        func count(_ event: AnalyticsEvent) throws {
            _ = try log.append([EventBatch(events: [event], rejected: [], receivedAt: fixture.now, byteCount: 0)])
        }
        let present = fixture.now
        // The first is purged, one happens on the day that becomes longer or shorter, and one is the same day
        // everywhere.
        for (number, hours) in [-100 * 24, -99 * 24 + 3, -98 * 24 - 7, -48, 0].enumerated() {
            fixture.now = present.adding(milliseconds: Int64(hours) * 3_600_000)
            try count(try event(UInt64(number), "app_downloaded", user: number, at: fixture.now))
        }
        try log.settle()
        #expect(try log.purge(before: present.adding(days: -99)) == 1)
        func users() throws -> [String] {
            try insights.series(
                of: try #require(SeriesFigure(rawValue: "users")), from: CalendarDay(iso: "2026-08-10")
            ).points
                .filter { $0.value?.text != "0" }.map { "\($0.on.iso) \($0.value?.text ?? "")" }
        }
        let before = try users()
        #expect(before == ["2026-08-12 1", "2026-08-14 2", "2026-11-18 1", "2026-11-20 1"])
        // Purged up to the 12th in UTC, which is the 13th in Tokyo: the 15th is the first day there.
        #expect(try zone.adopt("Asia/Tokyo", by: .editor) == .from(try #require(CalendarDay(iso: "2026-08-15"))))
        #expect(try zone.adopt("Asia/Tokyo", by: .editor) == nil)
        let after = try users()
        #expect(after == ["2026-08-12 1", "2026-08-14 1", "2026-08-15 1", "2026-11-19 1", "2026-11-21 1"])
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        // Back, as if nothing had been.
        #expect(try zone.adopt("UTC", by: .editor) == .recounted)
        #expect(try users() == before)
        #expect(try fixture.context.store.read { try ReportCalendar.load(in: $0) } == .utc)
        let actions = try AuditLog(context: fixture.context).list(after: nil, limit: 20).map(\.change.action)
        #expect(actions.filter { $0 == "figures.zone" }.count == 2)
    }

    /// Nothing is counted while what was counted is cut anew, and everything afterwards.
    @Test func whoCountsWaits() throws {
        let fixture = try BackendFixture(now: "2026-11-20T22:30:00Z")
        let log = EventLog(context: fixture.context)
        func count(_ number: UInt64) throws {
            let made = try event(number, "app_downloaded", user: Int(number), at: fixture.now)
            _ = try log.append([EventBatch(events: [made], rejected: [], receivedAt: fixture.now, byteCount: 0)])
        }
        try count(1)
        fixture.now = fixture.now.adding(days: 3)
        try count(2)
        #expect(try log.purge(before: fixture.now) == 1)
        _ = try FigureRebuilder(context: fixture.context, log: log).begin(by: .editor, recounting: true)
        try count(3)
        let other = EventLog(context: fixture.context)
        try other.foldStep()
        let counted = try fixture.context.store.read { session in
            try session.first("SELECT users FROM figure_totals") { try $0.integer(0) }
        }
        #expect(counted == 2)
        // Its process is gone.
        fixture.now = fixture.now.adding(seconds: 31)
        try other.settle()
        #expect(try fixture.count("SELECT users FROM figure_totals") == 3)
        #expect(
            try ReportZone(context: fixture.context, log: log).adopt("Asia/Tokyo", by: .editor)
                == .from(try #require(CalendarDay(iso: "2026-11-23"))))
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }
}
