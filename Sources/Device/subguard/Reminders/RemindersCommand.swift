import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

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
            },
            columns: [(session.text("date"), .left), (session.text("reminder"), .left)],
            empty: session.text("No upcoming reminders.")
        ) { [.init(session.time($0.fireAt)), .init($0.title)] }
    }
}
