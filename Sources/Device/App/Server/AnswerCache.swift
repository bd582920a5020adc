import Locking
import SubGuardDomain

/// What pages have read from the database, until something changes or the day ends. A page is read far more often than
/// its data changes: by every window, after each change of tab, and in each language.
///
/// Answers to a few questions are kept, those asked last. Safe to use from several threads.
final class AnswerCache: Sendable {
    private struct Entry {
        let question: String
        let revision: Int64
        let today: CalendarDay
        let answer: any Sendable
    }

    private static let capacity = 12
    private let entries = Guarded<[Entry]>([])

    /// The kept answer, or the one that `read` gives now.
    ///
    /// - Parameters:
    ///   - question: names what is asked, with all that the answer depends on beside the database and the day.
    ///   - revision: that of the database before anything is read.
    func answer<Answer: Sendable>(
        _ question: String, at revision: Int64, _ today: CalendarDay, _ read: () throws -> Answer
    ) rethrows -> Answer {
        let kept = entries.withLock { entries -> (any Sendable)? in
            guard let place = entries.firstIndex(where: { $0.question == question }) else { return nil }
            let entry = entries.remove(at: place)
            guard entry.revision == revision, entry.today == today else { return nil }
            entries.append(entry)
            return entry.answer
        }
        // Unwrapped first: nothing at all would pass for an answer that may be nil.
        if let kept, let answer = kept as? Answer { return answer }
        let answer = try read()
        entries.withLock { entries in
            entries.removeAll { $0.question == question }
            entries.append(Entry(question: question, revision: revision, today: today, answer: answer))
            if entries.count > Self.capacity { entries.removeFirst() }
        }
        return answer
    }
}
