import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct BackupTests {
    private func filled() throws -> EngineFixture {
        let fixture = try EngineFixture()
        let id = try fixture.add("Été \"26\" 🎉", [.notes: "a\nb", .trialEndsOn: "2026-11-24"])
        try fixture.add("b", [.bundledIn: id.lowercased])
        try fixture.store.subscriptions.setPrice(id, "15.99", from: fixture.day("2027-01-01"), at: fixture.moment)
        let person = Person(id: fixture.store.makeID(fixture.moment), name: "Zoé", createdAt: fixture.moment.now)
        try fixture.store.sharing.save(person, at: fixture.moment)
        let group = PersonGroup(
            id: fixture.store.makeID(fixture.moment), name: "Maison", memberIDs: [person.id],
            createdAt: fixture.moment.now)
        try fixture.store.sharing.save(group, at: fixture.moment)
        let amount = Money(minorUnits: 1234, currency: .eur)
        try fixture.store.sharing.save(
            GroupExpense(
                id: fixture.store.makeID(fixture.moment), groupID: group.id, title: "Pain", amount: amount,
                payers: [PersonAmount(personID: person.id, minorUnits: 1234)],
                split: Split(kind: .even, people: [person.id]), spentOn: fixture.moment.today,
                createdAt: fixture.moment.now), at: fixture.moment)
        try fixture.store.sharing.setSplit(Split(kind: .even, people: [person.id]), of: id, at: fixture.moment)
        try fixture.store.transactions.save(
            Transaction(
                id: fixture.store.makeID(fixture.moment), title: "Prêt", amount: amount, kind: .income,
                bookedOn: fixture.moment.today, personID: person.id, createdAt: fixture.moment.now), at: fixture.moment)
        try fixture.store.budgets.set(category: nil, amount: "50", currency: "EUR", period: .year, at: fixture.moment)
        try fixture.go(to: "2027-02-01")
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-12-25"), at: fixture.moment)
        return fixture
    }

    @Test func aRestoreBringsEverythingBack() throws {
        let fixture = try filled()
        let bytes = try fixture.backup()
        let other = try EngineFixture("2027-02-01", isPremium: false, seed: 3)
        for number in 1...3 { try other.add("gone \(number)") }
        try other.store.backups.restore(bytes, at: other.moment)
        #expect(try other.backup() == bytes)
        #expect(try other.store.subscriptions.all() == fixture.store.subscriptions.all())
        #expect(try other.store.ledger.missed(at: other.moment) == fixture.store.ledger.missed(at: fixture.moment))
        // Two backups at the same instant have equal bytes.
        #expect(try fixture.backup() == bytes)
    }

    @Test func aDamagedBackupChangesNothing() throws {
        let fixture = try filled()
        let bytes = try fixture.backup()
        let other = try EngineFixture("2027-02-01", seed: 3)
        try other.add("stays")
        let before = try other.backup()
        let text = String(decoding: bytes, as: UTF8.self)
        var damaged: [[UInt8]] = [[], Array("{}".utf8), Array("not json".utf8), Array(bytes.dropLast(10))]
        for (old, new) in [("\"EUR\"", "\"XXX\""), ("Pain", "pain"), ("\"people\"", "\"planets\""), ("1234", "-234")] {
            damaged.append(Array(text.replacingOccurrences(of: old, with: new).utf8))
        }
        for wrong in damaged {
            #expect(throws: DeviceStoreError.self) { try other.store.backups.restore(wrong, at: other.moment) }
            #expect(throws: DeviceStoreError.self) { try other.store.backups.merge(wrong, at: other.moment) }
        }
        let newer = text.replacingOccurrences(of: "\"version\":3", with: "\"version\":4")
        #expect(throws: DeviceStoreError.tooNew("the backup")) {
            try other.store.backups.restore(Array(newer.utf8), at: other.moment)
        }
        #expect(try other.backup() == before)
    }

    @Test func aSealedBackupOpensWithItsPassphraseAlone() throws {
        let fixture = try filled()
        let sealed = try fixture.store.backups.make(passphrase: "clé à mollette", at: fixture.moment)
        #expect(DeviceStore.Backups.isSealed(sealed))
        #expect(!String(decoding: sealed, as: UTF8.self).contains("Zoé"))
        let other = try EngineFixture("2027-02-01", seed: 3)
        #expect(throws: DeviceStoreError.passphraseRequired) {
            try other.store.backups.restore(sealed, at: other.moment)
        }
        #expect(throws: DeviceStoreError.wrongPassphrase) {
            try other.store.backups.restore(sealed, passphrase: "cle", at: other.moment)
        }
        for place in [20, 30, 60, 100, sealed.count - 1] {
            var damaged = sealed
            damaged[place] ^= 1
            #expect(throws: DeviceStoreError.self) {
                try other.store.backups.restore(damaged, passphrase: "clé à mollette", at: other.moment)
            }
        }
        #expect(try other.store.subscriptions.list(at: other.moment).isEmpty)
        // Anyone who put a plain one in its place needed no passphrase.
        let plain = try fixture.backup()
        for passphrase: Passphrase in ["clé à mollette", ""] {
            #expect(throws: DeviceStoreError.unsealedBackup) {
                try other.store.backups.restore(plain, passphrase: passphrase, at: other.moment)
            }
            #expect(throws: DeviceStoreError.unsealedBackup) {
                try other.store.backups.merge(plain, passphrase: passphrase, at: other.moment)
            }
        }
        // The same letters in another normal form are the same passphrase.
        try other.store.backups.restore(sealed, passphrase: "cle\u{301} a\u{300} mollette", at: other.moment)
        #expect(try other.backup() == fixture.backup())
    }

    @Test func aBackupThatCouldNotBeReadAgainIsNotMade() throws {
        let fixture = try filled()
        var backups = fixture.store.backups
        let bytes = try fixture.backup()
        backups.maximumBytes = bytes.count
        #expect(try backups.make(at: fixture.moment) == bytes)
        #expect(throws: DeviceStoreError.self) { try backups.make(passphrase: "x", at: fixture.moment) }
        backups.maximumBytes -= 1
        for make in [
            { _ = try backups.make(at: fixture.moment) }, { _ = try backups.makeIfDue(at: fixture.moment) },
            { _ = try backups.restore(bytes, at: fixture.moment) },
        ] { #expect(throws: DeviceStoreError.self) { try make() } }
        #expect(try backups.list().isEmpty)
    }

    @Test func automaticBackupsComeWeeklyAndTheOldestGo() throws {
        let fixture = try EngineFixture()
        #expect(try fixture.store.backups.makeIfDue(at: fixture.moment) == nil)
        try fixture.add()
        var day = fixture.moment.today
        for _ in 0..<10 {
            let made = try #require(try fixture.store.backups.makeIfDue(at: fixture.moment))
            #expect(try fixture.store.backups.makeIfDue(at: fixture.moment) == nil)
            #expect(try Data(contentsOf: URL(fileURLWithPath: made)).count > 100)
            try fixture.go(to: day.adding(days: 6).iso + "T09:00:00Z")
            #expect(try fixture.store.backups.makeIfDue(at: fixture.moment) == nil)
            day = day.adding(days: 7)
            try fixture.go(to: day.iso)
        }
        let kept = fixture.store.backups.automatic()
        #expect(kept.count == DeviceStore.Backups.automaticKept)
        let mode = try FileManager.default.attributesOfItem(atPath: kept[0])[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try fixture.store.backups.restore(try WholeFile.read(kept[7]), at: fixture.moment)
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).count == 1)
    }

    @Test func automaticBackupsAreNotMadeWhereOthersMayWrite() throws {
        let fixture = try EngineFixture()
        try fixture.add()
        let folder = fixture.store.path + ".backups"
        try #require(mkdir(folder, 0o700) == 0 && chmod(folder, 0o1777) == 0)
        #expect(throws: DeviceStoreError.self) { try fixture.store.backups.makeIfDue(at: fixture.moment) }
        #expect(fixture.store.backups.automatic().isEmpty)
    }

    @Test func aHeadThatAsksForTooMuchIsRefusedBeforeAnyWork() throws {
        let fixture = try filled()
        let sealed = try fixture.store.backups.make(passphrase: "x", at: fixture.moment)
        let costs = 18
        #expect(Array(sealed[costs..<costs + 3]) == [15, 8, 1])
        for (logarithm, size, parallelism) in [
            (20, 8, 4), (20, 1, 1), (18, 1, 1), (17, 8, 2), (16, 8, 3), (255, 255, 255), (9, 8, 1), (15, 0, 1),
            (15, 8, 0), (15, 9, 1), (10, 1, 255), (17, 8, 255),
        ] as [(UInt8, UInt8, UInt8)] {
            var hostile = sealed
            hostile.replaceSubrange(costs..<costs + 3, with: [logarithm, size, parallelism])
            // A valid header would get as far as rejecting the passphrase.
            let isSmall = (logarithm, size, parallelism) == (10, 1, 255)
            #expect(throws: isSmall ? .wrongPassphrase : DeviceStoreError.damagedBackup("invalid header")) {
                try fixture.store.backups.restore(hostile, passphrase: "x", at: fixture.moment)
            }
        }
    }

    @Test func aPassphraseFileCountsByteByByte() throws {
        let file = { (text: String) in Passphrase(fileContent: Array(text.utf8)) }
        #expect(file("clé\n") == Passphrase("clé") && file("clé\r\n") == Passphrase("clé"))
        #expect(file("clé\n\n") != file("clé\n") && file("\nclé") != file("clé") && file(" clé") != file("clé"))
        #expect(file("a\nb") != file("a"))
        // Latin-1 bytes are not UTF-8, but distinct passphrases nevertheless.
        #expect(Passphrase(fileContent: [0x63, 0xE9]) != Passphrase(fileContent: [0x63, 0xE8]))
        #expect(file("\n").isEmpty && file("").isEmpty && file("\r\n").isEmpty && !file("\n\n").isEmpty)
        let fixture = try filled()
        let sealed = try fixture.store.backups.make(passphrase: .init(fileContent: [0xFF, 0x0A]), at: fixture.moment)
        #expect(throws: DeviceStoreError.wrongPassphrase) {
            try fixture.store.backups.restore(sealed, passphrase: .init(fileContent: [0xFE, 0x0A]), at: fixture.moment)
        }
        try fixture.store.backups.restore(sealed, passphrase: .init(fileContent: [0xFF]), at: fixture.moment)
    }

    @Test func aFileIsWrittenThroughLinks() throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.file("deep"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "deep/a")
        try manager.createSymbolicLink(atPath: folder.file("c"), withDestinationPath: folder.file("b"))
        // First without an existing file, then replacing one.
        for bytes in [[1, 2], [3]] as [[UInt8]] {
            try WholeFile.write(bytes, to: folder.file("c"))
            #expect(try WholeFile.read(folder.file("deep/a")) == bytes)
        }
        #expect(try manager.destinationOfSymbolicLink(atPath: folder.file("b")) == "deep/a")
        #expect(try manager.contentsOfDirectory(atPath: folder.file("deep")) == ["a"])
        #expect(try manager.contentsOfDirectory(atPath: folder.path).sorted() == ["b", "c", "deep"])
        try manager.createSymbolicLink(atPath: folder.file("circle"), withDestinationPath: "circle")
        #expect(throws: DeviceStoreError.self) { try WholeFile.write([1], to: folder.file("circle")) }
    }

    @Test func longWorkTellsHowFarItIs() throws {
        let fixture = try EngineFixture()
        for number in 0..<300 { try fixture.add("\(number)") }
        var told: [(done: Int, count: Int)] = []
        let bytes = try fixture.store.backups.make(at: fixture.moment) { told.append(($0, $1)) }
        let other = try EngineFixture(seed: 3)
        try other.store.backups.restore(bytes, at: other.moment) { told.append(($0, $1)) }
        try other.store.backups.merge(bytes, at: other.moment) { told.append(($0, $1)) }
        #expect(told.map(\.done) == [0, 256, 300, 0, 256, 300, 0, 256, 300])
        #expect(told.allSatisfy { $0.count == 300 })
    }
}
