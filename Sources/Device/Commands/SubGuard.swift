package import ArgumentParser
import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// The program `subguard`: its command line, without the commands that serve the app.
package struct SubGuard: ParsableCommand {
    package static let version = "0.1.0"

    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "subguard", abstract: "Track your subscriptions on this device.",
            discussion: "Names of subscriptions, people and groups work wherever an id does.",
            version: Self.version,
            groupedSubcommands: [
                CommandGroup(
                    name: "Subscriptions",
                    subcommands: [
                        AddCommand.self, EditCommand.self, DeleteCommand.self, ShowCommand.self, ListCommand.self,
                        PriceCommand.self, PauseCommand.self, ResumeCommand.self, CancelCommand.self,
                        CancelByCommand.self,
                    ]),
                CommandGroup(
                    name: "Charges",
                    subcommands: [
                        UpcomingCommand.self, PendingCommand.self, MissedCommand.self, ConfirmCommand.self,
                        SkipCommand.self, PaidCommand.self, ScoreCommand.self, WidgetCommand.self,
                        RemindersCommand.self, RemindCommand.self,
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
                    ] + Invocation.current.appCommands),
                CommandGroup(
                    name: "Server",
                    subcommands: [
                        SearchCommand.self, LogoCommand.self, SuggestCommand.self, SyncCommand.self, StatusCommand.self,
                        ConsentCommand.self, AccountCommand.self, PremiumCommand.self,
                    ]),
            ])
    }

    package init() {}

    static var commandNames: Set<String> { Set(configuration.subcommands.compactMap { $0.configuration.commandName }) }

    static func command(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// Runs the command of this process, and ends the process with its status.
    ///
    /// - Parameter appCommands: those that serve the app, where our HTTP server runs.
    package static func run(with appCommands: [any ParsableCommand.Type]) async -> Never {
        StandardStream.reserveDescriptors()
        var invocation = Invocation()
        invocation.appCommands = appCommands
        let status = await Invocation.$current.withValue(invocation) { await run() }
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
        } catch let unknown as UnknownReference {
            return Refusal.report(unknown.error, of: unknown.fault, arguments: given)
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
