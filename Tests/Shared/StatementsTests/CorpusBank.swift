import Foundation
import SubGuardDomain

/// Shapes in which banks export statements: columns and texts as they write them, with invented content.
enum CorpusBank: String, CaseIterable {
    case frenchCSV, frenchTwoColumns, sparkasse, dkb, ing, belgium, starling, britishOFX, chase, amex, spain, italy
    case revolut, wise, n26, swissCAMT, nordic, qif

    var country: CorpusCountry {
        switch self {
        case .frenchCSV, .frenchTwoColumns, .belgium, .revolut: .france
        case .sparkasse, .dkb, .n26: .germany
        case .ing: .netherlands
        case .starling, .britishOFX, .wise: .britain
        case .chase, .amex, .qif: .america
        case .spain: .spain
        case .italy: .italy
        case .swissCAMT: .switzerland
        case .nordic: .sweden
        }
    }

    var currency: Currency {
        switch self {
        case .starling, .britishOFX, .wise: Currency(code: "GBP") ?? .eur
        case .chase, .amex, .qif: .usd
        case .swissCAMT: Currency(code: "CHF") ?? .eur
        case .nordic: Currency(code: "SEK") ?? .eur
        default: .eur
        }
    }

    private typealias Payment = CorpusHousehold.Payment

    func write(_ payments: [CorpusHousehold.Payment]) -> [UInt8] {
        let rows = payments.enumerated().map { row($1, $0) }
        switch self {
        case .frenchCSV: return text("Date;Libellé;Montant;Devise\n", rows)
        case .frenchTwoColumns: return text("Date;Libellé;Débit euros;Crédit euros\n", rows)
        case .sparkasse:
            return text(
                """
                Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Beguenstigter/Zahlungspflichtiger;\
                Kontonummer;BLZ;Betrag;Waehrung;Info\n
                """,
                rows)
        case .dkb:
            return text(
                "Buchungstag;Wertstellung;Buchungstext;Auftraggeber / Begünstigter;Verwendungszweck;Betrag (EUR)\n",
                rows)
        case .ing:
            return text(
                "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen\n",
                rows)
        case .belgium: return text("Date;Description;Montant;Devise\n", rows)
        case .starling: return text("Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)\n", rows)
        case .chase: return text("Posting Date,Description,Amount,Type\n", rows)
        case .amex: return text("Date,Description,Amount\n", rows)
        case .spain: return text("Fecha;Concepto;Importe;Divisa\n", rows)
        case .italy: return text("Data;Descrizione;Importo;Divisa\n", rows)
        case .revolut:
            return text(
                "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n", rows)
        case .wise: return text("Date,Amount,Currency,Description,Payment Reference\n", rows)
        case .n26:
            return text(
                """
                "Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name",\
                "Amount (EUR)"\n
                """,
                rows)
        case .nordic: return text("Date;Type;Description;Amount;Currency\n", rows)
        case .qif: return text("!Type:Bank\n", rows)
        case .britishOFX:
            return text(
                """
                OFXHEADER:100
                DATA:OFXSGML
                VERSION:102
                ENCODING:USASCII
                CHARSET:1252

                <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKTRANLIST>\n
                """,
                rows, "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>")
        case .swissCAMT:
            return text(
                """
                <?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.04">\
                <BkToCstmrStmt><Stmt>\n
                """,
                rows, "</Stmt></BkToCstmrStmt></Document>")
        }
    }

    private func text(_ head: String, _ rows: [String], _ end: String = "") -> [UInt8] {
        Array((head + rows.joined(separator: "\n") + "\n" + end).utf8)
    }

