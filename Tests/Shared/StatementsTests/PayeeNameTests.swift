import SubGuardDomain
import Testing

@Suite struct PayeeNameTests {
    @Test(
        "The merchant is named behind a payment service",
        arguments: [
            (
                "PayPal Europe S.a.r.l. et Cie S.C.A", "1012345678901/PP.1234.PP/. SPOTIFY, Ihr Einkauf bei SPOTIFY",
                "Spotify"
            ),
            ("PayPal Europe S.a.r.l. et Cie S.C.A", "PP.1234.PP . NETFLIX, Ihr Einkau f bei NETFLIX", "Netflix"),
            ("PAYPAL (EUROPE) S.A R.L. ET CIE", "ABO CANAL PLUS 1040716623", "Canal Plus"),
            ("PRLV SEPA PAYPAL EUROPE SARL DEEZER 1040716623 PAYPAL", "", "Deezer"),
            ("PAYPAL *DISNEYPLUS", "", "Disneyplus"), ("PADDLE.NET* SETAPP", "", "Setapp"),
            ("SumUp *Boxe du Parc", "", "Boxe Du Parc"), ("Klarna Bank AB", "Uw aankoop bij Blendle", "Blendle"),
            ("Adyen N.V.", "NRC 0123456789", "Nrc"), ("Spotify AB via Stripe", "", "Spotify"),
            ("Stichting Mollie Payments", "M0012345678 Fietsclub Noord", "Fietsclub Noord"),
            ("Card transaction of 12.99 EUR issued by Netflix", "", "Netflix"),
            ("Transaction par carte de 9,99 EUR émise par Spotify P1A2B3", "", "Spotify"),
            ("Kartentransaktion über 5,99 EUR ausgestellt von Adobe", "", "Adobe"),
            ("GoCardless Ltd", "The Climbing Hangar", "The Climbing Hangar"),
        ])
    func merchants(payee: String, note: String, name: String) {
        let found = PayeeName(payee, note: note)
        #expect(found.display == name)
        #expect(!found.isService)
    }

    @Test("The merchant of the file counts before the payee; without any, the service is known as one")
    func services() {
        for text in [
            "PayPal Europe S.a.r.l. et Cie S.C.A", "PAYPAL EUROPE SARL", "Stripe Payments Europe Ltd 00123456",
        ] {
            let found = PayeeName(text, note: "1040716623")
            #expect(found.isService, "\(text)")
            #expect(["paypal", "stripe"].contains(found.key))
        }
    }

    @Test(
        "Words inside names decide nothing, nor do notes",
        arguments: [
            "PRET A MANGER", "RENT THE RUNWAY", "WISO STEUER", "STEUERTIPPS GMBH", "CASHPRESSO", "CASH CONVERTERS CLUB",
            "ATMEN APP", "ATM MOBILIS", "Pretium", "Tax Fix", "Rentokil", "Credit Karma", "Loan Star Comics",
            "Rentman", "Rent a Center", "Rent Manager", "Car Rental Club", "Mortgage Calculator Pro", "Loanable",
            "Student Loan Planner", "MTG Arena", "Parent Square", "Rent Mark Studio",
        ])
    func innocent(text: String) {
        for note in ["", "incl. tax", "cash back 1%", "Ihr Kredit, Ihre Miete", "no loan", "CARD PAYMENT"] {
            let found = PayeeName(text, note: note)
            #expect(found.kind == .card, "\(text) \(note) \(found.kind)")
            #expect(!found.isPerson)
        }
    }

    @Test(
        "Whole types are told",
        arguments: [
            ("RETRAIT DAB 12/03 LYON", "", PayeeName.Kind.cash), ("Notemachine", "ATM", .cash),
            ("Cash withdrawal of 50 GBP", "", .cash), ("LINK", "BARGELDAUSZAHLUNG 12.03", .cash),
            ("ECHEANCE PRET 00123", "", .obligation), ("PRET IMMO 4711", "", .obligation), ("Loyer", "", .obligation),
            ("MORTGAGE HALIFAX", "", .obligation), ("Halifax Mortgage 123", "", .obligation),
            ("HALIFAX MORTGAGES", "", .obligation), ("NATIONWIDE B S MORTGAGE", "Direct Debit", .obligation),
            ("Santander UK Mortgage DD", "", .obligation), ("Wells Fargo Home Mtg", "", .obligation),
            ("FREEDOM MTG PYMTS 0123", "", .obligation), ("Student Loans Company", "", .obligation),
            ("DEPT EDUCATION STUDENT LN", "", .obligation), ("Zopa Loan 4711", "Direct Debit", .obligation),
            ("TESCO BANK LOANS", "", .obligation), ("Rent J Smith", "", .obligation),
            ("RENT MRS DRAKE", "", .obligation), ("Rent Flat 4", "", .obligation), ("Rent to Jane", "", .obligation),
            ("Miete Anna Schmidt", "", .obligation),
            ("Finanzamt Nord", "FOLGELASTSCHRIFT", .obligation), ("HMRC", "Direct Debit", .obligation),
            ("Kim", "DAUERAUFTRAG Mandat", .transfer), ("Kim", "SEPA Periodieke overb.", .transfer),
            ("Kim", "Stående överföring", .transfer), ("To Kim Berg", "TRANSFER", .transfer),
            ("Kim", "Zlecenie stałe", .transfer), ("Zelle payment to Kim", "", .transfer),
            ("Strom Nord", "Taschengeld DAUERAUFTRAG", .transfer), ("Strom Nord", "Autogiro", .directDebit),
            ("ADDEBITO SDD Palestra", "", .directDebit), ("Domiciliation européenne Club", "", .directDebit),
        ])
    func kinds(payee: String, note: String, kind: PayeeName.Kind) {
        #expect(PayeeName(payee, note: note).kind == kind)
    }

    @Test("Persons are told, with and without titles, and merchants that a card was used with are none")
    func persons() {
        for name in [
            "Jeanne Morvan", "DUPONT JEAN", "Mme Sylvie Lefort", "Herr Jürgen Kaufmann", "M DURAND", "Max Mustermann",
            "Anna-Lena Schmidt", "Mr T Barnes",
        ] {
            #expect(PayeeName(name).isPerson, "\(name)")
            #expect(!PayeeName(name, note: "CARTE 1234").isPerson, "\(name)")
        }
        for name in [
            "HBO MAX", "CLAUDE.AI SUBSCRIPTION", "ANTHROPIC* CLAUDE SUB", "Le Monde", "Basic Fit", "Martin GmbH",
            "Ecole Jean Jaures", "Netflix", "Oscar Health", "Victor Studio", "Planet Fitness",
        ] {
            #expect(!PayeeName(name).isPerson, "\(name)")
        }
    }

    @Test("A name keeps its accents and capitals, and ends before a person's name, cards and accounts")
    func display() {
        #expect(PayeeName("PRLV SEPA SÉCURITÉ ÉTÉ").display == "Sécurité Été")
        #expect(PayeeName("NordVPN").display == "NordVPN")
        #expect(PayeeName("FREE MOBILE JEAN DUPONT").display == "Free Mobile")
        #expect(PayeeName("ENERCITY MME LEFORT SYLVIE").display == "Enercity")
        #expect(PayeeName("TELEKOM 4111 1111 1111 1111").display == "Telekom")
        #expect(PayeeName("TELEKOM FR76 3000 4000 0312 3456 7890 143").display == "Telekom")
    }
}
