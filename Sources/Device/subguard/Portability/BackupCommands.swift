import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// Where a passphrase comes from: a file, the environment, or the terminal. Never a flag's value: others can read those.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: """
            A file whose bytes are the passphrase, but for a line end at its end. Else SUBGUARD_PASSPHRASE, else the \
            terminal is asked.
            """)
    var passphraseFile: String?

    /// Nil where there is none to be had.
    func passphrase(_ session: Session, repeated: Bool = false) throws -> Passphrase? {
        if let passphraseFile {
            let passphrase = Passphrase(fileContent: try WholeFile.read(passphraseFile, maximumBytes: 4096))
            return passphrase.isEmpty ? nil : passphrase
        }
        if let text = ProcessInfo.processInfo.environment["SUBGUARD_PASSPHRASE"], !text.isEmpty {
            return Passphrase(text)
        }
        guard isatty(STDIN_FILENO) == 1, let first = ask(session.text("Passphrase: ", "Phrase de passe : ")) else {
            return nil
        }
        if repeated, ask(session.text("Again: ", "Encore : ")) != first { throw DeviceStoreError.wrongPassphrase }
        return Passphrase(first)
    }

    private func ask(_ prompt: String) -> String? {
        guard let typed = getpass(prompt) else { return nil }
        let text = String(cString: typed)
        return text.isEmpty ? nil : text
    }
}

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes everything that was entered to a file.",
        discussion: "Where the file is a symbolic link, the link stays and what it leads to is replaced.")

    @Argument(help: "The file; one that is there is replaced once the new one is whole.") var file: String
    @Flag(help: "Seal it with a passphrase.") var seal = false
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            try session.store.backups.requireOutsideDatabase(file)
            var phrase: Passphrase?
            if seal {
                phrase = try passphrase.passphrase(session, repeated: true)
                guard phrase != nil else { throw DeviceStoreError.passphraseRequired }
            }
            let bar = ProgressBar(session.text("backing up", "sauvegarde"), session)
            let bytes = try session.store.backups.make(passphrase: phrase, at: session.moment, progress: bar.show)
            try WholeFile.write(bytes, to: file)
            session.print(
                object: { json in
                    json.field("file", file)
                    json.field("bytes", bytes.count)
                    json.field("sealed", seal)
                }, text: { session.text("backed up to \(file)", "sauvegardé dans \(file)") })
        }
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces everything by what a backup has, after checking it whole.")

    @Argument(help: "The backup.") var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let bytes = try WholeFile.read(file)
            let phrase = DeviceStore.Backups.isSealed(bytes) ? try passphrase.passphrase(session) : nil
            let bar = ProgressBar(session.text("restoring", "restauration"), session)
            try session.store.backups.restore(bytes, passphrase: phrase, at: session.moment, progress: bar.show)
            let count = try session.store.subscriptions.list(at: session.moment).count
            session.print(
                object: { $0.field("subscriptions", count) },
                text: { session.text("restored \(count) subscriptions", "\(count) abonnements restaurés") })
        }
    }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Brings in another device's backup: the newest edit of each field stays.")

    @Argument(help: "The backup.") var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let bytes = try WholeFile.read(file)
            let phrase = DeviceStore.Backups.isSealed(bytes) ? try passphrase.passphrase(session) : nil
            let bar = ProgressBar(session.text("merging", "fusion"), session)
            session.print(
                try session.store.backups.merge(bytes, passphrase: phrase, at: session.moment, progress: bar.show))
        }
    }
}

extension Session {
    fileprivate func print(_ report: MergeReport) {
        print(
            object: { json in
                json.key("added")
                json.beginObject()
                for (table, count) in report.added.sorted(by: { $0.key < $1.key }) { json.field(table, count) }
                json.endObject()
                json.key("overridden")
                json.beginArray()
                for override in report.overridden {
                    json.beginObject()
                    json.field("table", override.table)
                    json.field("key", override.key)
                    json.field("name", override.name)
                    json.field("field", override.field)
                    json.field("old", override.old)
                    json.field("new", override.new)
                    json.field("edited_at", override.editedAt.rfc3339)
                    json.endObject()
                }
                json.endArray()
            },
            text: {
                guard !report.isEmpty else { return text("nothing new", "rien de neuf") }
                let added = report.added.sorted { $0.key < $1.key }.map {
                    text("added", "ajouté") + " \($0.key): \($0.value)"
                }
                let overridden = report.overridden.map { override in
                    "\(override.name ?? override.key)  \(override.field): \(override.old) → \(override.new)  "
                        + "(\(override.editedAt.rfc3339))"
                }
                return (added + overridden).joined(separator: "\n")
            })
    }
}
