import SubGuardDomain
import SubGuardStatements
import TestKit
import Testing

/// The cost of a file is in proportion to its length: each of these took a minute and more when it was quadratic.
@Suite(.timeLimit(.minutes(1))) struct StatementCostTests {
    private static let first = CalendarDay(iso: "2020-01-01") ?? .earliest

    private func booking(_ day: Int, _ units: Int64, _ payee: String = "SHOP 24") -> StatementBooking {
        StatementBooking(
            on: Self.first.adding(days: day), amount: Money(minorUnits: units, currency: .eur), payee: payee,
            row: day + 1)
    }

    private func charges(_ bookings: [StatementBooking]) -> RecurringCharges {
        RecurringCharges(bookings, catalogue: PayeeCatalogue([]))
    }

    @Test func refundsAreMatchedByAmount() {
        let count = 60_000
        var bookings: [StatementBooking] = []
        for number in 0..<count {
            let units = Int64(number % 500 + 1)
            bookings += [booking(number / 30, -units), booking(number / 30 + 61, units)]
        }
        let payees = charges(bookings).payees
        #expect(payees.count == 1)
        #expect(payees.first?.found.count == count)
    }

    /// Thousands of amounts that each come back, at one payee.
    @Test func manyAmountsOfOnePayee() {
        var random = SeededRandom(seed: 39)
        for payee in 0..<4 {
            let bookings = (0..<4000).map { place in
                let units = Int64(1000 + (place * 7 + Int.random(in: 0...2, using: &random)) % 900)
                return booking(place % 2_000, -units, "SHOP \(payee) LTD")
            }
            _ = charges(bookings).proposals()
        }
    }

    /// Cells may name one long text any number of times; header and content are told from its beginning.
    @Test(arguments: ["a", "é ", "한"])
    func aLongSharedTextCostsWhatAShortOneDoes(_ unit: String) {
        let row = "<row>" + String(repeating: "<c t='s'><v>0</v></c>", count: 40) + "</row>"
        let time = { (bytes: Int) in
            let text = String(repeating: unit, count: bytes / unit.utf8.count)
            let file = ZipSample.archive([
                ("xl/workbook.xml", "<workbook><sheets><sheet/></sheets></workbook>"),
                ("xl/sharedStrings.xml", "<sst><si><t>\(text)</t></si></sst>"),
                ("xl/worksheets/sheet1.xml", "<sheetData>\(String(repeating: row, count: 5))</sheetData>"),
            ])
            return leastProcessorSeconds(of: 2) { _ = try? Statement.read(file) }
        }
        #expect(time(16_000) < time(2000) * 3)
    }

    @Test func ofRefusedRowsTheFirstAreKeptAndAllAreCounted() throws {
        let files = { (count: Int) in
            [
                "!Type:Bank\n" + String(repeating: "Dx\nT1\n^\n", count: count),
                ":20:1\n:25:1\n:60F:C251231EUR0,\n" + String(repeating: ":61:x\n", count: count)
                    + ":62F:C251231EUR0,\n",
                "OFXHEADER:100\n<OFX>" + String(repeating: "<STMTTRN></STMTTRN>", count: count) + "</OFX>",
            ]
        }
        for file in files(1500) {
            let statement = try Statement.read(Array(file.utf8))
            #expect(statement.refused.count == Statement.maximumRefused && statement.refusedCount == 1500)
            #expect(statement.furtherRefused?.text == "Further rows that cannot be read: 500.")
        }
        for file in files(Statement.maximumBookings + 1).prefix(2) {
            let fault = #expect(throws: Fault.self) { try Statement.read(Array(file.utf8)) }
            #expect(fault?.code == .outOfRange, "\(file.prefix(20))")
        }
    }

    /// Compared with a search for each credit.
    @Test func theLatestChargeOfTheAmountWithinSixtyDaysIsRefunded() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            var bookings: [StatementBooking] = []
            for _ in 0..<Int.random(in: 2...40, using: &random) {
                let units = Int64.random(in: 1...3, using: &random) * (Bool.random(using: &random) ? -1 : 1)
                bookings.append(booking(Int.random(in: 0...150, using: &random), units))
            }
            let found = charges(bookings).payees.first { !$0.found.isEmpty }?.found ?? []
            var expected: [(on: CalendarDay, units: Int64, isRefunded: Bool)] = []
            for booking in bookings where booking.amount.minorUnits < 0 {
                expected.append((booking.on, -booking.amount.minorUnits, false))
            }
            expected.sort { ($0.on, $0.units) < ($1.on, $1.units) }
            for credit in bookings.filter({ $0.amount.minorUnits > 0 }).sorted(by: { $0.on < $1.on }) {
                let place = expected.lastIndex { charge in
                    charge.units == credit.amount.minorUnits && !charge.isRefunded && charge.on <= credit.on
                        && charge.on.days(until: credit.on) <= 60
                }
                if let place { expected[place].isRefunded = true }
            }
            #expect(found.map(\.on) == expected.map(\.on))
            // What several credits gave back together was left by those of the same amount.
            #expect(found.map { $0.isRefunded && $0.refund?.entries == 1 } == expected.map(\.isRefunded))
        }
    }
}
