import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// A restore is compared with what is there before it is done; nothing changes by looking.
@Suite struct RestorePreviewTests {
    private func names(_ group: StoreDifferences.Group) -> [String] {
        group.differences.map { difference in
            let side = difference.before ?? difference.after
            return "\(difference.kind) \(side?.name.wire ?? "") \(side?.facts.map(\.wire).joined(separator: " ") ?? "")"
        }
    }

    @Test func whatWouldAppearDisappearAndChangeBackIsNamed() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let kept = try fixture.add("Netflix \"26\" 🎉", [.amount: "13.49"])
        let gone = try fixture.add("Été & <b>", [.amount: "5", .cycle: "yearly"])
        let zoe = Person(id: store.makeID(fixture.moment), name: "Zoé", createdAt: fixture.moment.now)
        try store.sharing.save(zoe, at: fixture.moment)
        let group = PersonGroup(
            id: store.makeID(fixture.moment), name: "Maison", memberIDs: [zoe.id], createdAt: fixture.moment.now)
        try store.sharing.save(group, at: fixture.moment)
        try store.ledger.confirm(fixture.occurrence(kept, "2026-11-25"), at: fixture.moment)
        let backup = try fixture.backup()
        #expect(try store.backups.restorePreview(backup, at: fixture.moment).isEmpty)

        try fixture.go(to: "2026-11-28")
        try store.subscriptions.setPrice(kept, "15.99", from: fixture.day("2027-01-01"), at: fixture.moment)
        try store.subscriptions.edit(kept, [.name: "Films", .amount: "14.99"], at: fixture.moment)
        try store.subscriptions.setState(kept, .cancelled, from: fixture.day("2026-12-24"), at: fixture.moment)
        try store.subscriptions.delete(gone, at: fixture.moment)
        try store.sharing.deletePerson(zoe.id, at: fixture.moment)
        try fixture.add("Neu", [.amount: "9.99", .nextBillingOn: "2026-12-02"])
        try store.ledger.skip(fixture.occurrence(kept, "2026-11-25"), at: fixture.moment)
        let before = try fixture.backup()
        let revision = try store.revision()

        let report = try store.backups.restorePreview(backup, at: fixture.moment)
        #expect(names(report.appearing) == ["subscription Été & <b> 5.00 EUR yearly active", "person Zoé "])
        #expect(names(report.disappearing) == ["subscription Neu 9.99 EUR monthly active"])
        let lines = report.changing.differences.flatMap { difference in
            difference.changes.map { change in
                let name = difference.before?.name.wire ?? ""
                let day = change.day.map { " \($0)" } ?? ""
                return """
                    \(name) \(change.table) \(change.value.column)\(day) \(change.value.old.wire) > \
                    \(change.value.new.wire)
                    """
            }
        }
        #expect(lines.contains("Films subscriptions name Films > Netflix \"26\" 🎉"))
        #expect(lines.contains("Films prices amount 2027-01-01 15.99 EUR > –"))
        #expect(lines.contains("Films cancellations state 2026-12-24 cancelled > –"))
        #expect(lines.contains { $0.hasPrefix("Maison memberships is_member") || $0.hasPrefix("Maison group_members") })
        #expect(lines.contains { $0.hasSuffix("– > Zoé") })
        #expect(report.charges.changing == 1, "skipped now, confirmed in the backup")
        #expect((report.subscriptionsBefore, report.subscriptionsAfter) == (2, 2))
        #expect(report.madeAt?.rfc3339.hasPrefix("2026-11-20T10:00:00") == true)

