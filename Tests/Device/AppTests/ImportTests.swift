import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// A file is looked at first, and only what was chosen is stored.
@Suite struct ImportTests {
    /// Netflix on the 30th with a rise, and a shop that comes once.
    private static let statement = """
        Date;Libellé;Montant
        30/06/2026;CARTE 29/06 NETFLIX.COM CB*4523;-12,34
        30/07/2026;CARTE 29/07 NETFLIX.COM CB*4523;-12,34
        31/08/2026;CARTE 29/08 NETFLIX.COM CB*4523;-12,34
        30/09/2026;CARTE 29/09 NETFLIX.COM CB*4523;-13,99
        30/10/2026;CARTE 29/10 NETFLIX.COM CB*4523;-13,99
        02/11/2026;CARTE 01/11 L'ÉPICERIE “D'À CÔTÉ” 🎉;-50,00

        """

    private static let bank = [("kind", "bank"), ("currency", "EUR")]

    /// The value of a field of the page's form.
    private func value(_ name: String, in page: String) throws -> String {
        let match = try #require(page.firstMatch(of: try Regex("name=\"\(name)\" value=\"([^\"]*)\"")))
        return String(try #require(match.output[1].substring))
    }

    @Test func aStatementIsLookedAtBeforeItIsStored() throws {
        let app = try AppFixture()
        let preview = try app.send("/import", Self.bank, "relevé “26” 🎉.csv", Array(Self.statement.utf8))
        #expect(preview.status == 200 && preview["Cache-Control"] == "no-store")
        #expect(preview.text.contains("relevé “26” 🎉.csv") && preview.text.contains("€13.99"))
        #expect(try app.names().isEmpty, "nothing is stored before")
        let id = try value("id", in: preview.text)
        let proposal = try value("proposal", in: preview.text)
        let accepted = try app.post("/import/accept", [("id", id), ("proposal", proposal)])
        #expect(accepted.status == 303)
        #expect(try app.names() == ["Netflix"])
        let subscription = try #require(try app.store.subscriptions.all().first)
        #expect(subscription.price.decimal == "12.34" && subscription.price(on: app.moment.today).decimal == "13.99")
        #expect(try app.get(try #require(accepted["Location"])).text.contains("action=\"/undo\""))
        // The file was for once.
        #expect(try app.post("/import/accept", [("id", id), ("proposal", proposal)]).status == 400)
        let entry = try #require(try app.store.journal.entries(at: app.moment).first)
        #expect(try app.post("/undo", [("number", "\(entry.id)"), ("back", "/")]).status == 303)
        #expect(try app.names().isEmpty)
    }

    @Test func aDoubledChargeIsShown() throws {
        let twice = Self.statement + "01/09/2026;CARTE 31/08 NETFLIX.COM CB*4523;-12,34\n"
        for (language, words) in [
            (DisplayLanguage.english, ["Charged twice", "Netflix: charged twice, €12.34 again on 2026-09-01"]),
            (.french, ["Prélevé deux fois", "Netflix\u{202F}: prélevé deux fois, encore 12,34"]),
        ] {
            let page = try AppFixture(language: language).send("/import", Self.bank, "a.csv", Array(twice.utf8)).text
            for word in words { #expect(page.contains(word), "\(word)") }
        }
    }

    @Test func aRefundIsNamed() throws {
        let back = Self.statement + "02/09/2026;REMBOURSEMENT NETFLIX.COM;12,34\n20/10/2026;AVOIR NETFLIX;99,99\n"
        let english = [
            "Refunds", "Netflix: €12.34 charged on 2026-08-31 came back on 2026-09-02",
            "€99.99 credited on 2026-10-20",
        ]
        let french = ["Remboursements", "prélevés le 31/08/2026, remboursés le 02/09/2026"]
        for (language, words) in [(DisplayLanguage.english, english), (.french, french)] {
            let page = try AppFixture(language: language).send("/import", Self.bank, "a.csv", Array(back.utf8)).text
            for word in words { #expect(page.contains(word), "\(word)") }
        }
    }

    @Test func aTableThatWasReadBeforeIsSaid() throws {
        let app = try AppFixture(language: .french)
        let table = "Nom;Prix;Devise;Fréquence;Prochaine échéance;Humeur\nGym;29,90;EUR;mensuel;05/12/2026;🙂\n"
        let first = try app.send("/import", [("kind", "csv")], "a.csv", Array(table.utf8))
        #expect(first.text.contains("non reconnu, donc non importé\u{202F}: Humeur"))
        #expect(try app.post("/import/accept", [("id", try value("id", in: first.text))]).status == 303)
        let again = try app.send("/import", [("kind", "csv")], "a.csv", Array(table.utf8)).text
        #expect(again.contains("ligne 2\u{202F}: Gym est déjà là\u{202F}; ignorée"))
        let empty = try app.send("/import", [("kind", "json")], "a.json", Array("[]".utf8)).text
        #expect(empty.contains("Le fichier ne contient rien à importer."))
    }

    /// The wording of the charges is in a column that only a person can tell.
    @Test func whatWasReadWronglyIsCorrectedInThePreview() throws {
        let app = try AppFixture(language: .french)
        let file = """
            Jour;Titre;Valeur
            03/06/2026;Été à l'écran;12,34
            03/07/2026;Été à l'écran;12,34
            03/08/2026;Été à l'écran;12,34

            """
        let bytes = file.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let preview = try app.send("/import", Self.bank, "a.csv", bytes)
        #expect(preview.text.contains("Lire autrement") && preview.text.contains("windows-1252"))
        let id = try value("id", in: preview.text)
        let columns = [("column_1", "date"), ("column_2", "payee"), ("column_3", "debit")]
        let again = try app.post(
            "/import/again", [("id", id), ("encoding", "windows-1252"), ("date_order", "mdy")] + columns)
        // 3 June has become 6 March: three days in a row.
        #expect(
            again.status == 200 && again.text.contains("Valeur = débit")
                && again.text.contains("<option value=\"mdy\" selected"))
        let last = try app.post(
            "/import/again", [("id", id), ("encoding", "windows-1252"), ("date_order", "dmy")] + columns)
        #expect(last.text.contains("3 prélèvements du 03/06/2026 au 03/08/2026"))
        #expect(
            last.text.contains("Le montant est de 12,34\u{202F}€")
                || last.text.contains("Le montant est de 12,34\u{A0}€"))
        let refused = try app.post("/import/again", [("id", id), ("column_1", "ignore"), ("column_3", "amount")])
        #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
        let proposal = try value("proposal", in: last.text)
        #expect(try app.post("/import/accept", [("id", id), ("proposal", proposal)]).status == 303)
        #expect(try app.names().count == 1)
    }

    /// Charges and prices of what is there already are declined row by row.
    @Test func knownChargesAreAcceptedRowByRow() throws {
        let app = try AppFixture()
        let id = try app.add(
            "Netflix", [.amount: "12.34", .nextBillingOn: "2026-11-30", .startedOn: "2026-06-30"])
        let preview = try app.send("/import", Self.bank, "a.csv", Array(Self.statement.utf8)).text
        let ids = preview.matches(of: try Regex("name=\"match\" value=\"([^\"]*)\" checked")).compactMap {
            $0.output[1].substring.map(String.init)
        }
        #expect(ids.count == 6, "a price and five charges")
        #expect(preview.contains("New prices") && preview.contains("new price from 2026-09-30, instead of €12.34"))
        // All but the price.
        let form = [("id", try value("id", in: preview))] + ids.dropFirst().map { ("match", $0) }
        #expect(try app.post("/import/accept", form).status == 303)
        #expect(try app.store.subscriptions.load(id).prices.isEmpty)
        #expect(try app.store.ledger.missed(at: app.moment).isEmpty)
        // The price is still offered; a guessed one is not taken.
        app.advance(seconds: 60)
        let again = try app.send("/import", Self.bank, "a.csv", Array(Self.statement.utf8)).text
        #expect(again.contains(ids[0]) && !again.contains(ids[1]))
        #expect(again.contains("5 charges of subscriptions that are here: Netflix"))
        let guessed = [("id", try value("id", in: again)), ("match", "<script>"), ("rest", "on")]
        let done = try app.post("/import/accept", guessed)
        #expect(done.status == 303 && done["Location"]?.hasSuffix("done=nothing") == true)
        #expect(try app.store.subscriptions.load(id).prices.isEmpty)
    }

    /// In place of a hint at the command line, the first rows with a choice for each column.
    @Test func columnsThatAreNotRecognisedAreChosen() throws {
        let app = try AppFixture(language: .french)
        let text = "Extrait;;\nQuand;Quoi “26” <b>;Combien\n03/06/2026;Été;12\n03/07/2026;Été;12\n03/08/2026;Été;12\n"
        let asked = try app.send("/import", Self.bank, "relevé.csv", Array(text.utf8))
        #expect(asked.status == 422 && asked.text.contains("pas été reconnues. Indique celle de la date"))
        #expect(!asked.text.contains("--map") && !asked.text.contains("<b>;"))
        #expect(asked.text.contains("<option value=\"date\" selected") && asked.text.contains(">03/06/2026<"))
        let id = try value("id", in: asked.text)
        // Still without an amount.
        let columns = [("column_1", "date"), ("column_2", "payee")]
        let wrong = try app.post("/import/again", [("id", id), ("column_3", "ignore")] + columns)
        #expect(wrong.status == 422 && wrong.text.contains("column_3"))
        let right = try app.post("/import/again", [("id", id), ("column_3", "debit")] + columns)
        #expect(right.status == 200 && right.text.contains("3 prélèvements du 03/06/2026 au 03/08/2026"))
        #expect(right.text.contains("dates\u{202F}: jour, mois, année") && right.text.contains("ordre des dates. S"))
        let proposal = try value("proposal", in: right.text)
        #expect(try app.post("/import/accept", [("id", id), ("proposal", proposal)]).status == 303)
        #expect(try app.names().count == 1)
    }

    @Test func theCurrencyAndTheColumnsOfATableAreAskedFor() throws {
        let app = try AppFixture()
        let without = "Date,Payee,Amount\n2026-06-03,Été,-12.50\n2026-07-03,Été,-12.50\n2026-08-03,Été,-12.50\n"
        let asked = try app.send("/import", [("kind", "bank"), ("currency", "")], "a.csv", Array(without.utf8))
        #expect(asked.status == 422 && asked.text.contains("names no currency: enter it"))
        #expect(!asked.text.contains("--currency"))
        let read = try app.post(
            "/import/again", [("id", try value("id", in: asked.text)), ("currency", "eur"), ("date_order", "")])
        #expect(read.status == 200 && read.text.contains("€12.50"))

        let table =
            "Was,Wieviel,Wann,Takt\nZeitung “26” 🎉,12.34 €,2027-01-15,monthly\n<img src=x>,9 €,2027-01-15,yearly\n"
        let choice = try app.send("/import", [("kind", "csv"), ("currency", "EUR")], "b.csv", Array(table.utf8))
        #expect(choice.status == 422 && choice.text.contains("which one holds the name"))
        #expect(!choice.text.contains("<img") && !choice.text.contains("--map"))
        let id = try value("id", in: choice.text)
        let twice = [("column_1", "name"), ("column_2", "name"), ("column_3", "next_billing_on")]
        let refused = try app.post("/import/again", [("id", id)] + twice)
        #expect(refused.status == 422 && refused.text.contains("Two columns hold the same"))
        let columns = [
            ("column_1", "name"), ("column_2", "amount"), ("column_3", "next_billing_on"), ("column_4", "cycle"),
        ]
        let preview = try app.post("/import/again", [("id", id)] + columns)
        #expect(preview.status == 200 && preview.text.contains("2 subscriptions would be added"))
        #expect(preview.text.contains("Zeitung “26” 🎉") && preview.text.contains("€12.34 · Monthly · active"))
        #expect(try app.post("/import/accept", [("id", id)]).status == 303)
        #expect(try app.names().sorted() == ["<img src=x>", "Zeitung “26” 🎉"])
    }

    @Test func unreadableRowsSayWhatStandsThere() throws {
        let app = try AppFixture()
        let text = Self.statement + "31/02/2026;X;-1,00\n01/03/2026;Y;<b>12\u{202E}\n02/03/2026;Z;\n"
        let page = try app.send("/import", Self.bank, "a.csv", Array((text + "03/11/2026;Z;-1,00\n").utf8)).text
        #expect(page.contains("Row 8, column “Date”, “31/02/2026”: Must be a date"))
        #expect(page.contains("Row 9, column “Montant”, “&lt;b&gt;12\u{FFFD}”: Must be an amount"))
        #expect(page.contains("Without an amount, and left out: 1.") && !page.contains("Row 10"))
        let table = "name,amount,currency,cycle,next_billing_on\nÉté,<x>,EUR,monthly,2027-01-15\n"
        let other = try app.send("/import", [("kind", "csv"), ("currency", "")], "a.csv", Array(table.utf8)).text
        #expect(other.contains("Row 2, column “amount”, “&lt;x&gt;”: "))
    }

    @Test func whatIsNotChosenIsNotStored() throws {
        let app = try AppFixture()
        try app.add("Before")
        app.advance(seconds: 60)
        let preview = try app.send("/import", Self.bank, "a.csv", Array(Self.statement.utf8))
        let accepted = try app.post("/import/accept", [("id", try value("id", in: preview.text))])
        #expect(try app.names() == ["Before"])
        let page = try app.get(try #require(accepted["Location"])).text
        #expect(page.contains("Nothing was changed.") && !page.contains("action=\"/undo\""))
        // A proposal that is not in the file.
        let again = try app.send("/import", Self.bank, "a.csv", Array(Self.statement.utf8))
        let guessed = [("id", try value("id", in: again.text)), ("proposal", "<script>")]
        let refused = try app.post("/import/accept", guessed)
        #expect(refused.status == 422 && !refused.text.contains("<script>"))
        #expect(try app.names() == ["Before"])
    }

    @Test func aFileBelongsToItsBrowserAndToItsTime() throws {
        let app = try AppFixture()
        let id = try value("id", in: try app.send("/import", Self.bank, "a.csv", Array(Self.statement.utf8)).text)
        let code = String(try #require(try app.server.launchAddress().split(separator: "#").last))
        let other = String(
            try #require(try AppFixture.launch(app.server, code)["Set-Cookie"]?.split(separator: ";").first))
        let stolen = try AppFixture.exchange(
            app.server, "POST", "/import/accept", ["Cookie: \(other)", "Sec-Fetch-Site: same-origin"],
            form: [("id", id)])
        #expect(stolen.status == 400 && stolen.text.contains("no longer here"))
        app.advance(seconds: ImportDesk.minutes * 60)
        #expect(try app.post("/import/accept", [("id", id)]).status == 400)
        for odd in ["", "x", "<b>", UUID().uuidString] {
            #expect(try app.post("/import/accept", [("id", odd)]).status == 400, "\(odd)")
        }
    }

    @Test func rowsThatCannotBeReadAreNamed() throws {
        let app = try AppFixture()
        let text = """
            name,amount,currency,cycle,next_billing_on
            "L'Équipe “26” 🎉",12.34,EUR,monthly,2027-01-15
            "<script>alert(1)</script>",9.99,EUR,monthly,2027-01-15
            Bad,abc,EUR,monthly,2027-01-15
            "<img src=x onerror=alert(1)>",x,EUR,monthly,2027-01-15

            """
        let preview = try app.send("/import", [("kind", "csv"), ("currency", "")], "<b>\".csv", Array(text.utf8))
        #expect(preview.status == 200 && preview.text.contains("2 subscriptions would be added"))
        #expect(preview.text.contains("Row 4") || preview.text.contains("row 4"))
        #expect(!preview.text.contains("<script>alert") && !preview.text.contains("<img src=x"))
        #expect(!preview.text.contains("<b>\".csv"))
        #expect(try app.post("/import/accept", [("id", try value("id", in: preview.text))]).status == 303)
        #expect(try app.names().sorted() == ["<script>alert(1)</script>", "L'Équipe “26” 🎉"])
        let list = try app.get("/").text
        #expect(!list.contains("<script>alert") && list.contains("&lt;script>alert") || list.contains("&lt;script&gt;"))
    }

    @Test func aWorkbookIsReadAndATableWithoutPayeesIsAskedFor() throws {
        let app = try AppFixture()
        let cells = { (texts: [String]) in texts.map { "<c t='str'><v>\($0)</v></c>" }.joined() }
        let rows = ["06", "07", "08"].map { cells(["2026-\($0)-03", "Été", "-12.50"]) }
        let sheet = ([cells(["Date", "Payee", "Montant EUR"])] + rows).map { "<row>\($0)</row>" }.joined()
        let workbook = ZipSample.archive([
            ("xl/workbook.xml", "<workbook><sheets><sheet/></sheets></workbook>"),
            ("xl/worksheets/sheet1.xml", "<worksheet>\(sheet)</worksheet>"),
        ])
        let read = try app.send("/import", Self.bank, "a.xlsx", workbook)
        #expect(read.status == 200 && read.text.contains("xlsx") && read.text.contains("€12.50"))
        let bare = Array("Date;Amount;Saldo\n2026-06-03;-1,00;9,00\n2026-07-03;-1,00;8,00\n".utf8)
        let asked = try app.send("/import", Self.bank, "a.csv", bare)
        #expect(asked.status == 422 && asked.text.contains("Say which one names who was paid"))
        #expect(asked.text.contains("<option value=\"balance\""))
    }

    /// Of archives, only bank statements are unpacked, and no more than they may have.
    @Test func anArchiveIsRefused() throws {
        let app = try AppFixture()
        // The start of a zip file, which says that 4 GiB follow.
        let bomb = [0x50, 0x4B, 0x03, 0x04, 0x14, 0, 0, 0, 8, 0] + [UInt8](repeating: 0xFF, count: 1 << 20)
        for kind in ["bank", "csv", "json", "wallos", "subtrackr", "<script>"] {
            let refused = try app.send("/import", [("kind", kind), ("currency", "EUR")], "bomb.zip", bomb)
            let isBank = ["bank", "<script>"].contains(kind)
            let sentence = isBank ? "The archive is damaged" : "This is an archive"
            #expect(refused.status == 422 && refused.text.contains(sentence), "\(kind)")
            // Neither is a single line of a megabyte.
            let line = try app.send("/import", [("kind", kind)], "a.csv", [UInt8](repeating: 0xFF, count: 1 << 20))
            #expect(line.status == 422 && !line.text.contains("name=\"id\""), "\(kind)")
            #expect(line.text.utf8.count < 20_000, "\(kind)")
        }
        #expect(try app.names().isEmpty)
    }

    @Test func aFileThatIsTooLongIsRefusedWithAPage() throws {
        let app = try AppFixture()
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 20 << 20)
        let refused = try app.send("/import", Self.bank, "long.csv", long)
        #expect(refused.status == 413 && refused.text.contains("The file is larger than 16 MB."))
        #expect(refused["Content-Type"] == "text/html; charset=utf-8")
        // Before its body is read, and without a word about the app to a user without a session.
        let head = "POST /import HTTP/1.1\r\nHost: \(app.host)\r\nOrigin: http://\(app.host)\r\n"
        let type = "Content-Type: multipart/form-data; boundary=x\r\nExpect: 100-continue\r\n"
        let fields = type + "Content-Length: 17000000\r\n\r\n"
        let locked = try RawClient.exchange(app.port, head + fields)
        #expect(locked.status == 401, "\(locked.status) \(locked.text)")
        let farTooLong = fields.replacing("17000000", with: "99000000000")
        let answer = try RawClient.exchange(app.port, head + "Cookie: \(app.cookie)\r\n" + farTooLong)
        #expect(answer.status == 413)
    }

    @Test func emptyAndMalformedFormsAreRefused() throws {
        let app = try AppFixture()
        let none = try app.send("/import", Self.bank, "", [])
        #expect(none.status == 422 && none.text.contains("No file was chosen."))
        let currency = try app.send("/import", [("kind", "bank"), ("currency", "EURO")], "a.csv", [0x41])
        #expect(currency.status == 422 && currency.text.contains("value=\"EURO\""))
        #expect(try app.post("/import", [("kind", "bank")]).status == 400)
        #expect(try app.get("/import").text.contains("value=\"subtrackr\""))
    }

    /// Tables and files of other programs that name no currency.
    private static let nameless = [
        ("csv", "name,amount,cycle,next\nMax,16.99,monthly,2026-12-20\n"),
        (
            "wallos",
            """
            {"subscriptions":[{"Name":"Max","Price":"$16.99","Payment Cycle":"Monthly","Next Payment":"2026-12-21"}]}
            """
        ),
        ("subtrackr", "ID,Name,Cost,Schedule,Renewal Date,Status\n7,Max,16.99,Monthly,2026-12-22,Active\n"),
    ]

    @Test("The currency that was typed counts before the usual one", arguments: nameless, ["CAD", ""])
    func theTypedCurrencyCounts(_ file: (kind: String, text: String), _ usual: String) throws {
        let app = try AppFixture()
        if !usual.isEmpty { try app.add("Before", [.currency: usual]) }
        let page = try app.send("/import", [("kind", file.kind), ("currency", "USD")], "a", Array(file.text.utf8))
        #expect(page.status == 200 && page.text.contains("$16.99") && !page.text.contains("CA$"))
        #expect(try app.post("/import/accept", [("id", try value("id", in: page.text))]).status == 303)
        #expect(try app.store.subscriptions.all().first { $0.name == "Max" }?.currency == .usd)
    }

    @Test func aCurrencyIsChangedInThePreview() throws {
        let app = try AppFixture()
        let text = "Was,Wieviel,Wann,Takt\nZeitung,12.34,2027-01-15,monthly\n"
        let choice = try app.send("/import", [("kind", "csv"), ("currency", "")], "a.csv", Array(text.utf8)).text
        let id = ("id", try value("id", in: choice))
        let columns = [
            ("column_1", "name"), ("column_2", "amount"), ("column_3", "next_billing_on"), ("column_4", "cycle"),
        ]
        let missing = try app.post("/import/again", [id] + columns)
        #expect(missing.text.contains("column “currency”, empty") && missing.text.contains("name=\"currency\""))
        let wrong = try app.post("/import/again", [id, ("currency", "USDX")])
        #expect(wrong.status == 422 && wrong.text.contains("Must be a currency code"))
        // The columns stay.
        let again = try app.post("/import/again", [id, ("currency", "usd")])
        #expect(again.text.contains("1 subscription would be added") && again.text.contains("$12.34"))
        #expect(try app.post("/import/accept", [id]).status == 303)
        #expect(try app.store.subscriptions.all().map(\.currency) == [.usd])
    }

    @Test func whatChangedAfterThePreviewIsShownFirst() throws {
        let app = try AppFixture()
        let id = try app.add("Netflix", [.startedOn: "2026-06-30"])
        let export = Array(try app.store.portability.export(.json, at: app.moment).utf8)
        let statement = Self.statement.replacing("NETFLIX.COM", with: "SPOTIFY")
        for (fields, bytes) in [([("kind", "json")], export), (Self.bank, Array(statement.utf8))] {
            let form = [("id", try value("id", in: try app.send("/import", fields, "a", bytes).text))]
            _ = try app.store.subscriptions.edit(id, [.notes: UUID().uuidString, .name: "Changed"], at: app.moment)
            let before = try app.store.revision()
            let refused = try app.post("/import/accept", form)
            #expect(refused.status == 409 && refused.text.contains("Nothing was imported; look again."))
            #expect(try app.store.revision() == before && app.names() == ["Changed"])
            #expect(try app.post("/import/accept", form).status == 303)
            _ = try app.store.subscriptions.edit(id, [.name: "Netflix"], at: app.moment)
        }
    }

    @Test func theRuleOfSignsAndTheDecimalMarkAreSaid() throws {
        let card = Self.statement.replacing(";-", with: ";")
        let page = try AppFixture().send("/import", Self.bank, "a.csv", Array(card.utf8)).text
        #expect(page.contains("Decimal mark: , · positive amounts are charges"))
        let account = try AppFixture(language: .french).send("/import", Self.bank, "a.csv", Array(Self.statement.utf8))
        #expect(account.text.contains("Séparateur décimal\u{202F}: ,") && !account.text.contains("montants positifs"))
    }

    @Test func theFreeVersionKeepsItsLimit() throws {
        let app = try AppFixture(isPremium: false)
        let rows = (1...6).map { "Nr \($0),1,EUR,monthly,2027-01-15\n" }.joined()
        let text = "name,amount,currency,cycle,next_billing_on\n" + rows
        let refused = try app.send("/import", [("kind", "csv")], "a.csv", Array(text.utf8))
        #expect(refused.status == 422 && refused.text.contains("5 subscriptions"))
        #expect(try app.names().isEmpty)
    }

    @Test func speaksFrench() throws {
        let app = try AppFixture(language: .french)
        let preview = try app.send("/import", Self.bank, "a.csv", Array(Self.statement.utf8))
        #expect(preview.text.contains("Prélèvements récurrents") && preview.text.contains("13,99"))
        let refused = try app.send("/import", Self.bank, "a.zip", [0x50, 0x4B, 0x03, 0x04])
        #expect(refused.status == 422 && !refused.text.contains("The file"))
    }

    @Test func aFileOfSubGuardIsComparedWithWhatIsThere() throws {
        let app = try AppFixture()
        let id = try app.add("L'Été “26” 🎉", [.amount: "12.34"])
        let export = Array(try app.store.portability.export(.json, at: app.moment).utf8)
        let same = try app.send("/import", [("kind", "json"), ("currency", "")], "a.json", export).text
        #expect(same.contains("This file has nothing that is not here already.") && !same.contains("Would be"))
        _ = try app.store.subscriptions.edit(id, [.amount: "13.50"], at: app.moment)
        let before = try app.store.revision()
        let changed = try app.send("/import", [("kind", "json"), ("currency", "")], "a.json", export).text
        #expect(changed.contains("Would be changed") && changed.contains("€13.50 → €12.34"))
        #expect(try app.store.revision() == before, "the preview has stored something")
    }
}
