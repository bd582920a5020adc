import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct BackupListTests {
    @Test func copiesBeforeRestoresAndMergesAreListedAndBounded() throws {
        let fixture = try EngineFixture()
        let backups = fixture.store.backups
        try fixture.add("a")
        let one = try fixture.backup()
        let other = try EngineFixture(seed: 5)
        #expect(try other.store.backups.restore(one, at: other.moment) == nil, "there was nothing to keep")
        for _ in 1...6 {
            try fixture.add("b")
            let copy = try #require(try backups.restore(one, at: fixture.moment))
            #expect(copy.kind == .beforeRestore && copy.subscriptions == 2)
            #expect(FileManager.default.fileExists(atPath: copy.path))
        }
        #expect(try backups.list().map(\.kind) == Array(repeating: .beforeRestore, count: 4))
        // Nothing new, nothing kept; a refused one keeps nothing either.
        #expect(try backups.merge(one, at: fixture.moment).safetyCopy == nil)
        #expect(throws: DeviceStoreError.self) { try backups.restore(Array("x".utf8), at: fixture.moment) }
        #expect(try backups.list().count == 4)
        let named = try #require(try backups.named("1"))
        #expect(try backups.named(named.name) == named && backups.named(String(named.name.dropLast(5))) == named)
        #expect(try backups.named("9") == nil)
        try backups.restore(WholeFile.read(named.path), at: fixture.moment)
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).count == 2)
    }

    /// Another process writes between the copy and the change that it is for.
    @Test(arguments: [true, false])
    func theCopyHasWhatAnotherProcessChangedMeanwhile(isRestore: Bool) throws {
        let fixture = try EngineFixture()
        let (backups, moment) = (fixture.store.backups, fixture.moment)
        try fixture.add("a")
        let one = try fixture.backup()
        try fixture.add("b")
        let other = try DeviceStore(path: fixture.store.path, now: moment.now)
        defer { try? other.close() }
        let isWriting = DispatchSemaphore(value: 0)
        let hasWritten = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? other.write(at: moment) { unit in
                // Holds the lock of the writer until the copy is there.
                isWriting.signal()
                let end = ContinuousClock.now + .seconds(20)
                while PrivateFolder.names(in: backups.folder).allSatisfy({ !$0.hasSuffix(".json") }),
                    ContinuousClock.now < end
                { Thread.sleep(forTimeInterval: 0.01) }
                try unit.session.execute("UPDATE subscriptions SET notes = 'meanwhile' WHERE name = 'b'", [])
            }
            hasWritten.signal()
        }
        isWriting.wait()
        let device = try EngineFixture(seed: 7)
        try device.add("c")
        let copy = try #require(
            isRestore
                ? try backups.restore(one, at: moment)
                : try backups.merge(try device.backup(), at: moment).safetyCopy)
        hasWritten.wait()
        #expect(String(decoding: try WholeFile.read(copy.path), as: UTF8.self).contains("meanwhile"))
        #expect(try backups.list() == [copy])
    }

    @Test("People without any subscription are something to lose")
    func everyKindOfDataIsBackedUp() throws {
        let fixture = try EngineFixture()
        let (store, moment) = (fixture.store, fixture.moment)
        try store.sharing.save(Person(id: store.makeID(moment), name: "Ana", createdAt: moment.now), at: moment)
        #expect(try store.backups.age(at: moment).isOverdue)
        #expect(try store.backups.makeIfDue(at: moment) != nil)
        #expect(try !store.backups.age(at: moment).isOverdue)
    }

    @Test func automaticAndManualOnesAreListedNewestFirst() throws {
        let fixture = try EngineFixture()
        let backups = fixture.store.backups
        #expect(try backups.age(at: fixture.moment).isOverdue == false, "nothing to lose")
        try fixture.add()
        #expect(try backups.age(at: fixture.moment).isOverdue)
        try backups.makeIfDue(at: fixture.moment)
        try fixture.go(to: "2026-11-21")
        let path = fixture.folder.file("mine.json")
        let bytes = try fixture.backup()
        try WholeFile.write(bytes, to: path)
        try backups.noteManual(path, bytes: bytes.count, isSealed: false, at: fixture.moment)
        let list = try backups.list()
        #expect(list.map(\.kind) == [.manual, .automatic] && list.map(\.subscriptions) == [1, 1])
        #expect(list[0].path == path && list[0].bytes == bytes.count)
        try fixture.go(to: "2026-12-20")
        #expect(try backups.age(at: fixture.moment).days == 29)
        #expect(try !backups.age(at: fixture.moment).isOverdue)
        try fixture.go(to: "2026-12-21")
        #expect(try backups.age(at: fixture.moment).isOverdue)
        try fixture.store.settings.set(.backupWarningDays, to: "0", at: fixture.moment)
        #expect(try !backups.age(at: fixture.moment).isOverdue)
        try FileManager.default.removeItem(atPath: path)
        #expect(try backups.list().map(\.kind) == [.automatic])
    }

    @Test("Backups made while the clock ran ahead push out no later ones, and tell no age")
    func datedAhead() throws {
        let fixture = try EngineFixture("2027-06-01")
        let backups = fixture.store.backups
        try fixture.add("a")
        let one = try fixture.backup()
        var ahead: [String] = []
        for week in 0..<8 {
            try fixture.go(to: fixture.day("2027-06-01").adding(days: 7 * week).iso)
            ahead.append(try #require(try backups.makeIfDue(at: fixture.moment)))
            try fixture.add("b")
            if week > 3 { _ = try backups.restore(one, at: fixture.moment) }
        }
        try fixture.go(to: "2026-12-01")
        let unknown = try backups.age(at: fixture.moment)
        #expect(unknown.days == nil && unknown.isOverdue && unknown.last != nil)
        let first = try #require(try backups.makeIfDue(at: fixture.moment))
        try fixture.go(to: "2026-12-12")
        let second = try #require(try backups.makeIfDue(at: fixture.moment))
        #expect(backups.automatic() == [first, second] + ahead.dropFirst(2))
        try fixture.go(to: "2026-12-14")
        let age = try backups.age(at: fixture.moment)
        #expect(age.last?.path == second && age.days == 2 && !age.isOverdue)
        // Copies before restores, too.
        let copies = try (0..<2).map { _ in
            try fixture.add("c")
            return try #require(try backups.restore(one, at: fixture.moment)).path
        }
        #expect(copies.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        #expect(try backups.list().count { $0.kind == .beforeRestore } == 4)
    }

    /// A process that is killed after its copy notes it nowhere.
    @Test func whatAKilledProcessLeftIsListedAndGoes() throws {
        let fixture = try EngineFixture()
        let backups = fixture.store.backups
        try fixture.add()
        let own = try #require(try backups.restore(fixture.backup(), at: fixture.moment))
        let left = try ["before-restore-2026-11-19T100000Z.json", "before-restore-2026-11-19T100000Z-2.json"].map {
            let path = "\(backups.folder)/\($0)"
            try FileManager.default.copyItem(atPath: own.path, toPath: path)
            return path
        }
        for (name, age) in [("old", 3601.0), ("new", 60)] {
            let path = "\(backups.folder)/before-merge-2026-11-19T100000Z.json.\(name).unfinished"
            try Data("{".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
        }
        #expect(try Set(backups.list().map(\.path)) == Set(left + [own.path]))
        #expect(try backups.list().last?.kind == .beforeRestore && backups.list().last?.bytes == own.bytes)
        for _ in 1...3 { try backups.restore(fixture.backup(), at: fixture.moment) }
        #expect(try backups.list().count == DeviceStore.Backups.safetyCopiesKept)
        #expect(left.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        let unfinished = PrivateFolder.names(in: backups.folder).filter { $0.hasSuffix(".unfinished") }
        #expect(unfinished == ["before-merge-2026-11-19T100000Z.json.new.unfinished"])
    }

    /// The database of a copy names the files of the original.
    @Test func aCopiedDatabaseDeletesNoCopiesOfTheOriginal() throws {
        let fixture = try EngineFixture()
        try fixture.add()
        let backup = try fixture.backup()
        let kept = try (1...4).map { _ in
            try #require(try fixture.store.backups.restore(backup, at: fixture.moment)).path
        }
        let path = fixture.store.path
        try fixture.store.close()
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("copy.sqlite"))
        let copy = try DeviceStore(path: folder.file("copy.sqlite"), now: fixture.moment.now)
        for _ in 1...6 { try copy.backups.restore(backup, at: fixture.moment) }
        #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        #expect(PrivateFolder.names(in: copy.backups.folder).count == DeviceStore.Backups.safetyCopiesKept)
    }

    @Test func whatOthersMayHavePutThereIsNotListed() throws {
        let fixture = try EngineFixture()
        let backups = fixture.store.backups
        try fixture.add()
        let own = try #require(try backups.makeIfDue(at: fixture.moment))
        chmod(backups.folder, 0o777)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(backups.folder)/subguard-2026-11-19T100000Z.json"))
        #expect(try backups.list().isEmpty && backups.named("1") == nil && backups.automatic().isEmpty)
        chmod(backups.folder, 0o700)
        #expect(try backups.list().map(\.path).contains(own))
    }
}
