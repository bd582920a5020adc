public import Foundation

/// A picture or PDF that belongs to a group expense or a transaction. Its bytes are read on their own.
public struct Receipt: Sendable, Hashable, Identifiable {
    /// What a receipt belongs to, and goes with.
    public enum Owner: Sendable, Hashable {
        /// A group expense, by its id.
        case expense(UUID)
        /// A transaction, by its id.
        case transaction(UUID)

        /// The id of the expense or transaction.
        public var id: UUID {
            switch self {
            case .expense(let id), .transaction(let id): id
            }
        }
    }

    /// What a receipt may be, by the first bytes of the file; never by its name.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A JPEG picture; the raw value is its media type.
        case jpeg = "image/jpeg"
        /// A PNG picture; the raw value is its media type.
        case png = "image/png"
        /// A WebP picture; the raw value is its media type.
        case webp = "image/webp"
        /// A PDF document; the raw value is its media type.
        case pdf = "application/pdf"

        /// Nil for anything else, such as HTML or SVG, which could run scripts where it is opened.
        public init?(_ bytes: [UInt8]) {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
                self = .webp
            } else if bytes.starts(with: Array("%PDF-".utf8)) {
                self = .pdf
            } else {
                return nil
            }
        }
    }

    /// In bytes: 2 MiB, which a photograph of a receipt needs at most.
    public static let maximumBytes = 2 * 1024 * 1024
    /// Of one expense or transaction.
    public static let maximumPerOwner = 10
    /// Of all receipts together, in bytes: 64 MiB. They are in every backup.
    public static let maximumTotal = 64 * 1024 * 1024

    /// Made when the file is added.
    public var id: UUID
    /// The expense or transaction that it belongs to.
    public var owner: Owner
    /// The name of the file, without folders; 1…200 characters.
    public var name: String
    /// What the file is, by its first bytes.
    public var kind: Kind
    /// The length of the file.
    public var byteCount: Int
    /// When the file was added.
    public var createdAt: UTCInstant

    /// Takes the fields as they are; ``name(_:)`` and ``kind(of:)`` check a file.
    public init(id: UUID, owner: Owner, name: String, kind: Kind, byteCount: Int, createdAt: UTCInstant) {
        self.id = id
        self.owner = owner
        self.name = name
        self.kind = kind
        self.byteCount = byteCount
        self.createdAt = createdAt
    }

    /// A checked file name: the last part of a path.
    public static func name(_ text: String) throws(Fault) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        return try FieldRules.name(last, field: "name")
    }

    /// The kind of a file that may be kept. Throws a fault of `file`.
    public static func kind(of bytes: [UInt8]) throws(Fault) -> Kind {
        guard bytes.count <= maximumBytes else {
            throw Fault("file", .outOfRange, "Must have at most \(maximumBytes / 1024 / 1024) MiB.")
        }
        guard let kind = Kind(bytes) else {
            throw Fault("file", .invalidFormat, "Must be a JPEG, PNG, WebP or PDF file.")
        }
        return kind
    }
}
