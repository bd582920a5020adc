package import SubGuardClient
package import SubGuardDomain
package import SubGuardEngine

extension DisplayLanguage {
    /// The phrases that are not nil, separated by commas.
    package func list(_ phrases: [Sentence?]) -> String {
        phrases.compactMap { $0?.text(self) }.joined(separator: ", ")
    }
}

extension SyncReport.Part {
    /// False for rates without a home currency and for a catalogue without logos: there is nothing to say.
    package var hasNews: Bool { reason != "no_home_currency" && reason != "no_logos" }

    /// One line: what happened, then the counts that are not 0.
    package func summary(_ language: DisplayLanguage) -> String {
        let phrases = [outcome(language)] + countPhrases
        return phrases.contains { $0 != nil } ? language.list(phrases) : Sentence("done").text(language)
    }

    private func outcome(_ language: DisplayLanguage) -> Sentence? {
        switch (result, reason) {
        case (.failed, _):
            let reason = error.map { language.sentence("\($0)") }
            return reason == nil ? "failed" : "failed: \(reason ?? "")"
        case (_, "fresh"): return "up to date"
        case (_, "unchanged"): return "no changes"
        case (_, "whole"): return "downloaded"
        case (_, "changes"): return "updated"
        case (_, "empty"): return name == .erasure ? "nothing to erase" : "nothing to send"
        case (_, "consent_revoked"): return "not sent: consent revoked"
        case (_, "consent_undecided"): return "not sent: no consent yet"
        case (_, "not_offered"): return "not offered by the server"
        case (_, "not_signed_in"): return "not signed in"
        case (.done, nil): return nil
        case (_, let reason): return reason.flatMap(PurchaseStatus.init(rawValue:))?.phrase
        }
    }

    private var countPhrases: [Sentence?] {
        let whole = reason == "whole"
        return counts.filter { $0.value > 0 || $0.name == "items" }.map { count -> Sentence? in
            let number = count.value
            return switch count.name {
            case "items": "\(number) item|\(number) items"
            case "changed": whole ? nil : "\(number) changed|\(number) changed"
            case "all": "\(number) logo|\(number) logos"
            case "fetched": "\(number) fetched|\(number) fetched"
            case "skipped": "\(number) skipped|\(number) skipped"
            case "deleted": "\(number) deleted|\(number) deleted"
            case "accepted":
                name == .suggestions
                    ? "\(number) suggestion accepted|\(number) suggestions accepted"
                    : "\(number) event accepted|\(number) events accepted"
            case "duplicates": "\(number) duplicate|\(number) duplicates"
            case "sessions": "\(number) session reported|\(number) sessions reported"
            case "crashes": "\(number) crash reported|\(number) crashes reported"
            case "dropped": "\(number) dropped|\(number) dropped"
            case "refused": "\(number) refused|\(number) refused"
            case "rejected": "\(number) rejected|\(number) rejected"
            case "waiting": "\(number) waiting"
            case "erased": "\(number) id erased|\(number) ids erased"
            default: nil
            }
        }
    }
}

extension SyncReport {
    /// Why parts failed, each reason once.
    package func failures(_ language: DisplayLanguage) -> [String] {
        var reasons: [String] = []
        for part in parts where part.result == .failed {
            let reason = part.error.map { language.sentence("\($0)") } ?? part.summary(language)
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons
    }
}

extension SyncRecord {
    /// Failures of the last synchronisation, in its order.
    package func failures(_ language: DisplayLanguage) -> [(part: SyncReport.Name, reason: String)] {
        SyncReport.Name.allCases.compactMap { part in
            failures[part.rawValue].map { note in
                (part, ClientError(note: note).map { language.sentence("\($0)") } ?? note)
            }
        }
    }
}

/// What is queued for the server, in words.
package enum QueueWording {
    package static func text(_ counts: SuggestionQueueCounts) -> [Sentence?] {
        [
            "\(counts.waiting) waiting",
            counts.refused > 0 ? "\(counts.refused) refused|\(counts.refused) refused" : nil,
        ]
    }

    package static func text(_ counts: EventQueueCounts) -> [Sentence?] {
        [
            "\(counts.waiting) waiting",
            counts.dropped > 0 ? "\(counts.dropped) dropped|\(counts.dropped) dropped" : nil,
            counts.rejected > 0 ? "\(counts.rejected) rejected|\(counts.rejected) rejected" : nil,
        ]
    }

    package static func text(_ counts: SignalCounts) -> [Sentence?] {
        [
            "\(counts.sessions) waiting",
            counts.crashes > 0 ? "\(counts.crashes) crash waiting|\(counts.crashes) crashes waiting" : nil,
        ]
    }

    package static func text(_ consent: AnalyticsConsent, erasures: Int) -> [Sentence?] {
        [consent.phrase, erasures > 0 ? "\(erasures) erasure pending|\(erasures) erasures pending" : nil]
    }
}
