import Foundation
import SubGuardDomain
import SubGuardStatements
import Testing

/// What banks write before and after the name of a payee.
@Suite struct BankWordsTests {
    private static let prices: [(name: String, cents: Int)] = [
        ("FILMTEMPEL", 1099), ("KLANGWERK RADIO", 999), ("MARSOL", 2499), ("TURNHALLE OST", 3900), ("MAYFLOWERS", 1250),
    ]

    private func statement(_ months: ClosedRange<Int>, _ text: (String, String, String) -> String) throws -> Statement {
        let names = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG"]
        var file = "Date;Description;Amount;Currency\n"
        for month in months {
            for (place, price) in Self.prices.enumerated() {
                let day = 10 + place * 3
                let text = text(price.name, "\(day)", names[month - 1])
                file += "2026-0\(month)-\(day);\"\(text)\";-\(price.cents / 100).\(price.cents % 100 / 10)"
                file += "\(price.cents % 10);EUR\n"
            }
        }
        return try Statement.read(Array(file.utf8))
    }

    @Test(
        "Words of the bank around the names divide and join no payees",
        arguments: [
            "/TRTP/SEPA Incasso algemeen doorlopend/CSID/NL00ZZZ123456789/NAME/{p}/MARF/4711/REMI/abo 1/2/IBAN/NL00",
            "/TRTP/SEPA Incasso algemeen doorlopend/CSID/NL00ZZZ123456789/NAME/{p}/MARF/4711/EREF/NOTPROVIDED",
            "SEPA Incasso algemeen doorlopend Incassant: NL00ZZZ123456789 Naam: {p} Machtiging: 4711 IBAN: NL00",
            "Point Of Sale Withdrawal {p}", "Point of Sale - Visa Debit VISA DEBIT RETAIL PURCHASE {p} 123456789",
            "PURCHASE AUTHORIZED ON 01/{d} {p} P123456789 CARD 1234", "Misc DR-Debit Card {d} {m} xxxx-1234 {p}",
            "E-COMM 13,49 NL K1 {d}.01. 10:00 {p}", "Bezahlung Karte MC/123456789 E-Com 1234 K001 {d}.01. 10:00 {p}",
            "Einkauf ZKB Visa Debit Card Nr. xxxx 1234, {p}",
            "Kauf/Online-Shopping vom {d}.01.2026 Kartennummer XXXX1234 {p}",
            "PAGO CON TARJETA DE OCIO Y VIAJES 4940 {p}",
            "PAGAMENTO INTERNET del {d}/01/2026 CARTA *1234 DI EUR 12,99 {p}",
            "BETALING VIA DEBETKAART {d}-01 OM 10.00 UUR {p}", "Betaling met debetkaart nummer 4871 04XX XXXX 1234 {p}",
            "DOP. MC 5123** PŁATNOŚĆ KARTĄ {p}", "ZAKUP PRZY UŻYCIU KARTY {p}",
            "Plata la POS non-BT cu card VISA;EPOS {d}/01/2026 TID:123456789 {p}",
            "Cumparare POS {d}-01-2026 Numar card: xxxx 1234 Terminal: {p}",
            "VÁSÁRLÁS KÁRTYÁVAL, 123456789, Tranzakció: 26.01.{d} {p}", "PAIEMENT PAR CARTE X1234 {p} {d}/01",
            "{p}              ON {d} {m} BCC", "POS PURCHASE {p} 416021*1234 {d} {m}", "VISA PURCHASE {d}{m} {p}",
            // Learned: nothing of it is known.
            "Quuxi brall zorvo fente {p}", "Quuxi brall zorvo fente vluz gnarp drosk {p}",
        ])
    func names(text: String) throws {
        let statement = try statement(1...6) { name, day, month in
            text.replacing("{p}", with: name).replacing("{d}", with: day).replacing("{m}", with: month)
        }
        let found = RecurringCharges(statement.bookings, catalogue: PayeeCatalogue([])).proposals()
        let names = Dictionary(grouping: found) { $0.name.uppercased() }
        #expect(Set(names.keys) == Set(Self.prices.map(\.name)), "\(text)")
        #expect(found.allSatisfy { $0.confidence > .unsure && $0.charges.count == 6 }, "\(text)")
        for (name, cents) in Self.prices {
            #expect(names[name]?.map(\.amount.minorUnits) == [Int64(cents)], "\(text)")
        }
        let reversed = RecurringCharges(statement.bookings.reversed(), catalogue: PayeeCatalogue([])).proposals()
        #expect(reversed == found)
    }

