import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct ReceiptsCommandTests {
    @Test func aReceiptComesBackAsItWent() throws {
        let client = try Client()
        let added = try client.json(
            "transactions", "add", "--title", "Café \"Zoé\" 🎉", "--amount", "12.34", "--currency", "EUR", "--on",
            "2026-11-01", "--type", "expense")
        let owner = try #require(added["id"]?.stringValue)
        let pdf = Data("%PDF-1.7 é".utf8)
        let (file, copy) = (client.folder.file("Été 1.pdf"), client.folder.file("copy.pdf"))
        try pdf.write(to: URL(fileURLWithPath: file))
        let receipt = try client.json("receipts", "add", "café", file)
        #expect(receipt["name"] == .string("Été 1.pdf") && receipt["kind"] == .string("application/pdf"))
        #expect(receipt["transaction_id"] == .string(owner) && receipt["bytes"]?.integerValue == Int64(pdf.count))
        #expect(try client.json("receipts", "list", owner).each("name") == ["Été 1.pdf"])
        #expect(try client.run("receipts", "save", "été", copy).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == pdf)
        // A link that leads nowhere is no free name: in a shared folder a neighbour may have chosen where it leads.
        let (dangling, nowhere) = (client.folder.file("link.pdf"), client.folder.file("nowhere"))
        try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: nowhere)
        #expect(try client.run("receipts", "save", "été", dangling).status == 1)
        #expect(!FileManager.default.fileExists(atPath: nowhere))
        // What is there is never replaced.
        #expect(try client.run("receipts", "save", "été", copy).status == 1)
        #expect(try client.run("receipts", "delete", "été").status == 0)
        #expect(try client.run("receipts", "list").output == "No receipts yet.\n")
        #expect(try client.run("undo", "--lang", "fr").output == "annulé : Été 1.pdf : justificatif supprimé\n")
        #expect(try client.json("receipts", "list").arrayValue?.count == 1)
    }

    @Test func whatIsNoReceiptIsRefused() throws {
        let client = try Client()
        _ = try client.run(
            "transactions", "add", "--title", "T", "--amount", "1", "--currency", "EUR", "--on", "2026-11-01", "--type",
            "expense")
        let file = client.folder.file("a.png")
        try Data("<svg onload=alert(1)>".utf8).write(to: URL(fileURLWithPath: file))
        let refused = try client.run("receipts", "add", "T", file, "--json")
        #expect(refused.status == 1 && refused.output.contains("\"field\":\"file\""))
        #expect(try client.run("receipts", "add", "T", file, "--lang", "fr").errors.contains("JPEG, PNG, WebP ou PDF"))
        #expect(try client.run("receipts", "add", "nobody", file).errors.contains("no such transaction: nobody"))
        #expect(try client.run("receipts", "add", "T", "/nowhere").errors.contains("file not found"))
        #expect(try client.run("receipts", "save", "x", file).errors.contains("no such receipt: x"))
    }
}
