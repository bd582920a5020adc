import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct ReceiptTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    private func fixture() throws -> (EngineFixture, Receipt.Owner) {
        let fixture = try EngineFixture()
        let amount = try Money(decimal: "12.34", currency: .eur)
        let transaction = Transaction(
            id: fixture.store.makeID(fixture.moment), title: "Café \"Zoé\" 🎉", amount: amount, kind: .expense,
            bookedOn: fixture.moment.today, personID: nil, createdAt: fixture.moment.now)
        try fixture.store.transactions.save(transaction, at: fixture.moment)
        return (fixture, .transaction(transaction.id))
    }

    @Test func aFileIsKeptAsItIsAndGoesWithItsOwner() throws {
        let (fixture, owner) = try fixture()
        let receipts = fixture.store.receipts
        let added = try receipts.add(Self.png, named: "/tmp/Été “1”.png", to: owner, at: fixture.moment)
        #expect(added.name == "Été “1”.png" && added.kind == .png && added.byteCount == 11)
        #expect(try receipts.content(of: added.id) == Self.png)
        #expect(try receipts.list(of: owner) == [added] && receipts.list() == [added])
        #expect(try receipts.list(of: .expense(UUID())).isEmpty)
        try receipts.delete(added.id, at: fixture.moment)
        #expect(throws: DeviceStoreError.self) { try receipts.content(of: added.id) }
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try receipts.content(of: added.id) == Self.png)
        try fixture.store.transactions.delete(owner.id, at: fixture.moment)
        #expect(try receipts.list().isEmpty)
        try fixture.store.journal.undo(at: fixture.moment)
        #expect(try receipts.list() == [added])
        #expect(
            try fixture.store.journal.entries(at: fixture.moment).map { $0.displayText(.french) }.contains(
                "Été “1”.png : justificatif ajouté"))
    }

    /// An undo of what a receipt is attached to takes it along, so a redo has to know it.
    @Test func noUndoReachesBehindAFileThatIsNotKept() throws {
        let (fixture, owner) = try fixture()
        let (receipts, journal) = (fixture.store.receipts, fixture.store.journal)
        for number in 0..<21 {
            let added = try receipts.add(Self.png, named: "\(number).png", to: owner, at: fixture.moment)
            if number > 0, number < 20 { try receipts.delete(added.id, at: fixture.moment) }
        }
        let kept = try receipts.list().map(\.name)
        #expect(kept.sorted() == ["0.png", "20.png"])
        let count = try journal.entries(at: fixture.moment).count
        #expect(count == 20)
        try journal.undo(count, at: fixture.moment)
        #expect(try receipts.list().map(\.name).contains("0.png"))
        try journal.redo(count, at: fixture.moment)
        #expect(try receipts.list().map(\.name) == kept)
    }

    @Test func onlyPicturesAndPDFOfAReasonableSizeAreKept() throws {
        let (fixture, owner) = try fixture()
        let receipts = fixture.store.receipts
        let large = Self.png + Array(repeating: 0, count: Receipt.maximumBytes)
        for bytes in [Array("<svg onload=alert(1)>".utf8), Array("<!doctype html>".utf8), [], large] {
            #expect(throws: DeviceStoreError.self) {
                try receipts.add(bytes, named: "a.png", to: owner, at: fixture.moment)
            }
        }
        #expect(throws: DeviceStoreError.self) { try receipts.add(Self.png, named: "/", to: owner, at: fixture.moment) }
        #expect(throws: DeviceStoreError.notFound(.expense, id: owner.id.uuidString.lowercased())) {
            try receipts.add(Self.png, named: "a.png", to: .expense(owner.id), at: fixture.moment)
        }
        for number in 0..<Receipt.maximumPerOwner {
            try receipts.add(Self.png, named: "\(number).png", to: owner, at: fixture.moment)
        }
        #expect(throws: DeviceStoreError.self) {
            try receipts.add(Self.png, named: "one more.png", to: owner, at: fixture.moment)
        }
        #expect(try receipts.list().count == Receipt.maximumPerOwner)
    }

    /// Two devices may have more together than one may add; nothing is lost then, and the merge says what to delete.
    @Test func aMergeBeyondTheLimitsIsRefused() throws {
        let (fixture, owner) = try fixture()
        let other = try EngineFixture(seed: 2)
        try other.store.backups.restore(try fixture.backup(), at: other.moment)
        for (device, count) in [(fixture, 6), (other, 5)] {
            for number in 0..<count {
                try device.store.receipts.add(Self.png, named: "\(number).png", to: owner, at: device.moment)
            }
        }
        let (theirs, before) = (try other.backup(), try fixture.backup())
        let error = #expect(throws: DeviceStoreError.self) {
            try fixture.store.backups.merge(theirs, at: fixture.moment)
        }
        #expect(error?.faults.map(\.pointer) == ["receipts"])
        #expect(error?.displayText(.french).contains("« Café \"Zoé\" 🎉 » aurait 11 justificatifs, 10 au plus") == true)
        #expect(throws: DeviceStoreError.self) { try fixture.store.backups.mergePreview(theirs, at: fixture.moment) }
        #expect(try fixture.backup() == before && fixture.store.backups.list().isEmpty)
        try fixture.store.receipts.delete(try fixture.store.receipts.list()[0].id, at: fixture.moment)
        try fixture.store.backups.merge(theirs, at: fixture.moment)
        #expect(try fixture.store.receipts.list(of: owner).count == Receipt.maximumPerOwner)
        try other.store.backups.merge(try fixture.backup(), at: other.moment)
        #expect(try other.store.receipts.list().count == Receipt.maximumPerOwner)
    }

    @Test func aBackupBeyondTheLimitsIsRefused() throws {
        let (fixture, owner) = try fixture()
        let added = try fixture.store.receipts.add(Self.png, named: "a.png", to: owner, at: fixture.moment)
        let text = String(decoding: try fixture.backup(), as: UTF8.self)
        let row = try #require(text.firstMatch(of: try Regex("\\[\"\(added.id.lowercased)\".*?\\]")))
        let one = String(text[row.range])
        let eleven = (0..<11).map { _ in one.replacing(added.id.lowercased, with: UUID().lowercased) }
        for forged in [
            text.replacing(one, with: eleven.joined(separator: ",")),
            text.replacing(one, with: one.replacing(",11,", with: ",67108865,")),
        ] {
            #expect(forged != text)
            let other = try EngineFixture(seed: 3)
            for take in [
                { _ = try other.store.backups.restore(try ForgedBackup.resealed(forged), at: other.moment) },
                { _ = try other.store.backups.merge(try ForgedBackup.resealed(forged), at: other.moment) },
            ] {
                let error = #expect(throws: DeviceStoreError.self) { try take() }
                #expect(error?.faults.map(\.pointer) == ["receipts"])
            }
            #expect(try other.store.receipts.list().isEmpty)
        }
    }

    @Test func theyAreInBackupsAndMerges() throws {
        let (fixture, owner) = try fixture()
        let pdf = Array("%PDF-1.7 é".utf8)
        let added = try fixture.store.receipts.add(pdf, named: "facture.pdf", to: owner, at: fixture.moment)
        let other = try EngineFixture(seed: 2)
        let report = try other.store.backups.merge(try fixture.backup(), at: other.moment)
        #expect(report.added == ["receipts": 1, "transactions": 1])
        #expect(try other.store.receipts.content(of: added.id) == pdf)
        // A backup that says a picture is a PDF, or holds a page with a script, is refused whole.
        let text = String(decoding: try fixture.backup(), as: UTF8.self)
        let script = Data("<script>alert(1)</script>".utf8).base64EncodedString()
        for hostile in [
            text.replacing("application/pdf", with: "image/png"),
            text.replacing(Data(pdf).base64EncodedString(), with: script),
        ] {
            let third = try EngineFixture(seed: 3)
            #expect(throws: DeviceStoreError.self) {
                try third.store.backups.merge(try ForgedBackup.resealed(hostile), at: third.moment)
            }
            #expect(try third.store.receipts.list().isEmpty)
        }
    }
}
