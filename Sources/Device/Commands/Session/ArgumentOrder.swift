import ArgumentParser

/// Allows global flags before the command, as in `subguard --json list`; the parser accepts them only after it.
enum ArgumentOrder {
    private static let valued: Set<String> = ["--store", "--now", "--zone", "--server", "--lang"]
    private static let plain: Set<String> = ["--json"]
    /// Moves global flags that precede the command, or stand between it and its subcommand, behind both. The order of
    /// all other arguments is kept.
    static func sorted(_ given: [String]) -> [String] {
        let arguments = emptyValuesApart(given)
        let front = globals(arguments[...])
        // Flags without a command: show the help.
        guard let name = arguments.dropFirst(front).first else { return [] }
        // A flag of the program itself, such as --help, or an unknown command: the parser reports it.
        guard SubGuard.commandNames.contains(name) else {
            return name == "help" ? withoutGlobals(arguments[front...]) : Array(arguments[front...])
        }
        var names = [name]
        var rest = arguments.dropFirst(front + 1)
        var flags = arguments.prefix(front)
        if let group = SubGuard.command(named: name), !group.configuration.subcommands.isEmpty {
            let between = globals(rest)
            // Of the group, not of its default command.
            if let flag = rest.dropFirst(between).first, ["--help", "-h"].contains(flag) { return [name, flag] }
            if let inner = rest.dropFirst(between).first, !inner.hasPrefix("-") {
                // The parser would report the flags in place of the unknown subcommand.
                let isKnown = group.configuration.subcommands.contains { $0._commandName == inner }
                guard isKnown || group.configuration.defaultSubcommand != nil else { return [name, inner] }
                names.append(inner)
                flags += rest.prefix(between)
                rest = rest.dropFirst(between + 1)
            } else if group.configuration.defaultSubcommand == nil, rest.dropFirst(between).isEmpty {
                // A group alone: show its help.
                return names
            }
        }
        return names + flags + rest
    }

    /// Splits `--flag=` into the flag and an empty value, which clears a field; the parser would report a missing
    /// value.
    private static func emptyValuesApart(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let apart = arguments[..<end].flatMap { argument in
            argument.hasPrefix("--") && argument.hasSuffix("=") && argument.count(where: { $0 == "=" }) == 1
                ? [String(argument.dropLast()), ""] : [argument]
        }
        return apart + arguments[end...]
    }

    /// The parser's own `help` knows no flags.
    private static func withoutGlobals(_ arguments: ArraySlice<String>) -> [String] {
        var (kept, rest): ([String], ArraySlice<String>) = ([], arguments)
        while let first = rest.first {
            let count = globals(rest)
            if count == 0 { kept.append(first) }
            rest = rest.dropFirst(max(count, 1))
        }
        return kept
    }

    /// The number of leading arguments that are global flags and their values.
    private static func globals(_ arguments: ArraySlice<String>) -> Int {
        var index = arguments.startIndex
        while index < arguments.endIndex {
            let argument = arguments[index]
            if valued.contains(argument), index + 1 < arguments.endIndex {
                index += 2
            } else if plain.contains(argument) || valued.contains(where: { argument.hasPrefix($0 + "=") }) {
                index += 1
            } else {
                break
            }
        }
        return index - arguments.startIndex
    }
}
