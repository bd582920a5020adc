import Foundation
import SubGuardDomain
import SubGuardEngine

/// A database of the required size, and the timed operations on it.
final class BenchStage {
    private let path: String
    private let calls: Int
    private let moment: Moment

    init(path: String, calls: Int) {
        self.path = path
        self.calls = calls
        let now = UTCInstant(rfc3339: "2026-11-20T10:00:00Z") ?? .earliest
        moment = Moment(now: now, zone: TimeZone(identifier: "Europe/Paris") ?? .gmt)
    }

    private func open() throws -> DeviceStore {
        try DeviceStore(path: path, now: moment.now, entitlement: .premium(until: nil))
    }

    func fill(subscriptions: Int, history: Int) throws {
        let store = try open()
        defer { try? store.close() }
        var rows: [String] = []
        for index in 0..<subscriptions { rows.append(row(index, history: history)) }
        let entered = Moment(now: moment.now.adding(days: -40), zone: moment.time.zone)
        let report = try store.portability.importFile(
            Array("[\(rows.joined(separator: ",\n"))]".utf8), ImportOptions(format: .json), at: entered)
        guard report.added.count == subscriptions else { throw CocoaError(.fileReadCorruptFile) }
        try convert(store)
        try share(report.added.enumerated().filter { $0.offset.isMultiple(of: 100) }.map(\.element), store)
    }

    /// A home currency, and two years of rates on business days.
    private func convert(_ store: DeviceStore) throws {
        try store.settings.set(.homeCurrency, to: "EUR", at: moment)
        var lines = ["Date,USD,JPY,"]
        for back in 0..<730 where back % 7 < 5 {
            let day = moment.today.adding(days: -back)
            lines.append("\(day.iso),1.\(1000 + back * 37 % 9000),1\(50 + back % 20).\(10 + back * 7 % 90),")
        }
        _ = try store.rates.importFile(Array(lines.joined(separator: "\n").utf8), at: moment)
    }

    /// Two other people bear a third each of some subscriptions, from the first charge on.
    private func share(_ subscriptions: [UUID], _ store: DeviceStore) throws {
        let people = try ["Ana", "Zoé"].map { name in
            let person = Person(id: UUID(), name: name, createdAt: moment.now)
            try store.sharing.save(person, at: moment)
            return person.id
        }
        for id in subscriptions {
            try store.sharing.setSplit(Split(kind: .even, people: people), of: id, from: .earliest, at: moment)
        }
    }

    /// Monthly for the most part, in three currencies and four categories; each with passed days of every fate.
    private func row(_ index: Int, history count: Int) -> String {
        let cycles = [
            "monthly", "monthly", "monthly", "monthly", "monthly", "monthly", "yearly", "weekly", "quarterly",
            "every:10d",
        ]
        let cycle = BillingCycle(wire: cycles[index % cycles.count]) ?? .monthly
        let anchor = moment.today.adding(days: -index % 365 - 1)
        let schedule = BillingSchedule(anchor: anchor.adding(months: -240), cycle: cycle)
        var days: [CalendarDay] = []
        var day = moment.today
        while days.count < count, let last = schedule.last(before: day) {
            days.append(last)
            day = last
        }
        let fates = ["acknowledged", "acknowledged", "acknowledged", "late", "missed", "skipped"]
        let history = days.enumerated().map { number, day in
            "{\"billing_on\":\"\(day.iso)\",\"status\":\"\(fates[(index + number) % fates.count])\"}"
        }
        let categories = ["pro", "personal", "Musique", "Assurances"]
        let currencies = ["EUR", "EUR", "EUR", "USD", "JPY"]
        let currency = currencies[index % currencies.count]
        return """
            {"name":"Abonnement n° \(index * 7919 % 10_007)",\
            "amount":"\(index % 90 + 3)\(currency == "JPY" ? "" : ".49")","currency":"\(currency)",\
            "cycle":"\(cycle.wire)","anchor_on":"\(schedule.anchor.iso)",\
            "category":"\(categories[index % categories.count])","remind":"7,1","notes":"Ligne d'essai, \(index).",\
            "prices":[\(index % 50 == 0 ? #"{"from":"2026-11-01","amount":"99"}"# : "")],\
            "history":[\(history.joined(separator: ","))]}
            """
    }

