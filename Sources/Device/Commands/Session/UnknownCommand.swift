import ArgumentParser
import SubGuardDomain

/// A first argument that is no command. The parser would call it an unexpected argument.
enum UnknownCommand {
    /// What other programs call commands of this one.
    private static let others = [
        "rm": "delete", "remove": "delete", "del": "delete", "new": "add", "create": "add", "ls": "list",
        "confirm": "ack", "confirmer": "ack", "acquitter": "ack", "acknowledge": "ack", "done": "ack", "pay": "paid",
        "unpause": "resume", "continue": "resume",
        "uncancel": "resume", "stop": "cancel", "change": "edit", "update": "edit", "set": "edit", "info": "show",
        "view": "show", "find": "search", "next": "upcoming", "due": "pending", "overdue": "missed", "stats": "total",
        "sum": "total", "cost": "total", "costs": "total", "friends": "people", "persons": "people", "owe": "balance",
        "debts": "balance", "split": "share", "load": "import", "dump": "export", "save": "backup",
        "config": "settings",
        "login": "account", "app": "open", "web": "open", "gui": "open", "ui": "open", "revert": "undo",
        "duplicates": "overlaps", "calendar": "export", "income": "transactions",
    ]

    /// Throws a usage error that names the command closest to `argument`, if one differs by at most two letters or is
    /// called so elsewhere.
    static func refuse(_ argument: String?, names: Set<String>) throws {
        // The parser adds `help`.
        let names = names.union(["help"])
        guard let argument, !argument.isEmpty, !argument.hasPrefix("-"), !names.contains(argument) else { return }
        guard let nearest = nearest(to: argument, among: names.sorted()) else {
            throw ValidationError("Unknown command '\(argument)'")
        }
        throw ValidationError("Unknown command '\(argument)'. Did you mean '\(nearest)'?")
    }

    /// The same for a command of a group: a word behind the group that is none of its commands.
    static func refuse(inner arguments: [String]) throws {
        guard arguments.count > 1, let name = arguments.first, let group = SubGuard.command(named: name) else { return }
        let names = group.configuration.subcommands.map { $0._commandName }
        guard !names.isEmpty, !arguments[1].hasPrefix("-"), !names.contains(arguments[1]) else { return }
        // What stands behind a flag may be its value.
        guard let nearest = nearest(to: arguments[1], among: names.sorted()) else { return }
        let (given, meant) = ("\(name) \(arguments[1])", "\(name) \(nearest)")
        throw ValidationError("Unknown command '\(given)'. Did you mean '\(meant)'?")
    }

    private static func nearest(to word: String, among names: [String]) -> String? {
        if let other = others[word.lowercased()], names.contains(other) { return other }
        let bound = min(2, word.count - 1)
        let ranked = names.map { (name: $0, distance: EditDistance.between(Array(word), Array($0))) }
        return ranked.filter { $0.distance <= bound }.min { $0.distance < $1.distance }?.name
    }
}
