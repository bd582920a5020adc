/// Exports charges as plain-text accounting for ledger, hledger or beancount.
package struct AccountingText: Sendable {
    /// The program that reads the text: ledger and hledger, or beancount.
    package enum Dialect: Sendable { case ledger, beancount }

    /// One past charge.
    package struct Entry: Sendable, Hashable {
        package var day: CalendarDay
        package var payee: String
        package var scope: SubscriptionScope
        package var category: SubscriptionCategory
        package var amount: Money
        /// The occurrence's id.
        package var reference: String
        /// Whether the user has confirmed it.
        package var isCleared: Bool

        package init(
            day: CalendarDay, payee: String, scope: SubscriptionScope, category: SubscriptionCategory, amount: Money,
            reference: String, isCleared: Bool
        ) {
            self.day = day
            self.payee = payee
            self.scope = scope
            self.category = category
            self.amount = amount
            self.reference = reference
            self.isCleared = isCleared
        }
    }

    package let dialect: Dialect

    package init(_ dialect: Dialect) { self.dialect = dialect }

    private static let source = "Assets:Checking"

    /// The whole text, entries in the order given.
    package func text(_ entries: [Entry]) -> String {
        switch dialect {
        case .ledger:
            return entries.map(ledgerEntry).joined(separator: "\n")
        case .beancount:
            let firstDay = entries.map(\.day).min() ?? CalendarDay(uncheckedDaysSinceEpoch: 0)
            let accounts = Set(entries.map { Self.account($0.scope, $0.category) }).sorted() + [Self.source]
            let opening = accounts.map { "\(firstDay.iso) open \($0)\n" }.joined()
            return entries.isEmpty ? "" : opening + "\n" + entries.map(beancountEntry).joined(separator: "\n")
        }
    }

    private func ledgerEntry(_ entry: Entry) -> String {
        // A semicolon, two blanks or a bar would end the payee.
        let payee = String(
            String.UnicodeScalarView(
                Self.oneLine(entry.payee).unicodeScalars.map { $0 == ";" || $0 == "|" ? "," : $0 }))
        // These would be read as a code or another mark; an empty code before them ends both.
        let code = payee.first.map { "(*!".contains($0) } == true ? "() " : ""
        let account = Self.account(entry.scope, entry.category)
        return """
            \(entry.day.iso) \(entry.isCleared ? "* " : "! ")\(code)\(payee)
                ; occurrence: \(entry.reference)
                \(account)  \(entry.amount.decimal) \(entry.amount.currency.code)
                \(Self.source)  -\(entry.amount.decimal) \(entry.amount.currency.code)

            """
    }

    private func beancountEntry(_ entry: Entry) -> String {
        // By scalars: a quotation mark followed by a combining mark is a different character.
        let payee = Self.oneLine(entry.payee).unicodeScalars
            .map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        let account = Self.account(entry.scope, entry.category)
        return """
            \(entry.day.iso) \(entry.isCleared ? "*" : "!") "\(payee)" ""
              occurrence: "\(entry.reference)"
              \(account)  \(entry.amount.decimal) \(entry.amount.currency.code)
              \(Self.source)  -\(entry.amount.decimal) \(entry.amount.currency.code)

            """
    }

    /// An account of the scope and, below it, the category, in a form that all three programs accept: letters and
    /// digits, each word capitalised. What has no category is booked on the scope itself.
    static func account(_ scope: SubscriptionScope, _ category: SubscriptionCategory) -> String {
        let parent = "Expenses:Subscriptions:\(scope.displayName(.english))"
        guard category != .other else { return parent }
        let words = TextFolding.fold(category.wire).split(separator: " ")
            .map { word in word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
            .filter { !$0.isEmpty }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return parent + ":" + (words.isEmpty ? "Other" : words.joined(separator: "-"))
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
