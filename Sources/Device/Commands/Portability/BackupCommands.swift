import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// Reads a passphrase from a file, the environment or the terminal. Never from a flag, because other users can read the
/// arguments of a process.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: """
            File with the passphrase; one final line end is ignored. Default: SUBGUARD_PASSPHRASE, else the terminal \
            prompts for it.
            """)
    var passphraseFile: String?

    /// Nil when none is given and there is no terminal to ask on.
    func passphrase(_ session: Session, repeated: Bool = false) throws -> Passphrase? {
        if let passphraseFile {
            let passphrase = Passphrase(fileContent: try WholeFile.read(passphraseFile, maximumBytes: 4096))
            return passphrase.isEmpty ? nil : passphrase
        }
        if let text = Invocation.current.environment["SUBGUARD_PASSPHRASE"], !text.isEmpty {
            return Passphrase(text)
        }
        guard Invocation.current.isTerminal(STDIN_FILENO), let first = ask(session.text("Passphrase: ")) else {
            return nil
        }
        if repeated, ask(session.text("Repeat the passphrase: ")) != first { throw DeviceStoreError.wrongPassphrase }
        return Passphrase(first)
    }

    /// A backup, and the passphrase for it if it is encrypted. Throws ``DeviceStoreError/unsealedBackup`` for a
    /// passphrase file with a backup that is not: its author needed no passphrase. A variable may be set for all
    /// commands.
    func backup(in file: String, _ session: Session) throws -> (bytes: [UInt8], passphrase: Passphrase?) {
        let path = try session.backupFile(file)
        let bytes = try WholeFile.read(path)
        let isSealed = DeviceStore.Backups.isSealed(bytes)
        guard isSealed || passphraseFile == nil else { throw DeviceStoreError.unsealedBackup }
        if DeviceStore.Backups.isDatabase(bytes) {
            return (try session.store.backups.bytes(ofDatabase: path, at: session.moment), nil)
        }
        return (bytes, isSealed ? try passphrase(session) : nil)
    }

    private func ask(_ prompt: String) -> String? {
        guard let typed = getpass(prompt) else { return nil }
        let text = String(cString: typed)
        return text.isEmpty ? nil : text
    }
}

struct BackupCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up all data to a file.",
        discussion: "If the file is a symbolic link, the link is kept and its target is replaced.")

    @Argument(help: "Target file; an existing one is replaced once the backup is complete.") var file: String
    @Flag(help: "Encrypt the backup with a passphrase; --passphrase-file alone does so too.") var seal = false
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        try session.store.backups.requireOutsideDatabase(file)
        var phrase: Passphrase?
        let seal = seal || passphrase.passphraseFile != nil
        if seal {
            phrase = try passphrase.passphrase(session, repeated: true)
            guard phrase != nil else { throw DeviceStoreError.passphraseRequired }
        }
        let bar = ProgressBar(session.text("backing up"), session)
        let bytes = try session.store.backups.make(passphrase: phrase, at: session.moment, progress: bar.show)
        try WholeFile.write(bytes, to: file)
        // A database that cannot be written can still be backed up.
        try? session.store.backups.noteManual(file, bytes: bytes.count, isSealed: seal, at: session.moment)
        session.print(
            object: { json in
                json.field("file", file)
                json.field("bytes", bytes.count)
                json.field("sealed", seal)
            }, text: { session.text("backed up to \(file)") })
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace all data with a verified backup.",
        discussion: "What was there before is kept as a backup, and `undo` takes the restore back.")

    @Argument(help: "Backup file, or its number or name in the list of `subguard backups`.") var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options, replacesEmptied: true) { session in
            let (bytes, phrase) = try passphrase.backup(in: file, session)
            let bar = ProgressBar(session.text("restoring"), session)
            let copy = try session.store.backups.restore(
                bytes, passphrase: phrase, at: session.moment, progress: bar.show)
            let count = try session.store.subscriptions.list(at: session.moment).count
            session.print(
                object: { json in
                    json.field("subscriptions", count)
                    json.field("safety_copy", copy?.path)
                },
                text: {
                    let restored = session.text("restored \(count) subscription|restored \(count) subscriptions")
                    return [restored, session.line(copy)].compactMap { $0 }.joined(separator: "\n")
                })
            try session.noteMissingHome()
        }
    }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge a backup of another device; the newest edit of each field wins.",
        discussion: """
            A copy of a database, such as a folder that is shared between devices makes after a conflict, is merged as \
            well; it is only read. What was there before is kept as a backup, and `undo` takes the merge back.
            """)

    @Argument(help: "Backup file, copy of a database, or number or name in the list of `subguard backups`.") var file:
        String
    @Flag(help: "Only show what would change.") var dryRun = false
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options, isDryRun: dryRun) { session in
            let (bytes, phrase) = try passphrase.backup(in: file, session)
            if dryRun {
                return session.print(
                    try session.store.backups.mergePreview(bytes, passphrase: phrase, at: session.moment))
            }
            let bar = ProgressBar(session.text("merging"), session)
            session.print(
                try session.store.backups.merge(bytes, passphrase: phrase, at: session.moment, progress: bar.show))
            try session.noteMissingHome()
        }
    }
}

extension Session {
    /// Says that settings are not part of a backup, where one would make a difference: several currencies, or rates set
    /// by hand, without a home currency.
    fileprivate func noteMissingHome() throws {
        let status = try store.rates.status(at: moment)
        guard !isJSON, status.home == nil else { return }
        let currencies = Set(try store.subscriptions.list(at: moment).map(\.amount.currency))
        guard currencies.count > 1 || !status.own.isEmpty else { return }
        note("settings are not in backups: no home currency here; `subguard settings set home_currency EUR` sets one")
    }

    fileprivate func print(_ report: MergeReport) {
        print(
            object: { json in
                json.object("added") { json in
                    for (table, count) in report.added.sorted(by: { $0.key < $1.key }) { json.field(table, count) }
                }
                json.array("overridden", report.overridden) { json, override in
                    json.field("table", override.table)
                    json.field("key", override.key)
                    json.field("name", override.name)
                    json.field("field", override.field)
                    json.field("old", override.old)
                    json.field("new", override.new)
                    json.field("edited_at", override.editedAt.rfc3339)
                }
                json.array("removed", report.removed) { json, row in
                    json.field("table", row.table)
                    json.field("key", row.key)
                    json.field("name", row.name)
                }
                json.array("refused", report.refused) { json, row in
                    json.field("table", row.table)
                    json.field("key", row.key)
                    json.field("name", row.name)
                    json.field("stamped_at", row.stampedAt.rfc3339)
                }
                json.field("safety_copy", report.safetyCopy?.path)
            },
            text: {
                // Names and values of another device.
                let words = MergeWording(language, moment)
                let refused = words.lines(report.refused).map(TerminalText.line)
                guard !report.isEmpty else { return ([text("no changes")] + refused).joined(separator: "\n") }
                let added = report.added.sorted { $0.key < $1.key }.map { text(MergeWording.added($0.key, $0.value)) }
                let overridden = report.overridden.filter { !$0.changes.isEmpty }.map {
                    TerminalText.line(words.line($0))
                }
                let lines = added + overridden + report.removed.map { TerminalText.line(words.line($0)) }
                let changed = lines.isEmpty ? [text("no changes")] : lines
                let copy = lines.isEmpty ? nil : line(report.safetyCopy)
                return (changed + refused + [copy].compactMap { $0 }).joined(separator: "\n")
            })
    }
}
