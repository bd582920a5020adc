public import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The photo of a person, without its bytes.
public struct PersonPhoto: Sendable, Hashable {
    /// In bytes: 16 MiB, of all photos together. They are in every backup.
    public static let maximumTotal = 16 * 1024 * 1024
    /// Exclusive upper limit of a file, in bytes.
    public static let limitBytes = ImageFile.limitBytes
    /// In pixels.
    public static let maximumSide = ImageFile.maximumSide

    /// Such as `image/png`.
    public var mediaType: String
    /// The length of the file.
    public var byteCount: Int
}

extension DeviceStore.Sharing {
    /// The stored photos, by the ids of their people.
    public func photos() throws -> [UUID: PersonPhoto] {
        let sql = "SELECT person_id, kind, size FROM person_photos WHERE content <> ''"
        let photos = try store.read { session in
            try session.query(sql, []) {
                (try $0.uuid(0), PersonPhoto(mediaType: try $0.text(1), byteCount: Int(try $0.integer(2))))
            }
        }
        return Dictionary(photos) { first, _ in first }
    }

    /// The photo of a person, without texts, times, places and what readers do not need; nil for none.
    public func photo(of id: UUID) throws -> (bytes: [UInt8], mediaType: String)? {
        let sql = "SELECT content, kind FROM person_photos WHERE person_id = ? AND content <> ''"
        let row = try store.read { try $0.first(sql, [.uuid(id)]) { (try $0.text(0), try $0.text(1)) } }
        guard let (content, kind) = row else { return nil }
        guard let data = Data(base64Encoded: content) else { throw DeviceStoreError.storage("a photo is damaged") }
        return (Array(data), kind)
    }
}

extension UnitOfWork {
    func save(photo bytes: [UInt8], of person: UUID) throws {
        let image = try Self.image(bytes)
        let others = "SELECT coalesce(sum(size), 0) FROM person_photos WHERE person_id <> ?"
        let total = try session.count(others, [.uuid(person)])
        guard total + image.bytes.count <= PersonPhoto.maximumTotal else {
            throw Fault(
                "photo", .outOfRange,
                "All photos together may have \(PersonPhoto.maximumTotal / 1024 / 1024) MiB.")
        }
        try EntityTables.personPhotos.save(
            [.uuid(person)],
            [
                .text(image.format.mediaType), .count(image.bytes.count),
                .text(Data(image.bytes).base64EncodedString()),
            ], in: self)
    }

    func removePhoto(of person: UUID) throws {
        let key: [SQLValue] = [.uuid(person)]
        guard try EntityTables.personPhotos.row(key, in: session) != nil else { return }
        try EntityTables.personPhotos.save(key, EntityTable.noPhoto, in: self)
    }

    /// Throws a fault when there are more photos than can be added, as with receipts.
    func requireRoomForPhotos() throws {
        let total = try session.count("SELECT coalesce(sum(size), 0) FROM person_photos")
        guard total > PersonPhoto.maximumTotal else { return }
        let (mebibytes, most) = ((total >> 20) + 1, PersonPhoto.maximumTotal >> 20)
        throw Fault(
            "photo", .outOfRange,
            "All photos would have \(mebibytes) MiB, at most \(most): remove some on each device that has them.")
    }

    /// Throws a fault when a photo of a backup is none, or has what is removed from photos.
    func requireSoundPhotos() throws {
        try session.forEach("SELECT kind, size, content FROM person_photos WHERE content <> ''", []) { row in
            guard let data = Data(base64Encoded: try row.text(2)) else {
                throw Fault("content", .invalidFormat, "Must be base64.")
            }
            let image = try Self.image(Array(data))
            guard image.format.mediaType == (try row.text(0)), data.count == Int(try row.integer(1)),
                image.bytes.count == data.count
            else { throw Fault("kind", .invalidFormat, "Must be that of the content.") }
        }
    }

    private static func image(_ bytes: [UInt8]) throws -> ImageFile {
        do throws(ImageError) {
            return try ImageFile(bytes)
        } catch {
            switch error {
            case .unknownFormat: throw Fault("photo", .invalidFormat, "Must be a PNG, JPEG or WebP file.")
            case .broken: throw Fault("photo", .invalidFormat, "Is damaged: not a whole image.")
            case .tooManyBytes:
                throw Fault(
                    "photo", .outOfRange,
                    "Must have less than \(ImageFile.limitBytes / 1000) KB; make it smaller first.")
            case .tooManyPixels:
                throw Fault(
                    "photo", .outOfRange,
                    "Must have at most \(ImageFile.maximumSide) pixels a side; make it smaller first.")
            }
        }
    }
}
