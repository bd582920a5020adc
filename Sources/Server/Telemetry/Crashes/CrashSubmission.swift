/// The contents of one request, scrubbed and ready to be stored.
package struct CrashSubmission: Sendable {
    package var reports: [CrashReport] = []
    package var updates: [SessionUpdate] = []
    package var counts: [SessionCount] = []
    /// Added to ``CrashCounters`` whether or not the rest is stored.
    package var tally = CrashTally()

    package init() {}

    /// The number of reports, sessions and session counts.
    package var itemCount: Int { reports.count + updates.count + counts.count }

    package var isEmpty: Bool { reports.isEmpty && updates.isEmpty && counts.isEmpty }
}
