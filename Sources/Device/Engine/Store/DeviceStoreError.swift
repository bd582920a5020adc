public import Foundation
import SQLDatabase
public import SubGuardDomain

/// An error of the engine. The failed operation changed nothing.
public enum DeviceStoreError: Error, Sendable, Equatable {
    /// The kind of what was looked for.
    public enum Entity: String, Sendable {
        /// A subscription.
        case subscription
        /// A charge of a subscription; its id is `OccurrenceID.wire`.
        case occurrence
        /// A person.
        case person
        /// A group of people.
        case group
        /// An expense of a group.
        case expense
        /// A single payment or income.
        case transaction
        /// A spending limit.
        case budget
        /// A repayment between two people.
        case repayment
        /// The file of a receipt.
        case receipt
    }

    /// There is no such thing, or it was deleted.
    case notFound(Entity, id: String)
    /// An id prefix that matches several ids.
    case ambiguous(Entity, id: String, candidates: [Candidate])
    /// A field breaks a rule; the fault names it.
    case invalid(Fault)
    /// Several fields of one input, at least two, each with its first fault.
    case invalidFields([Fault])
    /// The free version does not have this: show the paywall.
    case premiumRequired(PremiumGate.Feature)
    /// The id already exists.
    case duplicate(Entity, id: String)
    /// An import file with invalid rows, and how many more than those there are.
    case refusedRows([RefusedRow], further: Int = 0)
    /// What is wrong with one of several files; its name.
    indirect case inFile(String, DeviceStoreError)
    /// The file is not a backup, or is damaged; the reason is a short phrase.
    case damagedBackup(String)
    /// The backup is sealed with another passphrase, or damaged.
    case wrongPassphrase
    /// The backup is sealed.
    case passphraseRequired
    /// A passphrase was given for a backup that is not sealed, so anyone may have made it.
    case unsealedBackup
    /// The database, backup or file was written by a newer version.
    case tooNew(String)
    /// The database has no byte, although backups of it exist; the newest one is named.
    case emptiedDatabase(String, newestBackup: String)
    /// The file is a database of another program; nothing was written to it.
    case foreignDatabase
    /// The file is damaged, or no database of SubGuard. Restore a backup.
    case damagedDatabase
    /// A build before 0.1.0 made the database.
    case earlierBuild
    /// Nothing in the journal can be taken back.
    case nothingToUndo
    /// Nothing was taken back since the last change.
    case nothingToRedo
    /// Cancelled by the caller.
    case cancelled
    /// The file system or SQLite failed; a short phrase that names the file.
    case storage(String)
    /// A file that the caller named does not exist or cannot be read or written; a short phrase that names it.
    case file(String)

    /// One match of an ambiguous id prefix.
    public struct Candidate: Sendable, Hashable {
        /// The id that begins with the prefix, or has the name.
        public var id: UUID
        /// The name or title of what has this id.
        public var name: String

        /// Takes the fields as they are; nothing is checked.
        public init(id: UUID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// An invalid row of an import.
    public struct RefusedRow: Error, Sendable, Hashable {
        /// The line of the file, or the number of the element, starting at 1.
        public var row: Int
        /// The first faulty field of the row, and what is wrong with it.
        public var fault: Fault
        /// Further faulty fields of the row.
        public var others: [Fault]
        /// The name of the file, where there are several; else empty.
        public var file = ""
        /// What the file has for faulty fields, by pointer, cut and without control characters; not every one is known.
        public var values: [String: String] = [:]

        package init(row: Int, fault: Fault, others: [Fault] = []) {
            self.row = row
            self.fault = fault
            self.others = others
        }

        /// All faulty fields, at least one.
        public var faults: [Fault] { [fault] + others }

        /// Adds what the row has for its faulty fields.
        func showing(_ draft: SubscriptionDraft) -> RefusedRow {
            var row = self
            for fault in faults {
                guard let field = SubscriptionField(rawValue: fault.pointer), let text = draft[field] else { continue }
                row.values[fault.pointer] = RefusedBooking.shown(text)
            }
            return row
        }
    }
}

extension DeviceStoreError {
    /// The fields that must be corrected; empty for what concerns no field.
    public var faults: [Fault] {
        switch self {
        case .invalid(let fault): [fault]
        case .invalidFields(let faults): faults
        case .inFile(_, let error): error.faults
        default: []
        }
    }

    /// The error for the faults of one input; nil without any.
    public static func of(_ faults: FaultList) -> DeviceStoreError? {
        let all = Array(faults)
        return all.count > 1 ? .invalidFields(all) : all.first.map { .invalid($0) }
    }
}

extension DeviceStoreError: CustomStringConvertible {
    private static let waysToPremium =
        "premium is bought in the App Store, or given by the operator of your server: run subguard sync"

    private static func refusal(of count: Int) -> String {
        "\(count) \(count == 1 ? "row" : "rows") cannot be imported; nothing was imported"
    }

