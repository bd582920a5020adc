import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// When and how the device last asked its server for reference rates.
public struct RateCopy: Sendable, Hashable {
    /// The address of the server.
    public var server: String
    /// When the server last answered, by the device's clock.
    public var checkedAt: UTCInstant
    /// The first day that was asked for; nil while the server has no rates.
    public var since: CalendarDay?
    /// The ETag of the answer: the same question with it may get "not changed". Nil without one.
    public var entityTag: String?

    /// Takes the fields as they are; nothing is checked.
    public init(server: String, checkedAt: UTCInstant, since: CalendarDay?, entityTag: String?) {
        self.server = server
        self.checkedAt = checkedAt
        self.since = since
        self.entityTag = entityTag
    }

    /// How long rates are up to date, in hours: a server has new ones once a day.
    public static let lifeHours: Int64 = 24

    /// Whether the server need not be asked. False when the clock was set back before the last check.
    public func isUpToDate(at now: UTCInstant) -> Bool {
        (0..<Self.lifeHours * 3_600_000).contains(checkedAt.milliseconds(until: now))
    }
}

extension DeviceStore.Rates {
    private static let serverKey = "rates_server"
    private static let checkedKey = "rates_checked_at"
    private static let sinceKey = "rates_since"
    private static let tagKey = "rates_entity_tag"

    /// The last check; nil before the first.
    public func copy() throws -> RateCopy? {
        try store.read { session in
            let settings = Settings(session)
            guard let server = try settings.value(Self.serverKey),
                let checked = try settings.value(Self.checkedKey).flatMap({ Int64($0) })
            else { return nil }
            return RateCopy(
                server: server, checkedAt: UTCInstant(millisecondsSinceEpoch: checked),
                since: try settings.value(Self.sinceKey).flatMap { CalendarDay(iso: $0) },
                entityTag: try settings.value(Self.tagKey))
        }
    }

    /// The newest day with reference rates of any source; nil without any.
    public func newestDay() throws -> CalendarDay? {
        try store.read { session in
            try session.first("SELECT max(day) FROM reference_rates", []) { row in
                row.isNull(0) ? nil : try row.day(0)
            } ?? nil
        }
    }

    /// Twice the currencies of the European Central Bank, for ten years.
    static let mostRates = 250_000

    /// Stores what a server sent, with the check, in the place of what another server had sent. Returns how many rates
    /// were new or differed from the stored ones.
    ///
    /// Throws ``DeviceStoreError/invalid(_:)`` for rates of the future, of days that were not asked for, and for more
    /// than any source has; and then changes nothing.
    public func take(_ rates: [DatedRate], _ copy: RateCopy, at moment: Moment) throws -> Int {
        guard rates.allSatisfy({ $0.on <= moment.today.adding(days: 1) }) else {
            throw DeviceStoreError.invalid(Fault("rates", .outOfRange, "There are rates of the future."))
        }
        guard rates.count <= Self.mostRates, rates.allSatisfy({ $0.on >= copy.since ?? .earliest }) else {
            throw DeviceStoreError.invalid(Fault("rates", .outOfRange, "There are more rates than were asked for."))
        }
        return try store.write(at: moment) { unit in
            let session = unit.session
            if try Settings(session).value(Self.serverKey) != copy.server {
                try session.execute("DELETE FROM reference_rates WHERE is_of_server = 1", [])
            }
            try Settings.set(copy.server, for: Self.serverKey, in: session)
            try Settings.set("\(copy.checkedAt.millisecondsSinceEpoch)", for: Self.checkedKey, in: session)
            try Settings.set(copy.since?.iso, for: Self.sinceKey, in: session)
            try Settings.set(copy.entityTag, for: Self.tagKey, in: session)
            return try ReferenceRates.save(rates, ofServer: true, in: session)
        }
    }
}

enum ReferenceRates {
    /// Returns how many were written: those that are new, that differ from stored ones of the same source, or that come
    /// from a file where those of a server were. Those of a server never replace those of a file.
    static func save(_ rates: [DatedRate], ofServer: Bool, in session: any SQLTransaction) throws -> Int {
        let sql = """
            INSERT INTO reference_rates (currency, day, rate, is_of_server) VALUES (?, ?, ?, ?) \
            ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate, is_of_server = excluded.is_of_server \
            WHERE is_of_server > excluded.is_of_server \
            OR (rate <> excluded.rate AND is_of_server = excluded.is_of_server)
            """
        return try rates.reduce(0) { sum, rate in
            sum
                + Int(
                    try session.execute(
                        sql,
                        [.text(rate.currency.code), .day(rate.on), .text(rate.rate.decimal), .flag(ofServer)]))
        }
    }
}
