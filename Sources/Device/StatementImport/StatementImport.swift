public import Foundation
public import SubGuardDomain
import SubGuardEngine
public import SubGuardStatements

/// A file with a bank statement.
public struct StatementFile: Sendable {
    /// Shown in reports; the path or file name.
    public var name: String
    /// The content of the file, at most `Statement.maximumBytes`.
    public var bytes: [UInt8]

    /// Takes the fields as they are; nothing is checked.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Which proposals become subscriptions. Those that probably are one already (``StatementCorrection``) only when they
/// are chosen by id.
public enum StatementAcceptance: Sendable, Hashable {
    /// None: only stored subscriptions are changed.
    case none
    /// Those whose confidence is `sure`.
    case sure
    /// All, however uncertain they are.
    case all
    /// By id; a proposal that is not there is refused.
    case chosen(Set<String>)

    func accepts(_ proposal: StatementProposal) -> Bool {
        switch self {
        case .none: false
        case .sure: proposal.confidence == .sure
        case .all: true
        case .chosen(let ids): ids.contains(proposal.id)
        }
    }

    /// Whether it is chosen by its id.
    func names(_ proposal: StatementProposal) -> Bool {
        if case .chosen = self { accepts(proposal) } else { false }
    }
}

/// Which charges, new prices and corrections of stored subscriptions are taken from statements, by the ids of
/// `StatementReconciliation.Confirmation`, `StatementReconciliation.PriceChange` and ``StatementCorrection``.
public enum StatementMatches: Sendable, Hashable {
    /// All, but of the corrections only those that are probable.
    case all
    /// Those with these ids and no others.
    case only(Set<String>)
    /// All others than those with these ids, also corrections that are not probable.
    case allBut(Set<String>)

    func accepts(_ id: String) -> Bool {
        switch self {
        case .all: true
        case .only(let ids): ids.contains(id)
        case .allBut(let ids): !ids.contains(id)
        }
    }

    /// All means the probable ones; others must be named.
    func accepts(_ correction: StatementCorrection) -> Bool {
        accepts(correction.id) && (self != .all || correction.isProbable)
    }
}

/// Options of an import of bank statements.
public struct StatementImportOptions: Sendable {
    /// How the files are read; `usualCurrency` defaults to that of `DeviceStore.Subscriptions.usualCurrency()`.
    public var reading = StatementOptions()
    /// Which proposals become subscriptions; none by default.
    public var acceptance = StatementAcceptance.none
    /// Charges and prices that are not accepted change nothing. An id that is not there is ignored: the charge may have
    /// been confirmed since.
    public var matches = StatementMatches.all
    /// Skips invalid rows instead of refusing the files.
    public var skipsBadRows = false
    /// Checks and reports without changing anything.
    public var isDryRun = false
    /// Charges before today of all subscriptions that are added or corrected.
    package var mostCharges = PastCharges.most

    /// Adds no proposal, takes all matches, and refuses files with invalid rows.
    public init() {}
}

/// The result of an import of bank statements or of a dry run.
public struct StatementImportReport: Sendable {
    /// A file as it was read; its bookings are dropped.
    public struct File: Sendable {
        /// The name that was given with the file.
        public var name: String
        /// The format, told from the content.
        public var format: StatementFormat
        /// The encoding of the text, given or detected; `utf8` for XLSX.
        public var encoding: StatementEncoding
        /// Nil for other formats than CSV and XLSX.
        public var layout: StatementLayout?
        /// What was left out or does not add up, for the user to read.
        public var notes: [Sentence]
        /// The order of day, month and year; nil when the dates need none.
        public var dates: StatementDateReading?
        /// Whether no amount proves the decimal mark. Proposals are at most likely then.
        public var isDecimalMarkAssumed: Bool
        /// Number of entries.
        public var rows: Int
    }

    /// A row of one of the files that was skipped.
    public struct RefusedRow: Sendable {
        /// The name of the file.
        public var file: String
        /// The line or entry of the file, counted from 1.
        public var row: Int
        /// What is wrong with the row.
        public var fault: Fault
        /// The name of the column; empty when the whole row is wrong.
        public var column: String
        /// The unreadable text, cut and without control characters; empty for a whole row.
        public var value: String
    }

    /// The files in the order in which they were given.
    public var files: [File] = []
    /// Every proposal, accepted or not; surest first.
    public var proposals: [StatementProposal] = []
    /// The subscriptions made of accepted proposals, by the proposal's id.
    public var accepted: [String: UUID] = [:]
    /// The accepted ones; in a dry run, those that would be.
    public var confirmed: [StatementReconciliation.Confirmation] = []
    /// The accepted ones.
    public var priceChanges: [StatementReconciliation.PriceChange] = []
    /// Proposals that probably are stored subscriptions, accepted or not; by name.
    public var corrections: [StatementCorrection] = []
    /// The ids of the accepted ones; in a dry run, of those that would be.
    public var corrected: Set<String> = []
    /// Charges of another amount than the price that change no price, as they may be a fee.
    public var otherAmounts: [StatementReconciliation.OtherAmount] = []
    /// What came back, of stored subscriptions and of proposals, but of doubled charges; by day.
    public var refunds: [StatementRefund] = []
    /// How many charges are those of stored subscriptions, also such as were confirmed before.
    public var recognised = 0
    /// The names of these subscriptions, in order.
    public var recognisedNames: [String] = []
    /// How many entries are of no subscription, stored or proposed. Entries that several files have count once.
    public var otherEntries = 0
    /// Charges of cancelled or ended subscriptions, by day and then by name; the ledger does not get them.
    public var chargedAfterCancelling: [StatementReconciliation.ChargeAfterCancelling] = []
    /// Doubled charges of stored subscriptions and of proposals.
    public var chargedTwice: [StatementReconciliation.ChargeTwice] = []
    /// Regular payments that are not proposed because of what they are: names of others are among them.
    public var excluded: [StatementExclusion] = []
    /// The first ones of each file.
    public var refused: [RefusedRow] = []
    /// How many rows were skipped.
    public var refusedCount = 0
    /// Whether it was a dry run, which stored nothing.
    public var isDryRun = false

    /// How many of ``confirmed`` were charged; the others came back.
    public var charged: Int { confirmed.count { !$0.charge.isRefunded } }
    /// Whether the files have no charge of any subscription.
    public var hasNothingRecurring: Bool { proposals.isEmpty && recognised == 0 && refunds.isEmpty }
    /// Whether the files have only what is stored already.
    public var hasNothingNew: Bool {
        proposals.isEmpty && confirmed.isEmpty && priceChanges.isEmpty && otherAmounts.isEmpty && refunds.isEmpty
            && chargedAfterCancelling.isEmpty && chargedTwice.isEmpty
    }
}
