/// A picture that was sent, a logo or the photo of a person: its format and size are read from its bytes; the declared
/// media type is not trusted.
package struct ImageFile: Sendable, Hashable {
    package enum Format: String, Sendable, CaseIterable {
        case png
        case jpeg
        case webp

        package var mediaType: String { "image/\(rawValue)" }
        /// The suffix of the file name.
        package var suffix: String { self == .jpeg ? "jpg" : rawValue }
    }

    package let format: Format
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// The file without texts, times, places and what readers do not need.
    package let bytes: [UInt8]

    /// Exclusive upper limit of a file's size.
    package static let limitBytes = 500_000
    /// In pixels.
    package static let maximumSide = 1024

    /// Checks the structure of the whole file. Throws for another format, for a structure that is broken, truncated or
    /// continues after the image, for sizes within that do not agree with those outside, and for an image that is too
    /// large or costs a reader too much: more than 100 frames or scans.
    package init(_ bytes: [UInt8]) throws(ImageError) {
        guard bytes.count < Self.limitBytes else { throw .tooManyBytes }
        let reader = ByteReader(bytes)
        let checked: CheckedImage
        if bytes.starts(with: PNGStructure.signature) {
            format = .png
            checked = try PNGStructure.read(reader)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
            checked = try JPEGStructure.read(reader)
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            format = .webp
            checked = try WebPStructure.read(reader)
        } else {
            throw .unknownFormat
        }
        (width, height, self.bytes) = (checked.width, checked.height, checked.bytes)
    }

    /// Before anything is computed for pixels.
    static func requireSides(_ width: Int, _ height: Int, _ format: Format) throws(ImageError) {
        guard width > 0, height > 0 else { throw .broken(format) }
        guard width <= maximumSide, height <= maximumSide else { throw .tooManyPixels }
    }
}

/// Why a picture is rejected.
package enum ImageError: Error, Sendable, Hashable {
    case unknownFormat
    case broken(ImageFile.Format)
    case tooManyBytes
    case tooManyPixels
}
