/// What one request brought, scrubbed and ready to be stored.
package struct CrashSubmission: Sendable {
    package var reports: [CrashReport] = []
    package var updates: [SessionUpdate] = []
    package var counts: [SessionCount] = []
    /// Counted by ``CrashCounters`` whatever becomes of the rest.
    package var tally = CrashTally()

    package init() {}

    /// How many reports, sessions and counts it holds.
    package var itemCount: Int { reports.count + updates.count + counts.count }

    package var isEmpty: Bool { reports.isEmpty && updates.isEmpty && counts.isEmpty }
}
