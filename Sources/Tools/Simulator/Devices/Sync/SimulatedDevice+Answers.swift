import JSONWire
import SubGuardContract

extension SimulatedDevice {
    /// The evaluation of a response.
    package enum Verdict {
        case good
        /// Usable, but with a wrong content, which is described.
        case wrong(String)
        /// Unusable; ``SimulatedDevice/fail(status:retryAfter:)`` must be called next.
        case unusable
        /// The batch was accepted, and these events are settled.
        case settled([DeviceEvents.Event], EventCounts)
        /// The batch was accepted, but the counts are wrong.
        case miscounted([DeviceEvents.Event], EventCounts, String)
        /// The suggestions were accepted.
        case suggested(Int)
    }

    /// Processes a response that the device can use, see ``DeviceCall/isGood(_:)``.
    package mutating func take(
        _ answer: Answer, to request: DeviceRequest, _ reader: inout CatalogueReader
    ) -> Verdict {
        switch request.call {
        case .whole, .revalidation, .delta: takeCatalogue(answer, request, &reader)
        case .suggestions: takeSuggestions(answer)
        case .analytics: takeAnalytics(answer)
        }
    }

    /// Evaluates the response to a batch that the device will not process. Its counts are checked nevertheless;
    /// ``SimulatedDevice/fail(status:retryAfter:)`` must be called next.
    package mutating func loseAnswer(_ answer: Answer) -> Verdict {
        guard let said = EventCounts(answer.body) else { return .unusable }
        let batch = Array(events.waiting.prefix(batchCount))
        events.mark(first: batchCount, .known)
        return Self.verdict(on: said, settling: [], of: batch)
    }

    private mutating func takeCatalogue(
        _ answer: Answer, _ request: DeviceRequest, _ reader: inout CatalogueReader
    ) -> Verdict {
        guard let visit, case .catalogue(let isWhole, var pages, let cursor) = stage else { return .unusable }
        if answer.status == 304 {
            catalogue?.checkedAt = visit.at
            succeed(.acts)
            return .good
        }
        // The token is too old or from another database: start over.
        if answer.status == 410 || answer.status == 422 {
            succeed(.catalogue(isWhole: true, pages: [], cursor: nil))
            return .good
        }
        let page: ReceivedPage
        do {
            page = try reader.read(answer.body, isCompressed: answer.isCompressed, path: request.path)
        } catch { return .unusable }
        pages.append(page)
        if let next = page.nextCursor {
            guard next != cursor, !Self.isTooLong(pages) else { return .unusable }
            succeed(.catalogue(isWhole: isWhole, pages: pages, cursor: next))
            return .good
        }
        guard let token = page.syncToken else { return .unusable }
        if !isWhole, let copy = catalogue {
            catalogue = copy.applying(
                pages, token: token, entityTag: pages.count == 1 ? answer.entityTag : nil, at: visit.at)
        } else {
            catalogue = DeviceCatalogue(pages: pages, token: token, at: visit.at)
        }
        succeed(.acts)
        return .good
    }

    private mutating func takeSuggestions(_ answer: Answer) -> Verdict {
        let count = min(names.count, SuggestionQueue.batchSize.upperBound)
        guard let object = (try? JSONValue.parse(answer.body))?.objectValue,
            let said = try? SuggestionReceipt(object, unknown: .ignored)
        else { return .unusable }
        names.removeFirst(count)
        succeed(.suggestions)
        guard said.accepted >= 0, said.duplicates >= 0, said.accepted + said.duplicates == count else {
            return .wrong("\(count) suggestions were answered accepted \(said.accepted), duplicates \(said.duplicates)")
        }
        return .suggested(count)
    }

    private mutating func takeAnalytics(_ answer: Answer) -> Verdict {
        guard let said = EventCounts(answer.body) else { return .unusable }
        let settled = events.settle(first: batchCount)
        succeed(.analytics)
        return Self.verdict(on: said, settling: settled, of: settled)
    }

    /// Aborted batches may have arrived or not; the outcome of all others is certain.
    private static func verdict(
        on said: EventCounts, settling settled: [DeviceEvents.Event], of batch: [DeviceEvents.Event]
    ) -> Verdict {
        let new = batch.count { $0.standing == .new }
        let unclear = batch.count { $0.standing == .unclear }
        if said.total == batch.count, said.rejected == 0, (new...new + unclear).contains(said.accepted) {
            return .settled(settled, said)
        }
        return .miscounted(
            settled, said,
            "a batch of \(new) new, \(unclear) unclear and \(batch.count - new - unclear) known events was answered "
                + "accepted \(said.accepted), duplicates \(said.duplicates), rejected \(said.rejected)")
    }
}
