import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ShareCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Split a subscription's cost.",
        discussion: """
            even and shares include you: with two other people, everyone pays a third, and you have one share. With \
            percent and exact, give the parts of the other people; you pay the rest. free: you pay everything. Without \
            --with and --parts, the split stays, and only --accepted and --notes change. A new split is not agreed \
            until --accepted says so. It holds until the next dated split, if there is one; `show` lists those to \
            come, and --remove takes one back.
            """)

    @Argument(help: "Name of the subscription, or its id.") var subscription: String
    @Option(help: "Names of the other people, or ids, separated by commas; empty to stop sharing.") var with: String?
    @Option(help: "How the cost is split. Default: even.") var split: SplitKind?
    @Option(help: "Each person's percentage, amount or number of shares: NAME=value pairs separated by commas.")
    var parts: String?
    @Option(help: "First day whose charges they owe you a part of; later ones from there on. Default: today.")
    var from: DayArgument?
    @Option(help: "Take back the split that begins on this day; the one before it holds on.")
    var remove: DayArgument?
    @Flag(inversion: .prefixedNo, help: "Whether the other people agreed; `show` says so.") var accepted: Bool?
    @Option(help: "Notes on the share; `show` has them.") var notes: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if remove != nil {
            let isAlone = with == nil && parts == nil && split == nil && from == nil && accepted == nil && notes == nil
            return try require(isAlone, "--remove cannot be combined with other options")
        }
        if with == nil, parts == nil, accepted != nil || notes != nil {
            return try require(split == nil && from == nil, "--split and --from require --with or --parts")
        }
        try require(with != nil || parts != nil, "Missing expected argument '--with'")
        let split = split ?? .even
        let needsParts = split == .percent || split == .exact || split == .shares
        try require(!needsParts || parts != nil || with == "", "--split \(split.rawValue) requires --parts")
        try require(needsParts || parts == nil, "--split \(split.rawValue) does not take --parts")
    }

    func run(_ session: Session) throws {
        let id = try session.subscriptionID(subscription)
        if let remove {
            try session.store.sharing.removeShare(
                of: id, from: remove.day(session.moment.today, towards: .last), at: session.moment)
            try report(id, nil, session)
        } else if with == nil, parts == nil {
            try session.store.sharing.annotateShare(of: id, isAccepted: accepted, notes: notes, at: session.moment)
            // What was agreed last may begin later.
            let agreed = try session.store.sharing.share(of: id)
            let from = try session.store.sharing.periods(of: id).last { $0.split == agreed?.split }?.from
            try report(id, agreed.map { (max(from ?? session.moment.today, session.moment.today), $0) }, session)
        } else {
            try report(id, try save(id, session), session)
        }
    }

    /// Returns the split that was saved, with its first day.
    private func save(_ id: UUID, _ session: Session) throws -> (from: CalendarDay, share: SubscriptionShare) {
        let kind = split ?? .even
        let subscription = try session.store.subscriptions.load(id)
        var reader = ArgumentReader()
        var people = try reader.people(session, with ?? "", field: "with") ?? []
        let values = try parts.flatMap { try reader.values(session, $0, field: "parts") }
        try reader.finish()
        // One's own part is always there.
        if parts == nil, people.contains(where: { $0 != Person.me }) { people.removeAll { $0 == Person.me } }
        let split = try session.split(
            kind, between: people, parts: values,
            currency: subscription.price(on: session.moment.today).currency)
        guard with == nil || Set(people) == Set(split.people) else {
            throw Fault("parts", .outOfRange, "Must name the same people as --with.")
        }
        let day = from?.day(session.moment.today, towards: .last) ?? session.moment.today
        let share = try session.store.sharing.setSplit(
            split, of: id, from: day, isAccepted: accepted, notes: notes, at: session.moment)
        return (day, share)
    }

    /// Prints the split that was saved, else that of today, and those that begin later.
    private func report(
        _ id: UUID, _ saved: (from: CalendarDay, share: SubscriptionShare)?, _ session: Session
    ) throws {
        let subscription = try session.store.subscriptions.load(id)
        let today = session.moment.today
        let from = saved?.from ?? today
        let price = subscription.price(on: max(from, today))
        let share = try saved?.share ?? session.store.sharing.plan(of: id, at: session.moment).current
        let kind = share?.split.kind
        let shares = try session.store.sharing.parts(of: share, price)
        // Splits that begin between the day of the new one and today stay, too.
        let later = try session.store.sharing.periods(of: id).filter { $0.from > from }.map { period in
            (from: period.from, shares: try session.store.sharing.parts(of: period, subscription))
        }
        session.print(
            object: { json in
                json.field("subscription_id", subscription.id.lowercased)
                json.field("split", (kind ?? split ?? .even).rawValue)
                json.money(price)
                json.field("owner_amount", shares.owner.decimal)
                json.field("accepted", share?.isAccepted ?? false)
                json.field("notes", share?.notes ?? "")
                json.field("from", from.iso)
                shares.write(to: &json, later: later)
            },
            text: {
                var lines = shares.others.map { "\($0.name)  \(session.money($0.amount))" }
                lines.append("\(session.text("you"))  \(session.money(shares.owner))")
                if from > today { lines.append(session.text("from \(session.day(from)) on")) }
                for period in later {
                    let (day, split) = (session.day(period.from), session.parts(period.shares))
                    lines.append(session.text("from \(day) on, as before: \(split)"))
                }
                if let first = later.first, saved != nil {
                    let (name, day) = (ShellWord.quoted(subscription.name), first.from.iso)
                    lines.append(session.text("to take one back: subguard share \(name) --remove \(day)"))
                }
                if share?.isAccepted == true { lines.append(session.text("agreed with the others")) }
                if let notes = share?.notes, !notes.isEmpty { lines.append(notes) }
                return lines.joined(separator: "\n")
            })
    }
}

extension Session {
    /// Reads a split from its flags. `parts` holds a percentage, an amount or a number per person, depending on the
    /// kind.
    func split(
        _ kind: SplitKind, between people: [UUID], parts: [(person: UUID, value: String)]?, currency: Currency
    ) throws -> Split {
        guard let values = parts else { return Split(kind: kind, people: people) }
        let weights = try values.map { _, text in
            let weight: Int64? =
                switch kind {
                case .percent: Split.percentage(text.replacing(",", with: "."))
                case .exact: (try? money(text, currency.code, field: "parts"))?.minorUnits
                case .shares: Int64(text)
                case .even, .free: nil
                }
            guard let weight else {
                throw Fault(
                    "parts", .invalidFormat, "Must be percentages, amounts or whole numbers, depending on --split.")
            }
            return weight
        }
        return Split(kind: kind, people: values.map(\.person), weights: weights)
    }
}

extension ShareParts {
    func write(to json: inout JSONWriter, later: [(from: CalendarDay, shares: ShareParts)] = []) {
        writeParts(to: &json)
        json.array("shares_later", later) { json, period in
            json.field("from", period.from.iso)
            json.money(period.shares.price)
            period.shares.writeParts(to: &json)
        }
    }

    private func writeParts(to json: inout JSONWriter) {
        json.array("shares", others) { json, part in
            json.field("person_id", part.personID.lowercased)
            json.field("name", part.name)
            json.money(part.amount)
        }
    }

    func warning(_ session: Session) -> Sentence {
        let sum = Money(minorUnits: price.minorUnits - owner.minorUnits, currency: price.currency)
        return """
            the shares add up to \(session.money(sum)), more than the price of \(session.money(price)); run \
            `subguard share`
            """
    }
}
