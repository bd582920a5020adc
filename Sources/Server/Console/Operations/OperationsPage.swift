import HTML
package import Operations
package import ServerAccess
package import SubGuardDomain
package import Telemetry

/// The state of the server: health, storage, backups, schema and jobs.
package struct OperationsPage: ConsolePage {
    /// A part of readiness, with the sentence of `/readyz`.
    package typealias Check = (part: ReadinessPart, isFine: Bool, detail: Sentence?)
    /// Its kind is `SQLite` or `PostgreSQL`.
    package typealias Storage = (level: StorageLevel, measure: StorageMeasure, limits: StorageLimits, kind: String)
    package typealias Migrations = (applied: Int, last: String?, pending: [String])

    private let version: String
    private let startedAt: UTCInstant
    private let checks: [Check]
    private let storage: Storage
    /// Nil for PostgreSQL, which has tools of its own.
    private let backups: BackupSection?
    private let migrations: Migrations
    private let jobs: [JobLeases.Standing]
    private let now: UTCInstant

    package init(
        version: String, startedAt: UTCInstant, checks: [Check], storage: Storage, backups: BackupSection?,
        migrations: Migrations, jobs: [JobLeases.Standing], now: UTCInstant
    ) {
        self.version = version
        self.startedAt = startedAt
        self.checks = checks
        self.storage = storage
        self.backups = backups
        self.migrations = migrations
        self.jobs = jobs
        self.now = now
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.operations, "Operations", "Health, storage, backups and background jobs of this server.") {
            html in
            OperationsTab.write(.state, frame, to: &html)
            writeState(words, to: &html)
            html.section(words["Storage"]) { html in writeStorage(words, to: &html) }
            html.section(words["Backups"]) { html in
                if let backups { return backups.write(frame, to: &html) }
                html.paragraph(words["The database is PostgreSQL: back it up with pg_dump or the tools of its host."])
            }
            html.section(words["Schema"]) { html in writeMigrations(words, to: &html) }
            html.section(words["Background jobs"]) { html in writeJobs(words, to: &html) }
            html.add(.p, .class("below")) { html in
                html.add(.span, text: words["Days are in UTC."])
                html.time(now.rfc3339, words.text("As of %1", words.instant(now)))
            }
        }
    }

    private func writeState(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let isReady = checks.allSatisfy(\.isFine)
        html.notice(
            isReady ? .good : .bad,
            text: words[
                isReady ? "The server is ready." : "The server is not ready: load balancers send nothing to it."])
        let parts: [Fact?] = checks.map { check in
            Fact(words.name(check.part)) { html in
                html.rating(words[check.isFine ? "fine" : "failing"], isGood: check.isFine)
                if let detail = check.detail { html.text(" " + words[detail]) }
            }
        }
        html.facts(
            [Fact(words["Version"], version), Fact(words["Running since"], words.instant(startedAt))] + parts)
    }

    private func writeStorage(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let (limits, free) = (storage.limits, storage.measure.freeBytes)
        func limit(_ bytes: Int64) -> String { bytes > 0 ? words.bytes(bytes) : words["no limit"] }
        html.facts([
            Fact(words["Level"]) { $0.rating(words.name(storage.level), isGood: storage.level == .ok) },
            Fact(words["Database"], storage.kind), Fact(words["Used"], words.bytes(storage.measure.usedBytes)),
            Fact(words["Ceiling"], limit(limits.maximumBytes)),
            Fact(words["Free on the disk"], free.map(words.bytes)),
            Fact(words["Kept free"], free.map { _ in limit(limits.minimumFreeBytes) }),
        ])
    }

    private func writeMigrations(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.facts([
            Fact(words["Applied migrations"], words.number(Int64(migrations.applied))),
            migrations.last.map { last in Fact(words["Newest", of: "migrations"]) { $0.add(.code, text: last) } },
            Fact(
                words["Pending migrations"],
                migrations.pending.isEmpty
                    ? words["none", of: "migrations"] : migrations.pending.joined(separator: ", ")),
        ])
    }

    private func writeJobs(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !jobs.isEmpty else { return html.add(.p, .class("muted"), text: words["No job has run yet."]) }
        html.table(
            .label(words["Background jobs"]), caption: words["Jobs that one server runs for all."], of: jobs,
            [
                .heading(words["Job"], { Sentence.job($0.job) == nil ? .lang("en") : nil }) { job, html in
                    html.text(Sentence.job(job.job).map { words[$0] } ?? job.job)
                },
                .text(words["State"]) { job, html in
                    if let failedAt = job.failedAt {
                        return html.rating(words.text("failed on %1", words.instant(failedAt)), isGood: false)
                    }
                    html.text(words[job.isRunning ? "running" : job.dueAt <= now ? "due" : "waiting"])
                },
                .instant("Due", words) { $0.dueAt },
            ])
    }
}