    @Test(
        "Names that begin with words of banks stay whole",
        arguments: [
            ("Paiement La Poste", "La Poste"), ("CARTE 12/03 LE MONDE", "Le Monde"), ("Point P", "Point P"),
            ("Internet Archive", "Internet Archive"), ("PRLV SEPA LA BANQUE DU LAC", "La Banque Du Lac"),
            ("PRLV SEPA ING", "Ing"), ("LASTSCHRIFT LE POINT", "Le Point"), ("CARTE ONLINE", "Online"),
            ("Societe Generale Assurance Vie", "Societe Generale Assurance Vie"),
            ("CARD PAYMENT 7 ELEVEN", "7 Eleven"), ("KARTENZAHLUNG MARS", "Mars"),
            ("CARTE MAI THAI 12", "Mai Thai 12"),
        ])
    func whole(text: String, name: String) {
        #expect(PayeeName(text).display == name)
    }

    @Test("Where the payee is nothing but words of the bank, the note names it")
    func notes() {
        #expect(PayeeName("Nákup na internetu", note: "FILMTEMPEL.CZ").key == "filmtempel cz")
        #expect(PayeeName("KARTENZAHLUNG", note: "").isOfBank)
    }

    @Test("Contracts of one insurer keep its name")
    func noFrame() throws {
        let kinds = ["VIE", "AUTO", "HABITATION", "SANTE", "JURIDIQUE"]
        var file = "Date;Description;Amount;Currency\n"
        for month in 1...6 {
            for (place, kind) in kinds.enumerated() {
                file += "2026-0\(month)-1\(place);MUTUELLE GRAND LAC \(kind);-\(10 + place * 7).00;EUR\n"
            }
            for day in 10...28 { file += "2026-0\(month)-\(day);MARKT \(month * day);-\(day * month % 37).10;EUR\n" }
        }
        let found = RecurringCharges(try Statement.read(Array(file.utf8)).bookings, catalogue: PayeeCatalogue([]))
        let names = Set(found.proposals().map(\.name))
        #expect(names.isSuperset(of: kinds.map { "Mutuelle Grand Lac " + $0.capitalized }))
    }

    @Test("Months after the words of a merchant make no merchants")
    func monthsAreNoNames() throws {
        let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        var file = "Date;Description;Amount;Currency\n"
        for place in 0..<34 {
            let (year, month) = (2024 + place / 12, place % 12)
            let day = "\(year)-\(month < 9 ? "0" : "")\(month + 1)-05"
            file += "\(day);ACME DIRECT HOME INSURANCE \(months[month]);-25.00;EUR\n"
        }
        let found = RecurringCharges(try Statement.read(Array(file.utf8)).bookings, catalogue: PayeeCatalogue([]))
        #expect(found.proposals().map(\.charges.count) == [34])
    }

    @Test("Of charges behind words that do not tell who is paid, none is sure")
    func unnamed() throws {
        var file = "Date;Description;Amount;Currency\n"
        for month in 1...6 {
            for (day, name) in [(10, "FILMTEMPEL"), (13, "KLANGWERK"), (17, "TURNHALLE")] {
                file += "2026-0\(month)-\(day);brall zorvo fente gnarp \(name);-\(day).00;EUR\n"
            }
        }
        let found = RecurringCharges(try Statement.read(Array(file.utf8)).bookings, catalogue: PayeeCatalogue([]))
        #expect(found.proposals().allSatisfy { $0.confidence == .unsure })
    }

    @Test("Money that is set aside, and a series that came back whole, are no subscriptions")
    func holds() throws {
        var file = "Date,Name,Type,Currency,Amount\n"
        for month in 1...6 {
            file += "2026-0\(month)-05,,Account Hold for Open Authorization,EUR,-10.99\n"
            file += "2026-0\(month)-06,,Reversal of General Account Hold,EUR,10.99\n"
            file += "2026-0\(month)-06,FILMTEMPEL,PreApproved Payment Bill User Payment,EUR,-10.99\n"
            file += "2026-0\(month)-09,KLANGWERK,PreApproved Payment Bill User Payment,EUR,-5.99\n"
            file += "2026-0\(month)-11,KLANGWERK,Payment Refund,EUR,5.99\n"
        }
        let found = RecurringCharges(try Statement.read(Array(file.utf8)).bookings, catalogue: PayeeCatalogue([]))
        #expect(found.proposals().map(\.name) == ["Filmtempel"])
    }
}
