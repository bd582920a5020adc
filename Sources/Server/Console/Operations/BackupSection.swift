import HTML
package import Operations
package import SubGuardDomain

/// The backups of an SQLite database: how they are made, what was just done, and the newest ones.
package struct BackupSection: Sendable {
    /// What was begun from the page.
    package enum Work: String, Sendable, CaseIterable {
        case backup
        case drill
    }

    package struct WorkState: Sendable {
        package var running: (work: Work, since: UTCInstant)?
        /// The last one that ended; an error's sentence in English.
        package var last: (work: Work, at: UTCInstant, failure: String?)?

        package init() {}
    }

    private let folder: String
    private let newest: [BackupFolder.Listed]
    private let status: BackupStatus
    private let state: WorkState
    /// Hours between automatic backups; nil if there are none.
    private let everyHours: Int?
    private let keep: Int

    package init(
        folder: String, newest: [BackupFolder.Listed], status: BackupStatus, state: WorkState, everyHours: Int?,
        keep: Int
    ) {
        self.folder = folder
        self.newest = newest
        self.status = status
        self.state = state
        self.everyHours = everyHours
        self.keep = keep
    }

    func write(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        writeState(words, to: &html)
        writeFacts(words, to: &html)
        html.add(.div, .class("actions below-table")) { html in
            for (work, name) in [(Work.backup, "Back up now" as Sentence), (.drill, "Verify the newest backup")] {
                html.postButton(
                    words[name], ConsoleSection.operations.link, [frame.keyed(work.rawValue)], .name("work"),
                    .value(work.rawValue), work == .drill && newest.isEmpty ? .disabled : nil)
            }
            html.add(
                .span, .class("hint"),
                text: words["Neither interrupts the server. Verifying restores into a temporary folder."])
        }
        frame.list(newest, empty: "No backups yet", "Make one now, or set backup_interval_hours.", to: &html) { html in
            writeTable(words, to: &html)
        }
    }

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let schedule = everyHours.map { hours in
            words.text(
                "every %1 hours, the newest %2 are kept", words.number(Int64(hours)), words.number(Int64(keep)))
        }
        let failedAt = status.lastDrillSucceeded == false ? status.lastDrillAt : nil
        html.facts([
            Fact(words["Schedule"], schedule ?? words["by hand only (backup_interval_hours is 0)"]),
            Fact(words["Folder"], folder),
            Fact(words["Last verified"], status.lastProvenAt.map { words.instant($0) } ?? words["never"]),
            Fact(words["Last verification failed"], failedAt.map { words.instant($0) }),
        ])
    }

    private func writeState(_ words: ConsoleWords, to html: inout HTMLWriter) {
        if let (work, since) = state.running {
            html.notice(.plain) { html in
                let sentence: Sentence =
                    work == .backup ? "A backup is running since %1." : "A verification is running since %1."
                html.text(words.text(sentence, words.instant(since)) + " ")
                html.link(words["Show the result"], ConsoleSection.operations.link)
            }
        }
        guard let (work, instant, failure) = state.last else { return }
        let at = words.instant(instant)
        guard let failure else {
            let sentence: Sentence =
                work == .backup
                ? "The backup of %1 is complete." : "The newest backup was restored and verified on %1."
            return html.notice(.good, text: words.text(sentence, at))
        }
        html.notice(.bad) { html in
            let sentence: Sentence =
                work == .backup ? "The backup of %1 failed." : "The verification of %1 failed."
            html.paragraph(words.text(sentence, at))
            html.add(.p, .lang("en"), text: failure)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Backups"]),
            caption: words["The newest backups. Their sizes show how the database grows."], frame: "scroll section",
            of: newest,
            [
                .heading(words["Name"]) { backup, html in
                    html.add(.code, text: backup.name)
                    guard let proven = status.lastProven, proven.hasSuffix("/\(backup.name)") else { return }
                    html.text(" ")
                    html.rating(words["verified"], isGood: true)
                },
                .instant("Time", words) { $0.createdAt },
                .number(words["Size"]) { words.bytes($0.byteCount) },
                .number(words["Files"]) { words.number(Int64($0.fileCount)) },
                .text(words["Version"]) { $0.program },
                .text(words["Download"], isLabelled: false, .class("rowactions")) { backup, html in
                    html.postButton(
                        words["Download"], HTMLLink("console", "operations", "backups"), [], .name("download"),
                        .value(backup.name), .aria("label", words.text("Download %1", backup.name)))
                },
            ])
    }
}
