import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
package import SubGuardDomain
import SubGuardEngine

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a subscription and print its id.",
        discussion: """
            On one line: `subguard add netflix`, `subguard add "Le Monde 12,99 €/month 15 January"`. What is not given \
            comes from the catalogue when the name is found there. Without a date, the next charge is assumed to \
            be one cycle from today.
            """)

    @Argument(help: "Name, then amount, cycle and next billing date as you write them; all but the name are optional.")
    var line: [String] = []
    @Option(help: "Slug or id of a catalogue item that provides what is not given here.")
    var fromCatalogue: String?
    @OptionGroup var fields: SubscriptionOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if line.isEmpty, fields.name == nil, fromCatalogue == nil {
            throw ValidationError(Addition.missing(["name"] + fields.missing.filter { $0 != "name" }))
        }
    }

    func run() async throws {
        if fromCatalogue == nil, !line.isEmpty || !fields.missing.isEmpty {
            try await Session.fetchFirstCatalogue(options)
        }
        try Session.write(options) { session in
            let addition = try Addition(line: line, slug: fromCatalogue, fields, session)
            let draft = try addition.draft()
            let subscription: Subscription
            do {
                subscription = try session.store.subscriptions.add(draft, at: session.moment)
            } catch DeviceStoreError.premiumRequired(let feature) {
                addition.preview(draft)
                throw DeviceStoreError.premiumRequired(feature)
            }
            let summary = try session.store.subscriptions.summary(subscription.id, at: session.moment)
            session.print(object: { $0.fields(summary) }, text: { subscription.id.lowercased })
            for twin in try session.store.subscriptions.twins(of: subscription.id) { session.note(twin) }
            try addition.tell(summary)
        }
    }
}

extension SubscriptionOptions {
    /// The flags that a subscription needs if neither a line nor the catalogue provides them.
    fileprivate var missing: [String] {
        var given: SubscriptionDraft = [:]
        (given[.name], given[.amount], given[.cycle], given[.nextBillingOn]) = (name, amount, cycle, next)
        given[.startedOn] = started
        // The amount may bring its currency with it, as in `12,50 €`.
        given[.currency] = currency ?? amount.flatMap(AmountText.read)?.sign?.currencies.first?.code
        return NewSubscription.missing(in: given).map(Addition.flag)
    }
}

/// What `add` says about a new subscription, whose rules are the engine's.
private struct Addition {
    private let session: Session
    private let links: [LinkFault]
    private var new: NewSubscription
    /// The fields of options.
    private let typed: SubscriptionDraft
    private let isLine: Bool
    private let isNamed: Bool

    init(line: [String], slug: String?, _ fields: SubscriptionOptions, _ session: Session) throws {
        self.session = session
        isLine = !line.isEmpty
        isNamed = slug != nil
        let (given, links) = try fields.given(session)
        self.links = links
        typed = given
        new = NewSubscription(given, item: try slug.map { try session.catalogueItem($0, field: "from-catalogue") })
        let choose = { session.canAsk ? session.choose($0, for: $1) : nil }
        try new.take(line: line.joined(separator: " "), in: session.store, at: session.moment, choose: choose)
        // What is given in full, as by a script, needs nothing of the catalogue built in.
        if !new.isLine, let name = given[.name],
            try !fields.missing.isEmpty || session.store.catalogue.starter() == nil
        {
            try new.match(name, in: session.store, choose)
        }
    }

    /// The draft with everything known. Throws a usage error when something needed is neither given nor in the
    /// catalogue.
    func draft() throws -> SubscriptionDraft {
        let store = session.store.subscriptions
        let given = try links.naming { try store.wireForm(adding: new.given, besides: $0, at: session.moment) }
        let draft = new.completed(given, usual: try store.usualCurrency(), today: session.moment.today)
        try requireAll(draft)
        return draft
    }

    private func requireAll(_ draft: SubscriptionDraft) throws {
        // An option without a value is refused with all other faults.
        let missing = NewSubscription.missing(in: draft).filter { typed[$0] != "" }.map(Self.flag)
        guard !missing.isEmpty else { return }
        if !new.similar.isEmpty, new.item == nil {
            let slugs = new.similar.map(\.slug).joined(separator: ", ")
            // Similar services of the catalogue built in do not help a person who meant another: what is missing comes
            // first.
            guard try session.store.catalogue.starter() == nil else {
                if isLine, !session.isJSON {
                    session.note("similar in the catalogue: \(slugs); to add one: subguard add --from-catalogue SLUG")
                }
                return try refuse(missing, draft)
            }
            throw Fault(
                "name", .unknownValue,
                "Several services of the catalogue are similar. Choose one with --from-catalogue: \(slugs).")
        }
        try refuse(missing, draft)
    }

    private func refuse(_ missing: [String], _ draft: SubscriptionDraft) throws {
        guard isLine else { throw ValidationError(Self.missing(missing)) }
        let words = missing.compactMap { Self.words[$0] }.map { session.text($0) }.joined(separator: ", ")
        let name = draft[.name].flatMap { $0.isEmpty ? nil : $0 } ?? "Netflix"
        // Translated with the rest of the parser's message.
        throw ValidationError("missing: \(words). For example: subguard add \"\(name) 13.49 €/month\"")
    }

