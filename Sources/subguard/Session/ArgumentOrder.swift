/// Lets global flags stand before the command too, as in `subguard --json list`: the parser knows them behind it.
enum ArgumentOrder {
    private static let valued: Set<String> = ["--store", "--now", "--zone", "--server", "--lang"]
    private static let plain: Set<String> = ["--json"]
    /// Commands that have commands of their own.
    private static let nested: Set<String> = ["budget", "people", "groups", "expenses", "transactions"]

    /// Moves the global flags at the front behind the command's name; all else stays where it is.
    static func sorted(_ arguments: [String]) -> [String] {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if valued.contains(argument), index + 1 < arguments.count {
                index += 2
            } else if plain.contains(argument) || valued.contains(where: { argument.hasPrefix($0 + "=") }) {
                index += 1
            } else {
                break
            }
        }
        guard index > 0 else { return arguments }
        // Flags alone ask for nothing: the program explains itself.
        guard index < arguments.count else { return [] }
        // A flag of the program itself, such as --help, or what is no command: the parser says which.
        guard SubGuard.commandNames.contains(arguments[index]) else { return Array(arguments[index...]) }
        var end = index + 1
        if nested.contains(arguments[index]), end < arguments.count, !arguments[end].hasPrefix("-") { end += 1 }
        return Array(arguments[index..<end]) + Array(arguments[..<index]) + Array(arguments[end...])
    }
}
