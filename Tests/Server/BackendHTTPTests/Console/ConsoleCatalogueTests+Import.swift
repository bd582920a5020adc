import Foundation
import JSONWire
import ServerAccess
import TestKit
import Testing

/// Imports: the check, its digest, and what each row becomes.
extension ConsoleCatalogueTests {
    @Test func importsAfterACheck() throws {
        try withBrowser(.editor) { browser, server in
            let good =
                "name,slug,category,typical_amount,currency,billing_cycle\r\nNew & <b>,new-b,music,5.00,EUR,monthly\r\n"
            let sent = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k1"), ("step", "check")],
                file: ("file", "mine \"x\".csv", Array(good.utf8)))
            #expect(sent.status == 303)
            let checked = try browser.follow(sent)
            expect(
                checked.text, contains: ["nothing was changed", "New &amp; &lt;b&gt;,new-b", "Import it now"])
            let odd = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k0"), ("step", "check")],
                file: ("file", "odd.csv", Array("slug,notice_days,colour\r\nnetflix,7,red\r\n".utf8)))
            expect(try browser.follow(odd).text, contains: ["Columns that are not known were ignored: colour"])
            #expect(try server.get("/api/v1/catalogue?q=new-b").items().isEmpty)
            let done = try browser.follow(
                try browser.upload(
                    Self.path + "/import",
                    texts: [
                        ("idempotency_key", "k2"), ("step", "import"), ("content", good),
                        ("checked", try Self.checked(checked.text)),
                    ], file: nil))
            expect(done.text, contains: ["The file was imported"])
            #expect(try server.get("/api/v1/catalogue?q=new-b").items().count == 1)
            let bad = good + "X,x,b!g,none,EUR,monthly\r\n"
            let refused = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k3"), ("step", "import")],
                file: ("file", "bad.csv", Array(bad.utf8)))
            #expect(refused.status == 422)
            expect(refused.text, contains: ["The file was refused", ">3</th>", ">Category</td>", "lower-case letters"])
            let check = [("idempotency_key", "k4"), ("step", "check")]
            #expect(try browser.upload(Self.path + "/import", texts: check, file: nil).status == 422)
            let broken = try browser.upload(
                Self.path + "/import", texts: check, file: ("file", "b", Array("\"x".utf8)))
            #expect(broken.status == 422)
        }
    }

    private static func checked(_ page: String) throws -> String {
        let parts = page.components(separatedBy: "name=\"checked\" value=\"")
        return String(try #require(parts.count > 1 ? parts.last : nil).prefix { $0 != "\"" })
    }

    /// What another person saved after the check stays: the new differences are shown first.
    @Test func importsOnlyWhatTheCheckShowed() throws {
        try withBrowser(.editor) { browser, server in
            let file =
                "name,slug,category,typical_amount,currency,billing_cycle\r\n"
                + "Netflix,netflix,streaming,15.99,EUR,monthly\r\n"
            let netflix = try id(server, "netflix")
            let sent = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k1"), ("step", "check")],
                file: ("file", "x.csv", Array(file.utf8)))
            let shown = try browser.follow(sent).text
            expect(shown, contains: ["<del>13.49</del>", "<ins>15.99</ins>"])
            let edit = #"{"name":"Netflix (renamed)","typical_amount":"14.49"}"#
            let address = "/api/v1/admin/catalogue/\(netflix)"
            #expect(try server.admin(.owner, "PATCH", address, json: edit, "If-Match: *").status == 200)
            func importing(_ key: String, _ checked: String?, again: Bool = false) throws -> RawResponse {
                let mark = checked.map { [(name: "checked", value: $0)] } ?? []
                return try browser.upload(
                    Self.path + "/import",
                    texts: [("idempotency_key", key), ("step", "import")] + (again ? [] : [("content", file)]) + mark,
                    file: again ? ("file", "x.csv", Array(file.utf8)) : nil)
            }
            let first = try Self.checked(shown)
            // As the text of the page, and as the file chosen again.
            for again in [false, true] {
                let late = try importing("k2\(again)", first, again: again)
                #expect(late.status == 412)
                expect(
                    late.text,
                    contains: [
                        "Another person changed the catalogue after the check", "<del>14.49</del>", "<ins>15.99</ins>",
                        "<del>Netflix (renamed)</del>", "Import it now",
                    ])
                #expect(try stored(server, netflix)["name"]?.stringValue == "Netflix (renamed)")
                guard again else { continue }
                let done = try browser.follow(try importing("k3", try Self.checked(late.text)))
                expect(done.text, contains: ["The file was imported"])
                #expect(try stored(server, netflix)["typical_amount"]?.stringValue == "15.99")
            }
            // A form of the console has it.
            #expect(try importing("k4", nil).status == 422)
            #expect(try importing("k5", "00").status == 422)
        }
    }

    /// A fault of the header names its line once.
    @Test func namesTheLineOfABadHeaderOnce() throws {
        try withBrowser(.editor) { browser, _ in
            let sent = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k1"), ("step", "check")],
                file: ("file", "no-price.csv", Array("name,category\nA “é”,music\n".utf8)))
            expect(
                try browser.follow(sent).text, contains: ["Line 1: The columns slug, typical_amount"],
                lacks: ["Line 1: line 1"])
        }
    }

    @Test func downloadsAllThatMatchesASearch() throws {
        try withBrowser(.editor) { browser, server in
            let header = "name,slug,category,typical_amount,currency,billing_cycle\r\n"
            let rows = (0..<130).map { "Regional \($0),regional-\($0),music,5.00,EUR,monthly\r\n" }.joined()
            _ = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k1"), ("step", "import")],
                file: ("file", "x.csv", Array((header + rows).utf8)))
            let file = try browser.get("/console/catalogue?q=regional&format=csv")
            #expect(file.text.split(separator: "\r\n").count == 131)
        }
    }

    /// As a spreadsheet writes it: the page keeps the text, whatever the encoding.
    @Test func importsACheckedFileInAnEncodingOfSpreadsheets() throws {
        try withBrowser(.editor) { browser, server in
            let text =
                "name;slug;category;typical_amount;currency;billing_cycle\r\nCafé “é”;cafe-e;food;5,00;EUR;monthly\r\n"
            for (number, encoding) in [String.Encoding.windowsCP1252, .utf16].enumerated() {
                let file = [UInt8](try #require(text.replacing("cafe-e", with: "cafe-\(number)").data(using: encoding)))
                let checked = try browser.follow(
                    try browser.upload(
                        Self.path + "/import", texts: [("idempotency_key", "c\(number)"), ("step", "check")],
                        file: ("file", "excel.csv", file))
                ).text
                expect(checked, contains: ["Import it now", "Café “é”;cafe-\(number)"])
                let content = text.replacing("cafe-e", with: "cafe-\(number)")
                let done = try browser.follow(
                    try browser.upload(
                        Self.path + "/import",
                        texts: [
                            ("idempotency_key", "d\(number)"), ("step", "import"), ("content", content),
                            ("checked", try Self.checked(checked)),
                        ], file: nil))
                expect(done.text, contains: ["The file was imported"])
            }
        }
    }

    /// The check shows what each row would do, every fault of a bad one, and offers to import the good ones.
    @Test(arguments: [("check", 303), ("import", 422)])
    func showsEachRowOfAnImport(_ step: String, _ status: Int) throws {
        try withBrowser(.editor) { browser, server in
            let file = """
                name,slug,category,typical_amount,currency,billing_cycle
                Netflix,netflix,streaming,"1.499,00",EUR,yearly
                "=New & <b>",new-b,music,5.00,EUR,monthly
                X,x,music,abc,EURO,monthly

                """
            let sent = try browser.upload(
                Self.path + "/import", texts: [("idempotency_key", "k1"), ("step", step)],
                file: ("file", "mixed.csv", Array(file.utf8)))
            #expect(sent.status == status)
            let page = try browser.follow(sent).text
            expect(
                page,
                contains: [
                    "<del>13.49</del>", "<ins>1499.00</ins>", "<del>monthly</del>", "<ins>yearly</ins>",
                    "=New &amp; &lt;b&gt;</bdi>", "<ins>5.00</ins>", "Changed item", "New item",
                    ">Typical price</td>", ">Currency</td>", "Import the 2 good rows",
                ], lacks: ["<ins>Streaming</ins>", "Import it now"])
            let content = try #require(page.components(separatedBy: "<textarea").dropFirst().first)
            #expect(content.contains("X,x,music,abc,EURO"))
            let done = try browser.follow(
                try browser.upload(
                    Self.path + "/import",
                    texts: [
                        ("idempotency_key", "k2"), ("step", "import"), ("skip_bad", "true"), ("content", file),
                        ("checked", try Self.checked(page)),
                    ], file: nil))
            expect(done.text, contains: ["The file was imported", "<ins>1499.00</ins>"])
            let netflix = try stored(server, id(server, "netflix"))
            #expect(netflix["typical_amount"]?.stringValue == "1499.00")
            #expect(try server.get("/api/v1/catalogue?q=new-b").items().count == 1)
        }
    }
}
