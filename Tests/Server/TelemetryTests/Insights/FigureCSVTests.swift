import BackendTestKit
import Catalogue
import EventLog
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct FigureCSVTests {
    private let fixture: BackendFixture
    private let insights: InsightStore

    init() throws {
        fixture = try BackendFixture(now: "2027-01-04T00:00:00Z")
        insights = InsightStore(context: fixture.context)
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\n"))
        return text.split(separator: "\r\n").map(String.init)
    }

    @Test func leavesUnknownCellsEmptyAndNumbersAlone() async throws {
        try await EventIngest(log: EventLog(context: fixture.context)).store([
            event(1, "subscription_added", user: 1, at: "2026-12-24T00:00:00Z"),
            event(2, "subscription_removed", user: 1, at: "2026-12-31T00:00:00Z"),
            event(3, "subscription_removed", user: 1, at: "2026-12-31T00:00:01Z"),
        ])
        let rows = lines(FigureCSV.write(try insights.dashboard()))
        #expect(rows[0] == "figure,value,this_week,last_week,trend_percent,zone,definition")
        #expect(rows[3].hasPrefix("subscriptions_tracked,-1,-2,1,-300.0,UTC,\""))
        #expect(rows[5].hasPrefix("crash_free_sessions,,,,,UTC,\""))
        #expect(rows.count == 6)
    }

    @Test func hasARowAWeekAcrossTheEndOfTheYear() async throws {
        try await EventIngest(log: EventLog(context: fixture.context)).store([
            event(1, "app_downloaded", user: 1, at: "2026-12-27T23:59:59.999Z"),
            event(2, "app_downloaded", user: 2, at: "2026-12-28T00:00:00Z"),
            event(3, "app_downloaded", user: 3, at: "2027-01-03T23:59:59.999Z"),
            event(4, "retention_d1", user: 2, at: "2026-12-29T08:00:00Z"),
            event(5, "app_downloaded", user: 4, at: "2027-01-04T00:00:00Z"),
        ])
        let rows = lines(FigureCSV.write(try insights.cohorts()))
        #expect(rows[1].hasPrefix("2026-W52,2026-12-21,1,0,1,0.0,red,0,1,0.0,red,,,,,UTC,"))
        #expect(rows[2].hasPrefix("2026-W53,2026-12-28,2,1,1,100.0,green,0,1,0.0,red,,,,,UTC,"))
        #expect(rows[3].hasPrefix("2027-W01,2027-01-04,1,,,,,,,,,,,,,UTC,"))
        // The average is that of all users who have reached the day, not of the weeks.
        let average = try #require(try insights.cohorts().average)
        #expect(average.users == 4 && average.d1?.count == 1 && average.d1?.eligible == 2)
        #expect(average.d1?.percent.text == "50.0" && average.d30 == nil)
        let funnel = lines(FigureCSV.write(try insights.funnel(DayRange(from: CalendarDay(iso: "2027-01-04")))))
        #expect(funnel[1].hasPrefix("downloads,1,,100.0,2027-01-04,,UTC,"))
        #expect(funnel[2].hasPrefix("first_subscription,0,0.0,0.0,2027-01-04,,UTC,"))
        #expect(funnel[3].hasPrefix("five_subscriptions,0,,0.0,2027-01-04,,UTC,"))
    }

    @Test func keepsNamesFromBeingRunAsFormulas() async throws {
        let catalogue = CatalogueStore(context: fixture.context)
        let draft = CatalogueDraft.sample(#"=HYPERLINK("https://example.com","Été")"#, slug: "bad")
        let item = try catalogue.insert(draft, id: makeID(1), by: .editor)
        try await EventIngest(log: EventLog(context: fixture.context)).store([
            event(
                1, "subscription_added", at: "2027-01-03T00:00:00Z",
                properties: #"{"catalogue_item_id":"\#(item.id.lowercased)"}"#)
        ])
        let rows = lines(FigureCSV.write(try RankingStore(context: fixture.context).ranking(limit: 10)))
        #expect(
            rows[1].hasPrefix(
                item.id.lowercased + #","'=HYPERLINK(""https://example.com"",""Été"")",,1,UTC,"#), "\(rows[1])")
    }
}
