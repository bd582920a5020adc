package import Backend
import HTML
package import SubGuardDomain

/// The state of the server: health, storage, backups, schema and jobs.
package struct OperationsPage: Sendable {
    package enum Part: Sendable, CaseIterable {
        case migrations, store, storage, shutdown
    }

    /// A part of readiness.
    package struct Check: Sendable {
        let part: Part
        let isFine: Bool
        /// The sentence of `/readyz`.
        let detail: Sentence?

        package init(_ part: Part, isFine: Bool, detail: Sentence? = nil) {
            self.part = part
            self.isFine = isFine
            self.detail = detail
        }
    }

    package struct Storage: Sendable {
        let level: StorageLevel
        let measure: StorageMeasure
        let limits: StorageLimits
        /// `SQLite` or `PostgreSQL`.
        let kind: String

        package init(level: StorageLevel, measure: StorageMeasure, limits: StorageLimits, kind: String) {
            self.level = level
            self.measure = measure
            self.limits = limits
            self.kind = kind
        }
    }

    /// What was begun from this page.
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

    package struct Backups: Sendable {
        let folder: String
        let newest: [BackupFolder.Listed]
        let status: BackupStatus
        let state: WorkState
        /// Hours between automatic backups; nil if there are none.
        let everyHours: Int?
        let keep: Int

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
    }

    package struct Migrations: Sendable {
        let applied: Int
        let last: String?
        let pending: [String]

        package init(applied: Int, last: String?, pending: [String]) {
            self.applied = applied
            self.last = last
            self.pending = pending
        }
    }

    private let version: String
    private let startedAt: UTCInstant
    private let checks: [Check]
    private let storage: Storage
    /// Nil for PostgreSQL, which has tools of its own.
    private let backups: Backups?
    private let migrations: Migrations
    private let jobs: [JobLeases.Standing]
    private let now: UTCInstant
    private let idempotencyKey: String

    package init(
        version: String, startedAt: UTCInstant, checks: [Check], storage: Storage, backups: Backups?,
        migrations: Migrations, jobs: [JobLeases.Standing], now: UTCInstant, idempotencyKey: String
    ) {
        self.version = version
        self.startedAt = startedAt
        self.checks = checks
        self.storage = storage
        self.backups = backups
        self.migrations = migrations
        self.jobs = jobs
        self.now = now
        self.idempotencyKey = idempotencyKey
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.operations, title: words["Operations"]) { html in
            frame.top("Operations", "Health, storage, backups and background jobs of this server.", to: &html)
            OperationsTab.write(.state, frame, to: &html)
            writeState(words, to: &html)
            writeStorage(words, to: &html)
            writeBackups(frame, to: &html)
            writeMigrations(words, to: &html)
            writeJobs(words, to: &html)
            html.add(.p, .class("below")) { html in
                html.add(.span, text: words["Days are in UTC."])
                html.add(.time, .datetime(now.rfc3339), text: words.text("As of %1", words.instant(now)))
            }
        }
    }

    private func section(
        _ title: Sentence, _ words: ConsoleWords, to html: inout HTMLWriter, content: (inout HTMLWriter) -> Void
    ) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: words[title])
            content(&html)
        }
    }

    private func fact(_ label: String, _ value: String, to html: inout HTMLWriter) {
        html.add(.div) { html in
            html.add(.dt, text: label)
            html.add(.dd, text: value)
        }
    }

    // MARK: Health and version

    private func writeState(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let isReady = checks.allSatisfy(\.isFine)
        html.add(
            .p, .class(isReady ? "notice good" : "notice bad"), .role(isReady ? "status" : "alert"),
            text: words[
                isReady ? "The server is ready." : "The server is not ready: load balancers send nothing to it."])
        html.add(.dl, .class("panel sheet")) { html in
            fact(words["Version"], version, to: &html)
            fact(words["Running since"], words.instant(startedAt), to: &html)
            for check in checks {
                html.add(.div) { html in
                    html.add(.dt, text: words.name(check.part))
                    html.add(.dd) { html in
                        html.add(
                            .span, .class(check.isFine ? "rating good" : "rating bad"),
                            text: words[check.isFine ? "fine" : "failing"])
                        guard let detail = check.detail else { return }
                        html.text(" ")
                        html.text(words[detail])
                    }
                }
            }
        }
    }

    // MARK: Storage

    private func writeStorage(_ words: ConsoleWords, to html: inout HTMLWriter) {
        section("Storage", words, to: &html) { html in
            html.add(.dl, .class("panel sheet")) { html in
                html.add(.div) { html in
                    html.add(.dt, text: words["Level"])
                    html.add(.dd) { html in
                        html.add(
                            .span, .class(storage.level == .ok ? "rating good" : "rating bad"),
                            text: words.name(storage.level))
                    }
                }
                fact(words["Database"], storage.kind, to: &html)
                fact(words["Used"], words.bytes(storage.measure.usedBytes), to: &html)
                fact(
                    words["Ceiling"],
                    storage.limits.maximumBytes > 0
                        ? words.bytes(storage.limits.maximumBytes) : words["no limit"], to: &html)
                if let free = storage.measure.freeBytes {
                    fact(words["Free on the disk"], words.bytes(free), to: &html)
                    fact(
                        words["Kept free"],
                        storage.limits.minimumFreeBytes > 0
                            ? words.bytes(storage.limits.minimumFreeBytes) : words["no limit"], to: &html)
                }
            }
        }
    }

    // MARK: Backups

    private func writeBackups(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        section("Backups", words, to: &html) { html in
            guard let backups else {
                return html.add(
                    .p, text: words["The database is PostgreSQL: back it up with pg_dump or the tools of its host."])
            }
            write(backups.state, words, to: &html)
            html.add(.dl, .class("panel sheet")) { html in
                fact(
                    words["Schedule"],
                    backups.everyHours.map {
                        words.text(
                            "every %1 hours, the newest %2 are kept", words.number(Int64($0)),
                            words.number(Int64(backups.keep)))
                    } ?? words["by hand only (backup_interval_hours is 0)"], to: &html)
                fact(words["Folder"], backups.folder, to: &html)
                fact(
                    words["Last verified"],
                    backups.status.lastProvenAt.map { words.instant($0) } ?? words["never"],
                    to: &html)
                if backups.status.lastDrillSucceeded == false, let at = backups.status.lastDrillAt {
                    fact(words["Last verification failed"], words.instant(at), to: &html)
                }
            }
            html.add(.div, .class("actions below-table")) { html in
                for (work, name) in [(Work.backup, "Back up now" as Sentence), (.drill, "Verify the newest backup")] {
                    html.add(.form, .methodPost, .action(HTMLLink("console", "operations"))) { html in
                        html.hidden("idempotency_key", "\(idempotencyKey)-\(work.rawValue)")
                        html.add(
                            .button, .type("submit"), .name("work"), .value(work.rawValue),
                            work == .drill && backups.newest.isEmpty ? .disabled : nil, text: words[name])
                    }
                }
                html.add(
                    .span, .class("hint"),
                    text: words["Neither interrupts the server. Verifying restores into a temporary folder."])
            }
            if backups.newest.isEmpty {
                frame.empty("No backups yet", "Make one now, or set backup_interval_hours.", to: &html)
            } else {
                writeTable(backups, words, to: &html)
            }
        }
    }

    private func write(_ state: WorkState, _ words: ConsoleWords, to html: inout HTMLWriter) {
        if let running = state.running {
            html.add(.p, .class("notice"), .role("status")) { html in
                html.text(
                    words.text(
                        running.work == .backup
                            ? "A backup is running since %1." : "A verification is running since %1.",
                        words.instant(running.since)) + " ")
                html.add(.a, .href(ConsoleSection.operations.link), text: words["Show the result"])
            }
        }
        guard let last = state.last else { return }
        let at = words.instant(last.at)
        if let failure = last.failure {
            html.add(.div, .class("notice bad"), .role("alert")) { html in
                html.add(
                    .p,
                    text: words.text(
                        last.work == .backup ? "The backup of %1 failed." : "The verification of %1 failed.", at))
                html.add(.p, .lang("en"), text: failure)
            }
        } else {
            html.add(
                .p, .class("notice good"), .role("status"),
                text: words.text(
                    last.work == .backup
                        ? "The backup of %1 is complete." : "The newest backup was restored and verified on %1.", at))
        }
    }

    private func writeTable(_ backups: Backups, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Backups"]),
            caption: words["The newest backups. Their sizes show how the database grows."], frame: "scroll section",
            of: backups.newest,
            [
                .heading(words["Name"]) { backup, html in
                    html.add(.code, text: backup.name)
                    guard let proven = backups.status.lastProven, proven.hasSuffix("/\(backup.name)") else { return }
                    html.text(" ")
                    html.add(.span, .class("rating good"), text: words["verified"])
                },
                .instant("Time", words) { $0.createdAt },
                .number(words["Size"]) { words.bytes($0.byteCount) },
                .number(words["Files"]) { words.number(Int64($0.fileCount)) },
                .text(words["Version"]) { $0.program },
                .text(words["Download"], isLabelled: false, .class("rowactions")) { backup, html in
                    writeDownload(backup, words, to: &html)
                },
            ])
    }

    private func writeDownload(_ backup: BackupFolder.Listed, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(HTMLLink("console", "operations", "backups"))) { html in
            html.add(
                .button, .type("submit"), .name("download"), .value(backup.name),
                .aria("label", words.text("Download %1", backup.name)), text: words["Download"])
        }
    }

    // MARK: Schema and jobs

    private func writeMigrations(_ words: ConsoleWords, to html: inout HTMLWriter) {
        section("Schema", words, to: &html) { html in
            html.add(.dl, .class("panel sheet")) { html in
                fact(words["Applied migrations"], words.number(Int64(migrations.applied)), to: &html)
                if let last = migrations.last {
                    html.add(.div) { html in
                        html.add(.dt, text: words["Newest", of: "migrations"])
                        html.add(.dd) { $0.add(.code, text: last) }
                    }
                }
                fact(
                    words["Pending migrations"],
                    migrations.pending.isEmpty
                        ? words["none", of: "migrations"] : migrations.pending.joined(separator: ", "),
                    to: &html)
            }
        }
    }

    private func writeJobs(_ words: ConsoleWords, to html: inout HTMLWriter) {
        section("Background jobs", words, to: &html) { html in
            guard !jobs.isEmpty else { return html.add(.p, .class("muted"), text: words["No job has run yet."]) }
            html.table(
                .label(words["Background jobs"]), caption: words["Jobs that one server runs for all."], of: jobs,
                [
                    .heading(words["Job"], { Sentence.job($0.job) == nil ? .lang("en") : nil }) { job, html in
                        html.text(Sentence.job(job.job).map { words[$0] } ?? job.job)
                    },
                    .text(words["State"]) { job in
                        words[job.isRunning ? "running" : job.dueAt <= now ? "due" : "waiting"]
                    },
                    .instant("Due", words) { $0.dueAt },
                ])
        }
    }
}

/// The pages about operations.
enum OperationsTab: CaseIterable {
    case state, configuration, privacy

    static func write(_ current: OperationsTab, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let links: [(tab: OperationsTab, name: Sentence, link: HTMLLink)] = [
            (.state, "State", ConsoleSection.operations.link),
            (.configuration, "Configuration", HTMLLink("console", "operations", "configuration")),
            (.privacy, "Stored data", HTMLLink("console", "operations", "privacy")),
        ]
        html.add(.nav, .class("tabs"), .aria("label", frame.words["Operations"])) { html in
            for (tab, name, link) in links {
                html.add(.a, .href(link), tab == current ? .aria("current", "page") : nil, text: frame.words[name])
            }
        }
    }
}
