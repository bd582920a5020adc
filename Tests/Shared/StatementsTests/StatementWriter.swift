import Foundation
import SubGuardDomain
import TestKit

/// Writes payments as eleven banks export them.
enum StatementWriter: String, CaseIterable {
    case frenchDebitCredit, frenchSigned, germanExport, partnerColumn, stateColumn, dutchDirection
    case creditCard, tabUTF16, ofx1, qif, camt

    /// The writer that the detection was not tuned with.
    static let heldBack = StatementWriter.tabUTF16

    func write(_ payments: [StatementGenerator.Payment], seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        let below = { (bound: Int) in Int(random.next() % UInt64(bound)) }
        var reference: () -> String = { "" }
        reference = { String(below(90_000_000) + 10_000_000) }
        switch self {
        case .frenchDebitCredit:
            var text = """
                Téléchargement du 02/03/2026;\r\n\r\nCompte Chèques n° 12345678901;\r\n\
                Solde au 01/03/2026 1 234,56 €\r\n\r\n
                """
            text += "Date;Libellé;Débit euros;Crédit euros;\r\n"
            for payment in payments {
                let amount = Self.decimal(abs(payment.units), ",")
                text += "\(Self.day(payment.on, "/"));\"\(french(payment, reference()))\";"
                text += payment.units < 0 ? "\(amount);;\r\n" : ";\(amount);\r\n"
            }
            return Self.windows1252(text + ";;;\r\n")
        case .frenchSigned:
            var text = "\u{FEFF}Date opération;Date valeur;Libellé;Montant;Devise\n"
            for payment in payments {
                text += """
                    \(Self.day(payment.on, "/"));\(Self.day(payment.on.adding(days: 1), "/"));\
                    \(french(payment, reference()));\(Self.decimal(payment.units, ",", group: "\u{A0}"));EUR\n
                    """
            }
            return Array(text.utf8)
        case .germanExport:
            var text = """
                "Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";\
                "Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"\n
                """
            for payment in payments {
                let kind =
                    switch payment.kind {
                    case .card: "KARTENZAHLUNG"
                    case .debit: "FOLGELASTSCHRIFT"
                    case .transfer: "DAUERAUFTRAG"
                    case .income: "LOHN GEHALT"
                    case .cash: "BARGELDAUSZAHLUNG"
                    }
                let purpose =
                    payment.kind == .debit
                    ? "EREF+\(reference()) MREF+M\(reference()) SVWZ+Rechnung" : "2024-05T12:33 Debitk.1 2027-12"
                text += """
                    "DE00123";"\(Self.day(payment.on, ".", short: true))";"\(Self.day(payment.on, ".", short: true))";\
                    "\(kind)";"\(purpose)";"\(payment.merchant)";"DE99";"COBADE";"\(Self.decimal(payment.units, ","))";\
                    "EUR";"Umsatz gebucht"\n
                    """
            }
            return Self.windows1252(text)
        case .partnerColumn:
            var text = """
                "Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name",\
                "Amount (EUR)"\n
                """
            for payment in payments {
                let kind =
                    switch payment.kind {
                    case .card: "Presentment"
                    case .debit: "Direct Debit"
                    case .transfer: "Debit Transfer"
                    case .income: "Credit Transfer"
                    case .cash: "ATM Withdrawal"
                    }
                text += """
                    \(payment.on.iso),\(payment.on.iso),"\(payment.merchant)",,\(kind),-,"Main Account",\
                    \(Self.decimal(payment.units, "."))\n
                    """
            }
            return Array(text.utf8)
        case .stateColumn:
            var text = "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
            for (index, payment) in payments.enumerated() {
                let name = payment.kind == .transfer ? "Transfer to \(payment.merchant)" : payment.merchant
                let kind =
                    payment.kind == .card
                    ? "CARD_PAYMENT"
                    : payment.kind == .debit ? "DIRECT_DEBIT" : payment.kind == .cash ? "ATM" : "TRANSFER"
                text += """
                    \(kind),Current,\(payment.on.iso) 08:12:44,\(payment.on.iso) 15:01:09,\(name.capitalized),\
                    \(Self.decimal(payment.units, ".")),0.00,EUR,COMPLETED,\(1000 + index).00\n
                    """
                if index % 97 == 0 {
                    text += """
                        \(kind),Current,\(payment.on.iso) 08:12:44,,\(name.capitalized),\
                        \(Self.decimal(payment.units, ".")),0.00,EUR,REVERTED,\n
                        """
                }
            }
            return Array(text.utf8)
        case .dutchDirection:
            var text = """
                "Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";\
                "Mededelingen"\n
                """
            for payment in payments {
                let kind =
                    switch payment.kind {
                    case .card: "Betaalautomaat"
                    case .debit: "Incasso"
                    case .transfer: "Overboeking"
                    case .income: "Overschrijving"
                    case .cash: "Geldautomaat"
                    }
                text += """
                    "\(payment.on.iso.filter { $0 != "-" })";"\(payment.merchant) \(payment.city)";"NL00";"";"BA";\
                    "\(payment.units < 0 ? "Af" : "Bij")";"\(Self.decimal(abs(payment.units), ","))";"\(kind)";\
                    "Pasvolgnr: 001 \(reference())"\n
                    """
            }
            return Array(text.utf8)
        case .creditCard:
            var text = """
                Date,Description,Amount,Extended Details,Appears On Your Statement As,Address,City/State,Zip Code,\
                Country,Reference,Category\n
                """
            for payment in payments.reversed() where payment.kind != .income {
                let name = payment.kind == .transfer ? "TRANSFER \(payment.merchant)" : payment.merchant
                let parts = payment.on.components
                text += """
                    \(Self.two(parts.month))/\(Self.two(parts.day))/\(parts.year),"\(name)        \(payment.city)",\
                    \(Self.decimal(-payment.units, ".", group: ",")),,,,\(payment.city),,,'\(reference())',Merchandise\n
                    """
            }
            return Array(text.utf8)
        case .tabUTF16:
            var text = """
                Account\tMy current account\r\nStatement\t1\r\nDate\tTransaction type\tDescription\tPaid out\tPaid in\t\
                Balance\r\n
                """
            for (index, payment) in payments.enumerated() {
                let parts = payment.on.components
                let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
                    parts.month - 1]
                let kind =
                    switch payment.kind {
                    case .card: "Visa purchase"
                    case .debit: "Direct debit"
                    case .transfer: "Standing order"
                    case .income: "Bank credit"
                    case .cash: "ATM Withdrawal"
                    }
                let amount = "€" + Self.decimal(abs(payment.units), ".", group: ",")
                text += "\(Self.two(parts.day)) \(month) \(parts.year)\t\(kind)\t\(payment.merchant) \(payment.city)\t"
                text += (payment.units < 0 ? "\(amount)\t" : "\t\(amount)") + "\t€\(index).00\r\n"
            }
            var bytes: [UInt8] = [0xFF, 0xFE]
            for unit in text.utf16 { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)] }
            return bytes
        case .ofx1:
            var text = """
                OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\n\
                CHARSET:1252\r\n\r\n\
                <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST>\r\n
                """
            for payment in payments {
                text += """
                    <STMTTRN><TRNTYPE>\(payment.kind == .debit ? "DIRECTDEBIT" : "DEBIT")<DTPOSTED>\
                    \(payment.on.iso.filter { $0 != "-" })120000[+1:CET]<TRNAMT>\
                    \(Self.decimal(payment.units, "."))<FITID>\(reference())<NAME>\
                    \(french(payment, "").prefix(32).replacingOccurrences(of: "&", with: "&amp;"))</STMTTRN>\r\n
                    """
            }
            return Self.windows1252(text + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>")
        case .qif:
            var text = "!Type:Bank\n"
            for payment in payments {
                let parts = payment.on.components
                text += """
                    D\(parts.month)/\(parts.day)'\(Self.two(parts.year % 100))
                    T\(Self.decimal(payment.units, ".", group: ","))
                    P\(french(payment, reference()))
                    ^\n
                    """
            }
            return Array(text.utf8)
        case .camt:
            var text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>\n
                """
            for payment in payments {
                let name = payment.merchant.replacingOccurrences(of: "&", with: "&amp;")
                let party = payment.units < 0 ? "Cdtr" : "Dbtr"
                let kind =
                    switch payment.kind {
                    case .card: "POS PURCHASE"
                    case .debit: "SEPA DIRECT DEBIT"
                    case .transfer: "STANDING ORDER"
                    case .income: "SALARY"
                    case .cash: "CASH WITHDRAWAL"
                    }
                text += """
                    <Ntry><Amt Ccy="EUR">\(Self.decimal(abs(payment.units), "."))</Amt>\
                    <CdtDbtInd>\(payment.units < 0 ? "DBIT" : "CRDT")</CdtDbtInd><Sts>BOOK</Sts><BookgDt>\
                    <Dt>\(payment.on.iso)</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>\(reference())</EndToEndId>\
                    </Refs><RltdPties><\(party)><Nm>\(name)</Nm></\(party)></RltdPties></TxDtls></NtryDtls>\
                    <AddtlNtryInf>\(kind)</AddtlNtryInf></Ntry>\n
                    """
            }
            return Array((text + "</Stmt></BkToCstmrStmt></Document>").utf8)
        }
    }

    private func french(_ payment: StatementGenerator.Payment, _ reference: String) -> String {
        let parts = payment.on.components
        let day = "\(Self.two(parts.day))/\(Self.two(parts.month))"
        return switch payment.kind {
        case .card: "CARTE \(day) \(payment.merchant) \(payment.city) CB*4523"
        case .debit: "PRLV SEPA \(payment.merchant) MANDAT \(reference) REF \(reference)"
        case .transfer: "VIR PERMANENT \(payment.merchant)"
        case .income: "VIR SEPA \(payment.merchant) SALAIRE"
        case .cash: "RETRAIT DAB \(day) \(payment.city)"
        }
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    static func day(_ day: CalendarDay, _ mark: String, short: Bool = false) -> String {
        let parts = day.components
        return [two(parts.day), two(parts.month), short ? two(parts.year % 100) : "\(parts.year)"].joined(
            separator: mark)
    }

    static func decimal(_ units: Int64, _ mark: String, group: String = "") -> String {
        var whole = "\(abs(units) / 100)"
        if !group.isEmpty, whole.utf8.count > 3 { whole = whole.dropLast(3) + group + whole.suffix(3) }
        return (units < 0 ? "-" : "") + whole + mark + two(Int(abs(units) % 100))
    }

    static func windows1252(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
    }
}
