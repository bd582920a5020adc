import ArgumentParser
import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

@main
struct SubGuard: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "subguard", abstract: "Track your subscriptions on this device.",
        discussion: "Names of subscriptions, people and groups work wherever an id does.",
        version: Self.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Subscriptions",
                subcommands: [
                    AddCommand.self, EditCommand.self, DeleteCommand.self, ShowCommand.self, ListCommand.self,
                    PriceCommand.self, PauseCommand.self, ResumeCommand.self, CancelCommand.self, CancelByCommand.self,
                ]),
            CommandGroup(
                name: "Charges",
                subcommands: [
                    UpcomingCommand.self, PendingCommand.self, MissedCommand.self, ConfirmCommand.self,
                    SkipCommand.self, PaidCommand.self, ScoreCommand.self, WidgetCommand.self, RemindersCommand.self,
                    RemindCommand.self,
                ]),
            CommandGroup(
                name: "Questions",
                subcommands: [
                    TotalCommand.self, ForecastCommand.self, SpendingCommand.self, MonthCommand.self,
                    YearCommand.self, ChangesCommand.self, WhatIfCommand.self, BudgetCommand.self,
                    SavingsCommand.self, OverlapsCommand.self, RatesCommand.self,
                ]),
            CommandGroup(
                name: "Sharing",
                subcommands: [
                    ShareCommand.self, PeopleCommand.self, GroupsCommand.self, ExpensesCommand.self,
                    SettleCommand.self, BalanceCommand.self, RepayCommand.self, TransactionsCommand.self,
                    ReceiptsCommand.self,
                ]),
            CommandGroup(
                name: "Data",
                subcommands: [
                    ExportCommand.self, ImportCommand.self, BackupCommand.self, RestoreCommand.self,
                    MergeCommand.self, BackupsCommand.self, UndoCommand.self, RedoCommand.self, RepairCommand.self,
                    SettingsCommand.self,
                ] + appCommands),
            CommandGroup(
                name: "Server",
                subcommands: [
                    SearchCommand.self, LogoCommand.self, SuggestCommand.self, SyncCommand.self, StatusCommand.self,
                    ConsentCommand.self, AccountCommand.self, PremiumCommand.self,
                ]),
        ])

    /// The app is served where our HTTP server runs.
    private static var appCommands: [any ParsableCommand.Type] {
        #if canImport(DeviceApp)
            [OpenCommand.self, CalendarCommand.self]
        #else
            []
        #endif
    }

    static var commandNames: Set<String> { Set(configuration.subcommands.compactMap { $0.configuration.commandName }) }

    static func command(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }

    static func main() async {
        StandardStream.reserveDescriptors()
        let status = await run()
        // Without the handlers that libraries run at the end: OpenSSL's frees what the thread of the last transfer
        // frees as it ends, and the program could then end by a signal after its work was done.
        fflush(nil)
        _exit(status)
    }

    /// Runs the command of ``Invocation/current``. Returns the exit status: 0 on success, 1 when the command is refused
    /// and 64 on a usage error.
    static func run() async -> Int32 {
        let given = Invocation.current.arguments
        do {
            let arguments = ArgumentOrder.sorted(given)
            try UnknownCommand.refuse(arguments.first, names: commandNames)
            try UnknownCommand.refuse(inner: arguments)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch let error as DeviceStoreError {
            return Refusal.report(error, arguments: given)
        } catch let fault as Fault {
            return Refusal.report(.invalid(fault), arguments: given)
        } catch let error as ReminderDeliveryError {
            return Refusal.report(error, arguments: given)
        } catch let error as ClientError {
            return Refusal.report(error, arguments: given)
        } catch {
            return Refusal.report(usage: error, arguments: given)
        }
    }
}
