import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct RemindCommand: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind", abstract: "Print or deliver the reminders that are due, once each.",
        discussion: """
            Without a flag, reminders are printed. A reminder that could not be delivered is tried again by the next \
            run. Preferences: `subguard settings list` and `--remind` of a subscription.
            """)

    @Flag(help: "Show desktop notifications, by notify-send.") var notify = false
    @Flag(help: "Send one mail, through SUBGUARD_SMTP_URL from SUBGUARD_MAIL_FROM to SUBGUARD_MAIL_TO.") var mail =
        false
    @Option(help: "Run a program for each reminder, with its JSON object on standard input; status 0 means delivered.")
    var exec: String?
    @Flag(help: "Print what is due without recording it.") var dryRun = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        let given = [notify, mail, exec != nil, dryRun].count { $0 }
        try require(given <= 1, "--notify, --mail, --exec and --dry-run cannot be combined")
    }

    /// For how long to wait for another `remind`.
    private static let timeout = Duration.seconds(120)

    func run(_ session: Session) async throws {
        if dryRun {
            let due = try session.store.reminders.due(language: session.language, at: session.moment)
            return session.print(due)
        }
        // Two at once would tell each reminder twice. The second reads what the first has recorded.
        let path = session.store.path + ".remind-lock"
        guard let lock = try await FileLock.take(path, timeout: Self.timeout) else {
            throw ReminderDeliveryError.busy
        }
        defer { withExtendedLifetime(lock) {} }
        // Refused before anything is printed if that could not be recorded.
        try session.store.reminders.begin(at: session.moment)
        let due = try session.store.reminders.due(language: session.language, at: session.moment)
        let failed = try await deliver(due, session)
        try session.store.reminders.noteTold(failed == nil ? due : [], isAll: failed == nil, at: session.moment)
        if let failed {
            throw ReminderDeliveryError.failed(count: failed.count, of: due.count, reason: failed.reason)
        }
    }

    /// Returns how many were not told, and the first reason; nil if all were. What a program has taken is recorded
    /// before the next one: a run that is stopped tells it no second time.
    private func deliver(
        _ due: [DueReminder], _ session: Session
    ) async throws -> (count: Int, reason: ReminderDeliveryError)? {
        do {
            if mail {
                let channel = try MailChannel(Invocation.current.environment)
                if !due.isEmpty { try channel.send(due, session) }
                session.printDelivered(due)
                return nil
            }
            guard notify || exec != nil else {
                session.print(due)
                return nil
            }
            let program = try ReminderProgram(exec ?? "notify-send")
            var (told, failure): (Int, ReminderDeliveryError?) = (0, nil)
            for reminder in due {
                do {
                    if exec == nil {
                        try await program.notify(reminder)
                    } else {
                        try await program.take(reminder, session.language)
                    }
                    try session.store.reminders.noteTold([reminder], isAll: false, at: session.moment)
                    told += 1
                } catch let error as ReminderDeliveryError {
                    failure = failure ?? error
                    // The others would wait as long.
                    if case .stopped = error { break }
                }
            }
            if let failure { return (due.count - told, failure) }
            session.printDelivered(due)
            return nil
        } catch let error as ReminderDeliveryError {
            return (due.count, error)
        }
    }
}

extension Session {
    fileprivate func print(_ due: [DueReminder]) {
        print(
            due, json: { $1.fields($0, language) }, empty: "No reminders due.",
            [.text("date") { day($0.on) }, .text("reminder") { $0.text }])
    }

    fileprivate func printDelivered(_ due: [DueReminder]) {
        guard !isJSON else { return print(due) }
        if !due.isEmpty {
            emit(json: { _ in }, text: { text("\(due.count) reminder delivered|\(due.count) reminders delivered") })
        }
    }
}

extension JSONWriter {
    mutating func fields(_ reminder: DueReminder, _ language: DisplayLanguage) {
        field("id", reminder.id)
        field("kind", reminder.kind.rawValue)
        field("subscription_id", reminder.subscriptionID?.lowercased)
        field("name", reminder.name)
        field("on", reminder.on.iso)
        field("due_at", reminder.dueAt.rfc3339)
        field("text", language.spaced(reminder.text))
    }
}

struct RemindersCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "List upcoming reminders of each subscription's next charge.")

    @Option(help: "Time of day, such as 09:00. Default: the setting reminders.time.") var at: String?
    @Option(help: "Quiet hours without reminders, such as 22:00-08:00; empty for none. Default: reminders.quiet_hours.")
    var quiet: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws { _ = try policy(ReminderPolicy()) }

    private func policy(_ stored: ReminderPolicy) throws -> ReminderPolicy {
        var policy = stored
        if let at {
            guard let minute = ReminderPolicy.minutes(at) else {
                throw ValidationError("--at must be a time such as 09:00")
            }
            policy.minuteOfDay = minute
        }
        if let quiet {
            guard let hours = ReminderPolicy.quietHours(quiet.isEmpty ? "none" : quiet) else {
                throw ValidationError("--quiet must be two times such as 22:00-08:00")
            }
            (policy.quietFrom, policy.quietUntil) = hours
        }
        return policy
    }

    func run(_ session: Session) throws {
        let reminders = try session.store.reminders.list(
            try policy(try session.store.reminders.policy()), language: session.language, at: session.moment)
        session.print(
            reminders,
            json: { reminder, json in
                json.field("id", reminder.id)
                json.field("subscription_id", reminder.occurrence.subscriptionID.lowercased)
                json.field("occurrence_id", reminder.occurrence.wire)
                json.field("billing_on", reminder.occurrence.billingOn.iso)
                json.field("offset_days", reminder.offsetDays)
                json.field("fire_at", reminder.fireAt.rfc3339)
                json.field("title", session.language.spaced(reminder.title))
            }, empty: "No upcoming reminders.",
            [.text("date") { session.time($0.fireAt) }, .text("reminder") { $0.title }])
    }
}