    private func row(_ payment: CorpusHousehold.Payment, _ number: Int) -> String {
        let reference = "\(40_715_623 + number * 7919)"
        let (on, name) = (payment.on, payment.name)
        let amount = StatementWriter.decimal(payment.units, usesComma ? "," : ".")
        let plain = StatementWriter.decimal(abs(payment.units), usesComma ? "," : ".")
        let isSpent = payment.units < 0
        let slashes = StatementWriter.day(on, "/")
        switch self {
        case .frenchCSV: return "\(slashes);\(french(payment, reference));\(amount);EUR"
        case .frenchTwoColumns:
            return "\(slashes);\"\(french(payment, reference))\";\(isSpent ? plain : "");\(isSpent ? "" : plain)"
        case .sparkasse:
            let (kind, purpose, party) = german(payment, reference)
            let day = StatementWriter.day(on, ".", short: true)
            return """
                DE02100100100006820101;\(day);\(day);\(kind);\(purpose);\(party);DE75512108001245126199;SOGEDEFF;\
                \(amount);EUR;Umsatz gebucht
                """
        case .dkb:
            let (kind, purpose, party) = german(payment, reference)
            let day = StatementWriter.day(on, ".")
            return "\(day);\(day);\(kind.capitalized);\(party);\(purpose);\(amount)"
        case .ing:
            let (kind, code) =
                switch payment.how {
                case .card: ("Betaalautomaat", "BA")
                case .debit, .paypal: ("Incasso", "IC")
                case .order: ("Periodieke overschrijving", "PO")
                case .cash: ("Geldautomaat", "GM")
                case .income: ("Overschrijving", "OV")
                }
            let party = payment.how == .paypal ? "PayPal Europe S.a.r.l. et Cie S.C.A" : name
            let said =
                payment.how == .paypal
                ? """
                Naam: PayPal Europe Omschrijving: \(reference)/PP.4711.PP, \(name), Uw aankoop bij \(name) IBAN: \
                LU89751000135104200E
                """
                : "Naam: \(name) Omschrijving: kenmerk \(reference)"
            return """
                \(on.iso.filter { $0 != "-" });\(party);NL69INGB0123456789;NL44RABO0123456789;\(code);\
                \(isSpent ? "Af" : "Bij");\(plain);\(kind);\(said)
                """
        case .belgium:
            let said =
                switch payment.how {
                case .card: "Paiement avec carte de débit \(slashes) \(name) BRUXELLES carte 5244 35XX"
                case .debit: "Domiciliation européenne \(name) mandat \(reference)"
                case .paypal: "Domiciliation européenne PayPal Europe S.a.r.l. - votre achat chez \(name), \(reference)"
                case .order: "Ordre permanent vers BE68539007547034 \(name)"
                case .cash: "Retrait d'argent \(slashes)"
                case .income: "Virement de \(name)"
                }
            return "\(slashes);\(said);\(amount);EUR"
        case .starling:
            let (kind, party) =
                switch payment.how {
                case .card: ("CONTACTLESS", name)
                case .debit: ("DIRECT DEBIT", name)
                case .paypal: ("DIRECT DEBIT", "PAYPAL *\(name)")
                case .order: ("STANDING ORDER", name)
                case .cash: ("ATM", "Notemachine")
                case .income: ("FASTER PAYMENT", name)
                }
            return "\(slashes),\(party),\(reference),\(kind),\(amount),1204.55"
        case .britishOFX:
            let (kind, party) =
                switch payment.how {
                case .card: ("POS", name)
                case .debit: ("DIRECTDEBIT", name)
                case .paypal: ("DIRECTDEBIT", "PAYPAL *\(name)")
                case .order: ("REPEATPMT", "STANDING ORDER \(name)")
                case .cash: ("ATM", "CASH WITHDRAWAL LINK")
                case .income: ("DIRECTDEP", name)
                }
            return """
                <STMTTRN><TRNTYPE>\(kind)<DTPOSTED>\(on.iso.filter { $0 != "-" })<TRNAMT>\(amount)<FITID>\
                \(reference)<NAME>\(party)</STMTTRN>
                """
        case .chase, .qif, .amex:
            let said =
                switch payment.how {
                case .card: "\(name) \(reference.prefix(3))-555-0199 CA"
                case .debit: "\(name) DES:PREM PYMT ID:\(reference) INDN:A HOLDER CO ID:9\(reference)"
                case .paypal: "PAYPAL *\(name) 402-935-7733 CA"
                case .order: "Zelle payment to \(name) \(reference)"
                case .cash: "ATM WITHDRAWAL 0012 MAIN ST"
                case .income: "\(name) PAYROLL PPD ID: \(reference)"
                }
            let day = "\(StatementWriter.two(on.month))/\(StatementWriter.two(on.day))/\(on.year)"
            if self == .qif {
                return "D\(on.month)/\(on.day)'\(StatementWriter.two(on.year % 100))\nT\(amount)\nP\(said)\n^"
            }
            if self == .amex { return "\(day),\(said),\(StatementWriter.decimal(-payment.units, "."))" }
            return "\(day),\(said),\(amount),\(isSpent ? "DEBIT_CARD" : "ACH_CREDIT")"
        case .spain:
            let said =
                switch payment.how {
                case .card: "COMPRA TARJETA 5402XXXXXXXX1234 \(name) MADRID"
                case .debit: "RECIBO \(name) Nº RECIBO \(reference)"
                case .paypal: "PAYPAL *\(name)"
                case .order: "TRANSFERENCIA A \(name)"
                case .cash: "REINTEGRO CAJERO 0049"
                case .income: "NOMINA \(name)"
                }
            return "\(slashes);\(said);\(amount);EUR"
        case .italy:
            let said =
                switch payment.how {
                case .card: "PAGAMENTO POS \(name) MILANO CARTA *1234"
                case .debit: "ADDEBITO SDD \(name) MANDATO \(reference)"
                case .paypal: "PAYPAL *\(name)"
                case .order: "BONIFICO A FAVORE DI \(name)"
                case .cash: "PRELIEVO BANCOMAT 4511"
                case .income: "STIPENDIO \(name)"
                }
            return "\(slashes);\(said);\(amount);EUR"
        case .revolut:
            let (kind, said) =
                switch payment.how {
                case .card, .paypal: ("CARD_PAYMENT", name.capitalized)
                case .debit: ("CARD_PAYMENT", name.capitalized)
                case .order: ("TRANSFER", "To \(name)")
                case .cash: ("ATM", "Cash at Crédit Rural")
                case .income: ("TOPUP", "Payment from \(name)")
                }
            return """
                \(kind),Current,\(on.iso) 08:12:44,\(on.iso) 15:01:09,\(said),\(amount),0.00,EUR,COMPLETED,\
                \(900 + number).00
                """
        case .wise:
            let said =
                switch payment.how {
                case .card, .debit, .paypal: "Card transaction of \(plain) GBP issued by \(name) LONDON"
                case .order: "Sent money to \(name)"
                case .cash: "Cash withdrawal of \(plain) GBP at Link"
                case .income: "Received money from \(name)"
                }
            return "\(StatementWriter.day(on, "-")),\(amount),GBP,\(said),"
        case .n26:
            let kind =
                switch payment.how {
                case .card: "Presentment"
                case .debit, .paypal: "Direct Debit"
                case .order: "Debit Transfer"
                case .cash: "ATM Withdrawal"
                case .income: "Credit Transfer"
                }
            let party = payment.how == .paypal ? "PayPal Europe S.a.r.l. et Cie S.C.A" : name
            let said = payment.how == .paypal ? "\(reference)/PP.4711.PP/. \(name), Ihr Einkauf bei \(name)" : "-"
            return "\(on.iso),\(on.iso),\"\(party)\",,\(kind),\"\(said)\",\"Main Account\",\(amount)"
        case .nordic:
            let (kind, said) =
                switch payment.how {
                case .card: ("Kortköp", name)
                case .debit: ("Autogiro", name)
                case .paypal: ("Kortköp", "PAYPAL *\(name)")
                case .order: ("Stående överföring", name)
                case .cash: ("Uttag", "Bankomat Centralen")
                case .income: ("Lön", name)
                }
            return "\(on.iso);\(kind);\(said);\(amount);SEK"
        case .swissCAMT:
            let kind =
                switch payment.how {
                case .card: "Einkauf Debitkarte"
                case .debit, .paypal: "Belastung Lastschrift"
                case .order: "Dauerauftrag"
                case .cash: "Bargeldbezug"
                case .income: "Gutschrift"
                }
            let party = isSpent ? "Cdtr" : "Dbtr"
            let related = name.isEmpty ? "" : "<RltdPties><\(party)><Nm>\(name)</Nm></\(party)></RltdPties>"
            return """
                <Ntry><Amt Ccy="CHF">\(plain)</Amt><CdtDbtInd>\(isSpent ? "DBIT" : "CRDT")</CdtDbtInd><Sts>BOOK</Sts>\
                <BookgDt><Dt>\(on.iso)</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>\(reference)</EndToEndId>\
                </Refs>\(related)</TxDtls></NtryDtls><AddtlNtryInf>\(kind)</AddtlNtryInf></Ntry>
                """
        }
    }

