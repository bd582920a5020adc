import Foundation
import SubGuardDomain
import SubGuardStatements
import Testing

/// What comes back: under other words than the charge, in part, after a fee, and what is no price.
@Suite struct StatementRefundTests {
    private func day(_ iso: String) -> CalendarDay { CalendarDay(iso: iso) ?? .earliest }

    private func booking(_ iso: String, _ units: Int64, _ payee: String, note: String = "") -> StatementBooking {
        StatementBooking(
            on: day(iso), amount: Money(minorUnits: units, currency: .eur), payee: payee, note: note, row: 1)
    }

    private func months(_ payee: String, _ amounts: [Int64]) -> [StatementBooking] {
        amounts.enumerated().map { booking("2026-0\($0 + 1)-15", -$1, payee) }
    }

    private func propose(_ bookings: [StatementBooking]) -> [StatementProposal] {
        RecurringCharges(bookings, catalogue: PayeeCatalogue([])).proposals()
    }

    @Test(
        "A refund has the payee of its charge, and words of a bank",
        arguments: [
            "CANAL PLUS REMBOURSEMENT", "REMBOURSEMENT CANAL PLUS", "Remboursement de CANAL+", "AVOIR CANAL PLUS",
            "CANAL PLUS REFUND", "REFUND FROM CANAL PLUS", "ERSTATTUNG Canal Plus", "Rückerstattung von Canal Plus",
            "GUTSCHRIFT CANAL PLUS", "REEMBOLSO CANAL PLUS", "TERUGBETALING CANAL PLUS", "RIMBORSO DA CANAL PLUS",
            "CANAL PLUS CHARGEBACK", "REVERSAL: CANAL PLUS", "VIR SEPA RECU CANAL PLUS REMBT",
            "VIREMENT RECU DE CANAL PLUS", "REMBOURSEMENT PARTIEL CLIENT CANAL PLUS PARIS 15", "Canal",
        ])
    func words(payee: String) throws {
        for charged in ["PRLV SEPA CANAL PLUS", "CARTE 14/05 CANAL+ PARIS"] {
            guard payee != "Canal" || charged.hasSuffix("PARIS") else { continue }
            let found = propose(
                months(charged, Array(repeating: 2499, count: 6)) + [booking("2026-05-18", 2499, payee)])
            let proposal = try #require(found.first)
            #expect(found.count == 1 && proposal.charges.count == 6)
            #expect(proposal.charges.filter(\.isRefunded).map(\.on.iso) == ["2026-05-15"])
            #expect(
                proposal.refunds.map { "\($0.on) \($0.amount) \($0.effect)" } == ["2026-05-18 24.99 EUR notCharged"])
        }
    }

    @Test("The payee of a refund may be in the note")
    func noted() throws {
        let found = propose(
            months("CANAL PLUS", Array(repeating: 2499, count: 5))
                + [booking("2026-05-18", 2499, "GUTSCHRIFT", note: "CANAL PLUS Ruckzahlung")])
        #expect(try #require(found.first).charges.count(where: \.isRefunded) == 1)
    }

    @Test("Another payee, an earlier day, a larger amount and another currency are no refund of a charge")
    func others() throws {
        let plain = months("CANAL PLUS", Array(repeating: 2499, count: 5))
        var dollars = booking("2026-03-18", 2499, "CANAL PLUS REFUND")
        dollars.amount.currency = .usd
        let credits = [
            booking("2026-03-18", 2499, "REMBOURSEMENT CPAM"), booking("2026-01-14", 2499, "CANAL PLUS REFUND"),
            dollars,
        ]
        for credit in credits {
            #expect(try #require(propose(plain + [credit]).first).charges.allSatisfy { $0.refund == nil })
        }
        let large = try #require(propose(plain + [booking("2026-03-18", 4998, "CANAL PLUS REFUND")]).first)
        #expect(large.charges.allSatisfy { $0.refund == nil })
        #expect(large.refunds.map { "\($0.on) \($0.amount) \($0.effect)" } == ["2026-03-18 49.98 EUR unmatched"])
    }

    @Test("A part that comes back is no whole refund; two parts are")
    func parts() throws {
        let plain = months("CANAL PLUS", Array(repeating: 2499, count: 5))
        let part = try #require(propose(plain + [booking("2026-03-18", 500, "AVOIR CANAL PLUS")]).first)
        #expect(part.charges.map(\.paid.decimal) == ["24.99", "24.99", "19.99", "24.99", "24.99"])
        #expect(part.refunds.map(\.effect) == [.reduced] && part.setAside.isEmpty)
        #expect(part.why.contains { $0.text == "Of the charge of 2026-03-15, 5.00 EUR came back." })
        let both = try #require(
            propose(
                plain + [
                    booking("2026-03-18", 500, "AVOIR CANAL PLUS"), booking("2026-03-20", 1999, "CANAL PLUS"),
                ]
            ).first)
        #expect(both.charges.filter(\.isRefunded).map(\.on.iso) == ["2026-03-15"])
        #expect(both.refunds.map(\.on.iso) == ["2026-03-20"])
    }

    @Test("Where goods are bought too, only the same amount tells which charge came back")
    func goods() throws {
        let goods = [("2026-02-03", 5420), ("2026-03-08", 1210), ("2026-03-14", 23_000), ("2026-04-20", 350)]
            .map { booking($0.0, -Int64($0.1), "MARKT") }
        let plain = months("MARKT", Array(repeating: 699, count: 6)) + goods
        for units: Int64 in [500, 650] {
            let found = RecurringCharges(
                plain + [booking("2026-03-20", units, "MARKT REFUND")], catalogue: PayeeCatalogue([]))
            #expect(found.payees.allSatisfy { $0.found.allSatisfy { $0.refund == nil } })
        }
        let same = RecurringCharges(
            plain + [booking("2026-03-20", 699, "MARKT REFUND")], catalogue: PayeeCatalogue([]))
        #expect(same.payees.flatMap { $0.found.filter(\.isRefunded) }.map(\.on.iso) == ["2026-03-15"])
    }

    @Test("A fee once, in the middle or at the end, is no price; the refund is that of the charge nearest before it")
    func fee() throws {
        for amounts: [Int64] in [[1199, 1199, 1199, 1229], [1199, 1199, 1229, 1199, 1199]] {
            let charged = try #require(amounts.firstIndex(of: 1229)) + 1
            let found = propose(
                months("DEEZER", amounts) + [booking("2026-0\(charged)-24", 1199, "DEEZER REMBOURSEMENT")])
            let proposal = try #require(found.first)
            #expect(proposal.amount.decimal == "11.99" && proposal.prices.count == 1)
            #expect(proposal.charges.compactMap(\.refund?.amount.decimal) == ["11.99"])
            #expect(proposal.charges[charged - 1].paid.decimal == "0.30")
        }
        let open = try #require(propose(months("DEEZER", [1199, 1199, 1199, 1299])).first)
        #expect(open.amount.decimal == "11.99")
        #expect(open.why.contains { $0.text == "12.99 EUR on 2026-04-15 is no new price yet: it was charged once." })
        let rise = try #require(propose(months("DEEZER", [1199, 1199, 1199, 1299, 1299])).first)
        #expect(rise.amount.decimal == "12.99" && rise.prices.count == 2)
    }

    @Test("Credits of many payees and amounts cost in proportion to their number")
    func cost() {
        let charges = (0..<3000).map { booking("2026-0\($0 % 9 + 1)-15", -Int64($0 + 1), "SHOP") }
        let credits = (0..<30_000).map { booking("2026-09-16", Int64($0 % 977 + 1), "SHOP REFUND \($0 % 50)") }
        let found = RecurringCharges(charges + credits, catalogue: PayeeCatalogue([]))
        #expect(found.payees.contains { $0.found.contains { $0.refund != nil } })
    }
}
