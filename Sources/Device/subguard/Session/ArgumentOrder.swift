/// Lets global flags stand before the command too, as in `subguard --json list`: the parser knows them behind it.
enum ArgumentOrder {
    private static let valued: Set<String> = ["--store", "--now", "--zone", "--server", "--lang"]
    private static let plain: Set<String> = ["--json"]
    /// Commands that have commands of their own.
    private static let nested: Set<String> = [
        "budget", "people", "groups", "expenses", "transactions", "account", "premium",
    ]

    /// Moves the global flags in front of the command's name, or of the name of the command's own, behind both; all
    /// else stays where it is.
    static func sorted(_ given: [String]) -> [String] {
        let arguments = emptyValuesApart(given)
        let front = globals(arguments[...])
        // Flags alone ask for nothing: the program explains itself.
        guard let name = arguments.dropFirst(front).first else { return [] }
        // A flag of the program itself, such as --help, or what is no command: the parser says which.
        guard SubGuard.commandNames.contains(name) else { return Array(arguments[front...]) }
        var names = [name]
        var rest = arguments.dropFirst(front + 1)
        var flags = arguments.prefix(front)
        if nested.contains(name) {
            let between = globals(rest)
            if let inner = rest.dropFirst(between).first, !inner.hasPrefix("-") {
                names.append(inner)
                flags += rest.prefix(between)
                rest = rest.dropFirst(between + 1)
            }
        }
        return names + flags + rest
    }

    /// Gives `--flag=` its empty value as an argument of its own: the parser takes it for a flag without a value, where it
    /// takes a value away.
    private static func emptyValuesApart(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let apart = arguments[..<end].flatMap { argument in
            argument.hasPrefix("--") && argument.hasSuffix("=") && argument.count(where: { $0 == "=" }) == 1
                ? [String(argument.dropLast()), ""] : [argument]
        }
        return apart + arguments[end...]
    }

    /// How many of the arguments at the front are global flags and their values.
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