    /// English text for logs, such as `name: Must not be empty.`; may have several lines.
    public var description: String {
        switch self {
        case .notFound(let entity, let id): "no such \(entity.rawValue): \(id)"
        case .ambiguous(_, let id, let candidates):
            ([
                id.allSatisfy { $0.isHexDigit || $0 == "-" }
                    ? "ambiguous id \(id): give more characters"
                    : "\(id) is ambiguous: use a longer name or one of these ids"
            ] + candidates.map { "  \($0.id.lowercased)  \($0.name)" })
            .joined(separator: "\n")
        case .invalid(let fault): (fault.pointer.isEmpty ? "" : "\(fault.pointer): ") + fault.detail
        case .invalidFields(let faults): faults.map { "\($0.pointer): \($0.detail)" }.joined(separator: "\n")
        case .premiumRequired(.unlimitedSubscriptions):
            "the free version is limited to \(PremiumGate.freeSubscriptions) subscriptions; more require premium\n"
                + Self.waysToPremium
        case .premiumRequired(.customCategories): "category: custom categories require premium\n" + Self.waysToPremium
        case .premiumRequired(.export):
            "this export requires premium; JSON export and backup are free\n" + Self.waysToPremium
        case .duplicate(let entity, let id): "\(entity.rawValue) \(id) already exists"
        case .refusedRows(let rows, let further):
            ([Self.refusal(of: rows.count + further)]
                + rows.flatMap { row in
                    let place = (row.file.isEmpty ? "" : "\(row.file), ") + "row \(row.row)"
                    return row.faults.map { "  \(place): \($0.pointer): \($0.detail)" }
                }).joined(
                    separator: "\n")
        case .inFile(let name, let error): "\(name): \(error)"
        case .damagedBackup(let reason): "invalid backup: \(reason)"
        case .wrongPassphrase: "wrong passphrase"
        case .passphraseRequired: "an encrypted backup requires a passphrase"
        case .unsealedBackup: "the backup is not sealed, although a passphrase is given; nothing was changed"
        case .tooNew(let what): "\(what) was written by a newer version of SubGuard"
        case .emptiedDatabase(let path, let backup):
            "\(path) is empty, although there are backups; nothing was changed. To bring back the newest: "
                + "subguard restore \(backup)"
        case .foreignDatabase: "database error: it is a database of another program; nothing was written"
        case .damagedDatabase:
            "database error: the file is damaged or no SubGuard database; restore a backup or choose another file"
        case .earlierBuild:
            "the database was made by a build before 0.1.0; nothing was changed. Make a backup with that build, move "
                + "the database away and restore the backup with this one"
        case .nothingToUndo: "nothing to undo"
        case .nothingToRedo: "nothing to redo"
        case .cancelled: "cancelled; nothing was changed"
        // Names of files may hold anything.
        case .storage(let what), .file(let what): RefusedBooking.shownPath(what)
        }
    }
}

extension SQLError {
    /// What happened and what to do, for the causes that people can mend.
    fileprivate static let reasons: [Code: String] = [
        .busy: "another program keeps it locked; try again", .diskFull: "the disk is full",
        .cannotOpen: "it cannot be opened; check the path and its permissions",
    ]

    var reason: String { Self.reasons[code] ?? "\(code.rawValue) (\(context))" }
}

extension DeviceStoreError {
    /// The error for the user; fields have their names in the language. One line for each of several faults.
    public func displayText(_ language: DisplayLanguage) -> String {
        switch self {
        case .invalid(let fault): return fault.displayText(language)
        case .invalidFields(let faults): return faults.map { $0.displayText(language) }.joined(separator: "\n")
        case .premiumRequired(.customCategories):
            // The lines after the first say how premium is got.
            let ways = description.split(separator: "\n").dropFirst().map { language.sentence(String($0)) }
            let what = language.sentence("custom categories require premium")
            return ([FieldWords.name("category", language) + language.colon + what] + ways).joined(separator: "\n")
        case .refusedRows(let rows, _):
            let head = description.split(separator: "\n").first.map { language.sentence(String($0)) } ?? ""
            return ([head] + rows.flatMap { $0.displayLines(language) }).joined(separator: "\n")
        case .inFile(let name, let error):
            return RefusedBooking.shownPath(name) + language.colon + error.displayText(language)
        default: return language.lines(description)
        }
    }
}

extension DeviceStoreError.RefusedRow {
    /// The faults of the row, a line each.
    package func displayLines(_ language: DisplayLanguage) -> [String] {
        faults.map { fault in
            let said = fault.displayText(language)
            let (number, file) = ("\(row)", RefusedBooking.shownPath(file))
            return file.isEmpty
                ? Sentence("  row \(number): \(said)").text(language)
                : Sentence("  \(file), row \(number): \(said)").text(language)
        }
    }
}