    private var usesComma: Bool {
        switch self {
        case .frenchCSV, .frenchTwoColumns, .sparkasse, .dkb, .ing, .belgium, .spain, .italy, .nordic: true
        default: false
        }
    }

    private func french(_ payment: CorpusHousehold.Payment, _ reference: String) -> String {
        let day = "\(StatementWriter.two(payment.on.day))/\(StatementWriter.two(payment.on.month))"
        return switch payment.how {
        case .card: "CARTE \(day) \(payment.name) CB*4523"
        case .debit: "PRLV SEPA \(payment.name) MANDAT \(reference)"
        case .paypal: "PRLV SEPA PAYPAL EUROPE S.A.R.L. ET CIE S.C.A \(payment.name) \(reference)PAYPAL"
        case .order: "VIR PERMANENT \(payment.name)"
        case .cash: "RETRAIT DAB \(day) LYON BELLECOUR"
        case .income: "VIR SEPA \(payment.name) SALAIRE"
        }
    }

    private func german(_ payment: CorpusHousehold.Payment, _ reference: String) -> (String, String, String) {
        switch payment.how {
        case .card: ("KARTENZAHLUNG", "2025-04T19:02 Debitk.1 2028-12", payment.name)
        case .debit: ("FOLGELASTSCHRIFT", "EREF+\(reference) MREF+M-\(reference) SVWZ+Beitrag", payment.name)
        case .paypal:
            (
                "FOLGELASTSCHRIFT", "\(reference)/PP.4711.PP/. \(payment.name), Ihr Einkau f bei \(payment.name)",
                "PayPal Europe S.a.r.l. et Cie S.C.A"
            )
        case .order: ("DAUERAUFTRAG", "Taschengeld", payment.name)
        case .cash: ("BARGELDAUSZAHLUNG", "12.03/10.42UHR", "GA NR00012345 BLZ40050150")
        case .income: ("LOHN GEHALT", "Gehalt", payment.name)
        }
    }
}
