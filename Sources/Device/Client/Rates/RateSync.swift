import SubGuardContract
import SubGuardDomain
import SubGuardEngine

/// Takes the server's reference rates along, for sums in the home currency.
struct RateSync {
    let store: DeviceStore
    let server: ServerConnection

    /// Whole years before the current one: the same for everybody, so that the request says nothing about the user.
    private static let firstYears = 10
    /// Days asked for again, for those that were corrected or came late.
    private static let overlapDays = 7
    private static let maximumPageBytes = 4 << 20
    /// More than any source has in the time asked for; stops with a server that never ends.
    private static let maximumPages = 60

    enum Outcome {
        /// There is no home currency, so no rates are needed.
        case unneeded
        case fresh
        /// The server has none.
        case notOffered
        case unchanged
        case updated(changed: Int)
    }

    /// - Parameter force: asks even if the rates are up to date.
    func run(force: Bool, at moment: Moment) async throws -> Outcome {
        guard try store.settings.value(.homeCurrency) != nil else { return .unneeded }
        let copy = try store.rates.copy().flatMap { $0.server == server.address.text ? $0 : nil }
        if !force, let copy, copy.isUpToDate(at: moment.now) { return .fresh }
        let since = try since(copy, today: moment.today)
        var check = RateCopy(server: server.address.text, checkedAt: moment.now, since: since, entityTag: nil)
        var call = call(since: since)
        if copy?.since == since { call.ifNoneMatch = copy?.entityTag }
        guard let answer = try await offered(call) else {
            check.since = nil
            _ = try store.rates.take([], check, at: moment)
            return .notOffered
        }
        if answer.status == 304 {
            check.entityTag = copy?.entityTag
            _ = try store.rates.take([], check, at: moment)
            return .unchanged
        }
        let (rates, isOnePage) = try await pages(since: since, first: answer)
        check.entityTag = isOnePage ? answer.fields["etag"] : nil
        if rates.isEmpty, copy?.since == nil { check.since = nil }
        let changed = try store.rates.take(rates, check, at: moment)
        if rates.isEmpty { return .notOffered }
        return changed == 0 ? .unchanged : .updated(changed: changed)
    }

    /// Nil from an older server, which does not know the call.
    private func offered(_ call: ServerCall) async throws -> TransportAnswer? {
        do {
            return try await server.answer(to: call)
        } catch ClientError.refused(404, _, _) {
            return nil
        }
    }

    /// From the newest day on once everything before it has been downloaded from this server.
    private func since(_ copy: RateCopy?, today: CalendarDay) throws -> CalendarDay {
        let first = CalendarDay(year: max(1, today.year - Self.firstYears), month: 1, day: 1) ?? today
        guard copy?.since != nil, let newest = try store.rates.newestDay() else { return first }
        return max(first, newest.adding(days: -Self.overlapDays))
    }

    private func pages(
        since: CalendarDay, first: TransportAnswer
    ) async throws -> (rates: [DatedRate], isOnePage: Bool) {
        var rates: [DatedRate] = []
        var (day, answer) = (since, first)
        for number in 1...Self.maximumPages {
            let call = call(since: day)
            let object = try ServerConnection.object(answer, call)
            guard let page = try? RatePage(object, unknown: .ignored) else { break }
            rates += page.rates
            guard let next = page.nextSince else { return (rates, number == 1) }
            guard next > day else { break }
            day = next
            answer = try await server.answer(to: self.call(since: day))
        }
        throw ClientError.unreadable(call: APIOperation.rates.template)
    }

    private func call(since: CalendarDay) -> ServerCall {
        var call = ServerCall(.rates)
        call.query = [("since", since.iso)]
        call.maximumAnswerBytes = Self.maximumPageBytes
        return call
    }
}
