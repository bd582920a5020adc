public import Foundation

/// A picture or PDF that belongs to a group expense or a transaction. Its bytes are read on their own.
public struct Receipt: Sendable, Hashable, Identifiable {
    /// What a receipt belongs to, and goes with.
    public enum Owner: Sendable, Hashable {
        case expense(UUID)
        case transaction(UUID)

        public var id: UUID {
            switch self {
            case .expense(let id), .transaction(let id): id
            }
        }
    }

    /// What a receipt may be, by the first bytes of the file; never by its name.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case jpeg = "image/jpeg"
        case png = "image/png"
        case webp = "image/webp"
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

    public var id: UUID
    public var owner: Owner
    /// The name of the file, without folders; 1…200 characters.
    public var name: String
    public var kind: Kind
    /// The length of the file.
    public var byteCount: Int
    public var createdAt: UTCInstant

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
