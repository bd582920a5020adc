/// The format and size of an uploaded logo, read from its bytes; the declared media type is not trusted.
package struct LogoImage: Sendable, Hashable {
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

    /// Exclusive upper limit of a logo's size.
    package static let limitBytes = 500_000
    /// In pixels.
    package static let maximumSide = 1024

    /// Checks the structure of the whole file without decoding pixels. Throws for another format, for a structure that
    /// is broken, truncated or continues after the image, and for an image that is too large.
    package init(_ bytes: [UInt8]) throws(LogoError) {
        guard bytes.count < Self.limitBytes else { throw .tooManyBytes }
        let reader = ByteReader(bytes)
        let format: Format
        let size: (width: Int, height: Int)?
        if bytes.starts(with: PNGStructure.signature) {
            format = .png
            size = PNGStructure.size(of: reader)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
            size = JPEGStructure.size(of: reader)
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            format = .webp
            size = WebPStructure.size(of: reader)
        } else {
            throw .unknownFormat
        }
        guard let size, size.width > 0, size.height > 0 else { throw .broken(format) }
        guard size.width <= Self.maximumSide, size.height <= Self.maximumSide else { throw .tooManyPixels }
        self.format = format
        width = size.width
        height = size.height
    }
}

/// Why a logo is rejected.
package enum LogoError: Error, Sendable, Hashable {
    case unknownFormat
    case broken(LogoImage.Format)
    case tooManyBytes
    case tooManyPixels
}
