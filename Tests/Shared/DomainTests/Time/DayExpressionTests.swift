import SubGuardDomain
import Testing

@Suite struct DayExpressionTests {
    /// A Friday.
    private let today = CalendarDay(iso: "2026-11-20")

    @Test(arguments: [
        ("2027-01-15", "2027-01-15"), ("15/01/2027", "2027-01-15"), ("15.01.2027", "2027-01-15"),
        ("15 janvier", "2027-01-15"), ("15 janvier 2029", "2029-01-15"), ("le 1er mars", "2027-03-01"),
        ("1ER MARS 2028", "2028-03-01"), ("8 août", "2027-08-08"), ("January 15", "2027-01-15"),
        ("Jan. 15th, 2028", "2028-01-15"), ("15 of January", "2027-01-15"), ("20 novembre", "2026-11-20"),
        ("19 nov", "2027-11-19"), ("31/12", "2026-12-31"), ("29 février", "2028-02-29"), ("29 Feb 2028", "2028-02-29"),
        ("today", "2026-11-20"), ("Tomorrow", "2026-11-21"), ("yesterday", "2026-11-19"),
        ("aujourd'hui", "2026-11-20"), ("aujourd’hui", "2026-11-20"), ("demain", "2026-11-21"), ("hier", "2026-11-19"),
        ("après-demain", "2026-11-22"), ("lundi", "2026-11-23"), ("Monday", "2026-11-23"),
        ("vendredi", "2026-11-27"), ("lundi dernier", "2026-11-16"), ("last Friday", "2026-11-13"),
        ("in 3 days", "2026-11-23"), ("dans 3 jours", "2026-11-23"), ("dans un mois", "2026-12-20"),
        ("in 2 weeks", "2026-12-04"), ("2 days ago", "2026-11-18"), ("il y a 2 semaines", "2026-11-06"),
        ("dans 9999 ans", "9999-12-31"), ("le 5", "2026-12-05"), ("le 20", "2026-11-20"),
        ("le 25 du mois", "2026-11-25"), ("on the 1st", "2026-12-01"), ("the 31st of each month", "2026-12-31"),
    ])
    func readsDatesAsPeopleWriteThem(_ text: String, _ iso: String) throws {
        #expect(DayExpression(text)?.day(today: try #require(today)).iso == iso)
    }

    @Test(arguments: [
        ("15 janvier", "2026-01-15"), ("20 November", "2026-11-20"), ("29 février", "2024-02-29"),
        ("lundi", "2026-11-16"), ("vendredi", "2026-11-13"), ("lundi prochain", "2026-11-23"), ("demain", "2026-11-21"),
        ("15 janvier 2029", "2029-01-15"), ("le 5", "2026-11-05"), ("le 31", "2026-10-31"),
    ])
    func looksBackWhereItIsToldTo(_ text: String, _ iso: String) throws {
        #expect(DayExpression(text)?.day(today: try #require(today), towards: .last).iso == iso)
    }

    @Test(arguments: [
        "", "31 février", "30 February", "29 février 2027", "31/04", "1/15/2027", "15 janvier 27", "mar", "15",
        "janvier",
        "january february", "0 mars", "115 mars", "in days", "dans -3 jours", "in 3 moons", "in 99999 days",
        "15 janvier à midi", "next week", "lundi lundi", "le 0", "le 32", "le mois", "5 du mois", "1/2/3/4",
        "١٥ janvier", "🎉",
    ])
    func refusesWhatIsNoDateOrAmbiguous(_ text: String) { #expect(DayExpression(text) == nil) }

    @Test func theLastDayOfAMonthStaysInItsMonth() throws {
        let day = try #require(CalendarDay(iso: "2027-01-31"))
        #expect(DayExpression("in 1 month")?.day(today: day).iso == "2027-02-28")
    }
}