/// The pages about operations.
enum OperationsTab {
    case state, configuration, privacy

    static func write(_ current: OperationsTab, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        frame.tabs(
            "Operations",
            [
                (.state, "State", ConsoleSection.operations.link),
                (.configuration, "Configuration", HTMLLink("console", "operations", "configuration")),
                (.privacy, "Stored data", HTMLLink("console", "operations", "privacy")),
            ], current: current, to: &html)
    }
}

/// A setting with its value, secrets masked, where that comes from, and its summary in English.
package typealias SettingEntry = (key: String, value: String, origin: Sentence, isStandard: Bool, summary: String)

extension SimplePage {
    /// The settings in force, as `subguardd config check` prints them.
    package static func configuration(_ entries: [SettingEntry], showsAll: Bool) -> SimplePage {
        SimplePage { frame, words in
            frame.page(
                .operations, "Configuration",
                "Every setting with its value and where it comes from, as subguardd config check "
                    + "prints them. Secrets are masked."
            ) { html in
                OperationsTab.write(.configuration, frame, to: &html)
                let set = entries.filter { !$0.isStandard }
                frame.chips("Configuration", [true, false], chosen: showsAll, to: &html) { all in
                    let query = all ? [] : [(name: "show", value: "set")]
                    let link = HTMLLink("console", "operations", "configuration", query: query)
                    return (words[all ? "All" : "Set"], link, Int64(all ? entries.count : set.count))
                }
                let rows = showsAll ? entries : set
                frame.list(
                    rows, empty: "Every setting has its default", "Set one by a file, a variable or a flag.", to: &html
                ) { html in
                    html.table(
                        .label(words["Configuration"]),
                        caption: words[
                            "Flags win over variables, variables over the file. Changes take effect at the next "
                                + "start."],
                        style: "stacked settings", of: rows,
                        [
                            .heading(words["Setting"]) { row, html in html.addName(row.key) },
                            .text(words["Value"], .class("breaks")) { row, html in
                                if row.value.isEmpty {
                                    html.muted(words["empty"])
                                } else {
                                    html.add(.code, text: row.value)
                                }
                            },
                            .text(words["Origin"], .class("origin")) { words[$0.origin] },
                            .text(words["Meaning"], isLabelled: false, .class("hint meaning")) {
                                words.translated($0.summary)
                            },
                        ])
                }
            }
        }
    }

    /// What the server stores, table by table, as the public privacy report says.
    package static func privacy(_ report: PrivacyReport) -> SimplePage {
        SimplePage { frame, words in
            frame.page(
                .operations, "Stored data",
                "What the database contains, how much of it, and for how long: the public privacy report."
            ) { html in
                html.linkButton(words["Public report (JSON)"], HTMLLink("api", "v1", "privacy"))
            } main: { html in
                OperationsTab.write(.privacy, frame, to: &html)
                html.section(words["Never stored"]) { html in
                    html.rows(PrivacyRegistry.neverStored, style: "bullets") { $1.text(words[$0]) }
                }
                html.section(words["Tables"]) { html in
                    html.table(
                        .label(words["Tables"]), caption: words["Counts may be ten minutes old."],
                        style: "stacked settings", of: report.tables,
                        [
                            .heading(words["Table"]) { table, html in html.addName(table.name) },
                            .number(words["Records"]) { table in
                                table.records.map(words.number)
                                    ?? (table.rowsAreExact ? "" : "≥ ") + words.number(table.rows)
                            },
                            .text(words["Purpose"], isLabelled: false, .class("meaning")) { words[$0.purpose] },
                            .text(words["Kept"], .class("meaning")) { words[$0.retention] },
                            .day("Last purge", words, or: "never") { $0.lastPurgedAt },
                        ])
                }
                html.add(.p, .class("below")) { html in
                    html.add(.span, text: words["Days are in UTC."])
                    html.time(
                        report.generatedAt.rfc3339, words.text("Counted %1", words.instant(report.generatedAt)))
                }
            }
        }
    }
}