    private func timed(_ count: Int? = nil, _ body: (Int) throws -> Void) rethrows -> [Double] {
        var list: [Double] = []
        for index in 0..<(count ?? calls) {
            let start = ContinuousClock.now
            try body(index)
            list.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return list
    }

    func reads() throws -> [String: [Double]] {
        let store = try open()
        defer { try? store.close() }
        let today = moment.today
        let (month, year) = (today.adding(days: 1 - today.components.day), CalendarDay(year: 2026, month: 1, day: 1))
        let cancelled = try store.subscriptions.list(limit: 3, at: moment).map(\.id)
        let (subscriptions, ledger, totals) = (store.subscriptions, store.ledger, store.totals)
        let calls: [(String, () throws -> Void)] = [
            ("list", { _ = try subscriptions.list(at: self.moment) }),
            ("list_page", { _ = try subscriptions.list(limit: 50, at: self.moment) }),
            ("total", { _ = try totals.costs(at: self.moment) }),
            ("upcoming", { _ = try ledger.occurrences(from: today, through: today.adding(days: 7), at: self.moment) }),
            ("pending", { _ = try ledger.pending(at: self.moment) }),
            ("missed", { _ = try ledger.missed(at: self.moment) }),
            ("score", { _ = try ledger.score(at: self.moment) }),
            ("widget", { _ = try ledger.widget(.large, at: self.moment) }),
            ("forecast", { _ = try totals.forecast(at: self.moment) }),
            ("remind", { _ = try store.reminders.due(at: self.moment) }),
            ("month", { try self.state(totals, from: month, months: 1) }),
            ("year", { try self.state(totals, from: year ?? month, months: 12) }),
            ("changes", { _ = try totals.changes(since: today.adding(days: -30), at: self.moment) }),
            ("spending", { _ = try totals.spending(at: self.moment) }),
            ("spending_by_category", { _ = try totals.spending(by: .category, at: self.moment) }),
            ("spending_by_month", { _ = try totals.spending(by: .month, at: self.moment) }),
            ("spending_by_subscription", { _ = try totals.spending(by: .subscription, at: self.moment) }),
            ("home_annual", { _ = try store.rates.annualCost(at: self.moment) }),
            ("home_year", { try self.convertYear(store) }),
            ("balances", { _ = try store.sharing.balances(at: self.moment) }),
            ("what_if", { _ = try totals.effect(ofCancelling: cancelled, at: self.moment) }),
        ]
        return Dictionary(
            uniqueKeysWithValues: try calls.map { name, call in (name, try timed { _ in try call() }) })
    }

    private func state(_ totals: DeviceStore.Totals, from first: CalendarDay, months: Int) throws {
        _ = try totals.statement(from: first, through: first.adding(months: months).adding(days: -1), at: moment)
    }

    /// What the last twelve months cost, in the home currency.
    private func convertYear(_ store: DeviceStore) throws {
        let first = moment.today.adding(months: -12)
        let sum = try store.rates.spent(from: first, through: moment.today, at: moment)
        guard let sum, sum.amount.minorUnits > 0, sum.unconverted.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
        }
    }

    func writes() throws -> [String: [Double]] {
        let store = try open()
        defer { try? store.close() }
        let draft: SubscriptionDraft = [
            .name: "Nouveau", .amount: "13.49", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-12-05",
        ]
        let pending = try store.ledger.pending(at: moment)
        let first = try store.subscriptions.list(limit: 1, at: moment)[0].id
        return [
            "add": try timed { _ in try store.subscriptions.add(draft, at: moment) },
            "edit": try timed { try store.subscriptions.edit(first, [.notes: "Note \($0)"], at: moment) },
            "acknowledge": try timed { try store.ledger.confirm(pending[$0].id, at: moment) },
        ]
    }

    /// Opening, a first query and closing are timed separately; only opening is reported.
    func opens() throws -> [Double] {
        try timed(calls) { _ in
            let store = try open()
            _ = try store.premium.entitlement()
        }
    }

    /// A widget of a program that has just started: opening included.
    func widgets() throws -> [Double] {
        try timed(calls) { _ in
            let store = try open()
            _ = try store.ledger.widget(.large, at: moment)
        }
    }

    /// An import of as many rows as there are subscriptions into an empty store, taken back and made again.
    func imports(_ rows: Int, folder: String) throws -> [String: [Double]] {
        let store = try DeviceStore(path: folder + "/import.sqlite", now: moment.now, entitlement: .premium(until: nil))
        defer { try? store.close() }
        let file = Array("[\((0..<rows).map { row($0, history: 1) }.joined(separator: ",\n"))]".utf8)
        return [
            "import": try timed(1) { _ in
                _ = try store.portability.importFile(file, ImportOptions(format: .json), at: moment)
            },
            "undo_import": try timed(1) { _ in try store.journal.undo(at: moment) },
            "redo_import": try timed(1) { _ in try store.journal.redo(at: moment) },
        ]
    }

    /// The first call of a new day, which updates the derived tables.
    func nextDays() throws -> [Double] {
        let store = try open()
        defer { try? store.close() }
        return try timed(5) { index in
            let next = Moment(now: moment.now.adding(days: index + 1), zone: moment.time.zone)
            _ = try store.ledger.score(at: next)
        }
    }
}
