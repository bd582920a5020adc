import JSONWire
import SubGuardContract

extension SimulatedDevice {
    private static let maximumPages = 400

    /// Processes a response with a usable status, see ``ClientRoute``, and counts what it settles. Returns whether its
    /// content is usable; if not, ``SimulatedDevice/fail(status:retryAfter:)`` must be called next.
    mutating func take(
        _ answer: Answer, to request: ClientRequest, _ reader: inout CatalogueReader, _ tally: inout ClientTally
    ) -> Bool {
        switch request.route {
        case .suggestions: takeSuggestions(answer, &tally)
        case .analytics: takeAnalytics(answer, &tally)
        default: takeCatalogue(answer, request, &reader)
        }
    }

    /// Counts the response to a batch that the device will not process. Returns whether it is usable;
    /// ``SimulatedDevice/fail(status:retryAfter:)`` must be called next.
    mutating func loseAnswer(_ answer: Answer, _ tally: inout ClientTally) -> Bool {
        guard let said = EventCounts(answer.body) else { return false }
        let batch = events.waiting.prefix(batchCount)
        events.mark(first: batchCount, .known)
        Self.count(said, for: batch, &tally)
        return true
    }

    private mutating func takeCatalogue(
        _ answer: Answer, _ request: ClientRequest, _ reader: inout CatalogueReader
    ) -> Bool {
        guard let visit, case .catalogue(let isWhole, var pages, let cursor) = stage else { return false }
        switch answer.status {
        case 304:
            catalogue?.checkedAt = visit.at
            succeed(.acts)
            return true
        // The token is too old or from another database: start over.
        case 410, 422:
            succeed(.catalogue(isWhole: true, pages: [], cursor: nil))
            return true
        default: break
        }
        guard let page = try? reader.read(answer.body, isCompressed: answer.isCompressed, path: request.path) else {
            return false
        }
        pages.append(page)
        if let next = page.nextCursor {
            guard next != cursor, pages.count < Self.maximumPages else { return false }
            succeed(.catalogue(isWhole: isWhole, pages: pages, cursor: next))
            return true
        }
        guard let token = page.syncToken else { return false }
        let tag = pages.count == 1 ? answer.entityTag : nil
        let changed = isWhole ? nil : catalogue?.applying(pages, token: token, entityTag: tag, at: visit.at)
        catalogue = changed ?? DeviceCatalogue(pages: pages, token: token, at: visit.at)
        succeed(.acts)
        return true
    }

    private mutating func takeSuggestions(_ answer: Answer, _ tally: inout ClientTally) -> Bool {
        let count = min(names.count, SuggestionQueue.batchSize.upperBound)
        guard let object = (try? JSONValue.parse(answer.body))?.objectValue,
            let said = try? SuggestionReceipt(object, unknown: .ignored)
        else { return false }
        names.removeFirst(count)
        succeed(.suggestions)
        if said.accepted >= 0, said.duplicates >= 0, said.accepted + said.duplicates == count {
            tally[.suggestionsTaken] += count
        } else {
            tally.note("\(count) suggestions were answered accepted \(said.accepted), duplicates \(said.duplicates)")
        }
        return true
    }

    private mutating func takeAnalytics(_ answer: Answer, _ tally: inout ClientTally) -> Bool {
        guard let said = EventCounts(answer.body) else { return false }
        let settled = events.settle(first: batchCount)
        succeed(.analytics)
        Self.count(said, for: settled[...], &tally)
        tally[.settled] += settled.count
        if !isUser, !settled.isEmpty {
            isUser = true
            tally[.users] += 1
        }
        func count(_ name: String) -> Int { settled.count { $0.report.name == name } }
        tally[.subscriptions] += count("subscription_added") - count("subscription_removed")
        tally[.conversions] += count("premium_conversion")
        return true
    }

    /// Aborted batches may have arrived or not; the outcome of all others is certain.
    private static func count(
        _ said: EventCounts, for batch: ArraySlice<DeviceEvents.Event>, _ tally: inout ClientTally
    ) {
        tally[.sent] += batch.count
        tally.reported += said
        let new = batch.count { $0.standing == .new }
        let unclear = batch.count { $0.standing == .unclear }
        guard said.total != batch.count || said.rejected > 0 || !(new...new + unclear).contains(said.accepted) else {
            return
        }
        tally.note(
            "a batch of \(new) new, \(unclear) unclear and \(batch.count - new - unclear) known events was answered "
                + "\(said)")
    }
}