        // Looking has changed nothing, and the restore does what was shown.
        #expect(try fixture.backup() == before)
        #expect(try store.revision() == revision)
        try store.backups.restore(backup, at: fixture.moment)
        #expect(try store.backups.restorePreview(backup, at: fixture.moment).isEmpty)
        #expect(try store.journal.entries(at: fixture.moment).first?.kind == .restored)
    }

    @Test func aLongListIsCutAndCounted() throws {
        let fixture = try EngineFixture()
        let ids = try (1...12).map { try fixture.add("Nr \($0)") }
        let backup = try fixture.backup()
        for id in ids.prefix(7) { try fixture.store.subscriptions.delete(id, at: fixture.moment) }
        for id in ids.suffix(5) { try fixture.store.subscriptions.edit(id, [.amount: "1.23"], at: fixture.moment) }
        let report = try fixture.store.backups.restorePreview(backup, most: 3, at: fixture.moment)
        #expect((report.appearing.count, report.appearing.differences.count, report.appearing.rest) == (7, 3, 4))
        #expect((report.changing.count, report.changing.differences.count, report.changing.rest) == (5, 3, 2))
        #expect(report.disappearing.count == 0)
    }

    @Test func aSealedBackupNeedsItsPassphrase() throws {
        let fixture = try EngineFixture()
        try fixture.add("Été")
        let sealed = try fixture.store.backups.make(passphrase: "é🎉", at: fixture.moment)
        let preview = { (phrase: Passphrase?) in
            try fixture.store.backups.restorePreview(sealed, passphrase: phrase, at: fixture.moment)
        }
        #expect(throws: DeviceStoreError.passphraseRequired) { try preview(nil) }
        #expect(throws: DeviceStoreError.wrongPassphrase) { try preview("é") }
        #expect(try preview("é🎉").isEmpty)
    }

    /// A backup with a change and the checksum that goes with it.
    private func tampered(_ bytes: [UInt8], _ old: String, _ new: String) throws -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let tables = try #require(text.range(of: "\"tables\":"))
        let place = try #require(text[tables.upperBound...].range(of: old), "\(old) is not in the backup")
        return try ForgedBackup.resealed(text.replacingCharacters(in: place, with: new))
    }

    @Test func ofAHostileFileTheFieldIsNamed() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("Netflix", [.amount: "13.49", .notes: "note"])
        try fixture.store.subscriptions.setPrice(id, "15.99", from: fixture.day("2027-01-01"), at: fixture.moment)
        let backup = try fixture.backup()
        let before = try fixture.store.revision()
        let long = String(repeating: "x", count: 100_000)
        for (old, new, message) in [
            ("\"2026-11-25\"", "\"2026-13-45\"", "table subscriptions, row 1, anchor_day: malformed"),
            ("\"2026-11-25\"", "7", "table subscriptions, row 1, anchor_day: malformed"),
            ("1349", "-1349", "table subscriptions, row 1, amount: breaks a rule"),
            ("1349", "9223372036854775807", "table subscriptions, “Netflix”, amount: "),
            ("\"EUR\"", "\"XXX\"", "table subscriptions, “Netflix”: malformed currency"),
            ("\"monthly\"", "\"hourly\"", "table subscriptions, “Netflix”: malformed cycle"),
            ("\"Netflix\"", "\"\(long)\"", "table subscriptions, “\(String(repeating: "x", count: 80))…”, name: "),
            ("\"Netflix\"", "null", "table subscriptions, row 1, name: breaks a rule"),
            ("1599", "-1", "table prices, row 1, amount: breaks a rule"),
        ] {
            let hostile = try tampered(backup, old, new)
            for isPreview in [true, false] {
                let error = #expect(throws: DeviceStoreError.self) {
                    if isPreview {
                        _ = try fixture.store.backups.restorePreview(hostile, at: fixture.moment)
                    } else {
                        _ = try fixture.store.backups.restore(hostile, at: fixture.moment)
                    }
                }
                let text = "\(error.map { "\($0)" } ?? "")"
                #expect(
                    text.hasPrefix("invalid backup: \(message)") && text.utf8.count < 400, "\(new.prefix(20)): \(text)")
            }
        }
        #expect(try fixture.store.revision() == before)
        #expect(try fixture.backup() == backup)
    }
}