    static func flag(_ field: SubscriptionField) -> String { field == .nextBillingOn ? "next" : field.rawValue }

    /// As the parser says it.
    static func missing(_ flags: [String]) -> String {
        let names = flags.map { "--\($0)" }
        return names.count == 1
            ? "Missing expected argument '\(names[0])'"
            : "Missing expected arguments: \(names.joined(separator: ", "))"
    }

    private static let words: [String: Sentence] = [
        "name": "name", "amount": "amount", "currency": "currency", "cycle": "cycle", "next": "next charge",
    ]

    /// Says on standard error what premium would have added.
    func preview(_ draft: SubscriptionDraft) {
        let currency = draft[.currency].flatMap { Currency(code: $0) }
        let amount = currency.flatMap { try? Money(decimal: draft[.amount] ?? "", currency: $0) }
        let cycle = draft[.cycle].flatMap { BillingCycle(wire: $0) }?.phrase(session.language) ?? ""
        session.note("would have been added: \(draft[.name] ?? ""), \(amount.map { session.money($0) } ?? "") \(cycle)")
    }

    // MARK: After it was added

    /// Says on standard error what was not typed, or proposes items, or offers to suggest the name.
    func tell(_ summary: SubscriptionSummary) throws {
        guard isLine || session.canAsk else { return }
        if let item = new.item {
            guard !isNamed || isLine else { return }
            let category = summary.category.displayName(session.language)
            if new.given[.amount] == nil, new.given[.cycle] == nil {
                session.note("from the catalogue: \(item.name), \(session.line(of: summary)), \(category)")
            } else {
                // What was typed is not the catalogue's.
                session.note(
                    "from the catalogue: \(item.name), \(category); its price there: \(session.line(of: item))")
            }
            if let starter = try session.store.catalogue.starter() { session.noteOrigin(of: starter) }
        } else if !new.similar.isEmpty {
            let slugs = new.similar.map(\.slug).joined(separator: ", ")
            session.note(
                """
                similar in the catalogue: \(slugs); to link one: subguard edit \(ShellWord.quoted(summary.name)) \
                --catalogue-item SLUG
                """
            )
        } else if try session.store.catalogue.copy() != nil, new.given[.catalogueItemID] == nil {
            try offerSuggestion(summary.name)
        }
        if new.given[.nextBillingOn] == nil, let next = summary.nextBillingOn {
            session.note(
                """
                assumed next charge: \(session.day(next)); to correct it: subguard edit \
                \(ShellWord.quoted(summary.name)) --next DAY
                """
            )
        }
    }

    private func offerSuggestion(_ name: String) throws {
        guard session.canAsk else {
            return session.note("not in the catalogue; to suggest it: subguard suggest \(ShellWord.quoted(name))")
        }
        StandardStream.output(
            session.text("\(name) is not in the catalogue. Suggest it? Only the name is sent, at the next sync. [y/n] ")
        )
        if let answer = readLine()?.lowercased().first, answer == "y" || answer == "o" {
            _ = try session.store.suggestions.add(name, at: session.moment)
        }
    }
}

extension Session {
    /// Downloads the catalogue for a store that has none, when a server is configured. A failure is recorded for
    /// `status`; the command goes on without.
    fileprivate static func fetchFirstCatalogue(_ options: GlobalOptions) async throws {
        let session = try Session(options)
        defer { try? session.store.close() }
        guard try session.store.catalogue.copy() == nil,
            let server = try session.server(retries: .once, timeout: .seconds(5))
        else { return }
        _ = await session.synchroniser(server).revalidateCatalogue(limit: .seconds(10), at: session.moment)
    }

    /// Whether there is a person to ask.
    fileprivate var canAsk: Bool { !isJSON && Invocation.current.canAsk }

    /// The item that the user chooses; nil for none of them.
    fileprivate func choose(_ items: [CatalogueItem], for name: String) -> CatalogueItem? {
        for (index, item) in items.enumerated() {
            StandardStream.output(
                TerminalText.masked(
                    """
                      \(index + 1)  \(item.name)  \(money(item.typicalAmount)) \
                    \(item.billingCycle.displayName(language))\n
                    """
                ))
        }
        StandardStream.output(text("Which one is \(name)? Its number, or Enter for none: "))
        guard let number = readLine().flatMap({ Int($0) }), items.indices.contains(number - 1) else { return nil }
        return items[number - 1]
    }

    fileprivate func line(of item: CatalogueItem) -> String {
        "\(money(item.typicalAmount)) \(item.billingCycle.phrase(language))"
    }

    /// `€13.49 monthly`.
    fileprivate func line(of summary: SubscriptionSummary) -> String {
        "\(price(summary)) \(summary.cycle.phrase(language))"
    }

    /// Says that the same was there already.
    fileprivate func note(_ twin: Subscription) {
        let price = "\(money(twin.price(on: moment.today))) \(twin.cycle.phrase(language))"
        note(
            """
            there is already \(twin.name), \(price), with the same charges; to remove it: subguard delete \
            \(twin.id.lowercased)
            """
        )
    }

    /// Prints a note to standard error.
    package func note(_ note: Sentence) { StandardStream.error(text("note: \(text(note))") + "\n") }
}
