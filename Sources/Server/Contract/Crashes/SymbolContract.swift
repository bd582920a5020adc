import Foundation
import JSONWire
package import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Admin calls on symbols: the names of the functions of an image.
extension APIOperation {
    package static let symbolFiles = APIOperation(
        .get, "/api/v1/admin/crashes/symbols", "listSymbolFiles", tag: .administration,
        access: .permission(.metricsRead), summary: "List uploaded symbols",
        "The images whose functions have names, the newest upload first.",
        answers: [.json(WholeList<SymbolFile>.self, "All images.")])

    package static let putSymbols = APIOperation(
        .put, "/api/v1/admin/crashes/symbols/{debug_id}", "putSymbols", tag: .administration,
        access: .permission(.crashesWrite), summary: "Upload the symbols of an image",
        """
        The body is what `nm`, `llvm-nm` (in any of their formats) or `atos` print for an image, or a Breakpad symbol \
        file, of at most 512 MiB, or 128 MiB as sent; `Content-Encoding: gzip` is welcome. It replaces earlier symbols \
        of the image. Titles and frames of stored and of later crashes get the names, and groups that are one function \
        by their names become one. An error changes nothing.
        """, holes: [.debugID], query: .object(SymbolQuery.self),
        body: .other(
            // Generators of clients know no `text/plain`, and the server takes every type.
            [
                .other(
                    "application/octet-stream", ["type": "string", "format": "binary"],
                    example: "0000000100003f50 T _main\n")
            ], of: .any, "The list."),
        answers: [.json(SymbolUploadAnswer.self, "The image, and what its names changed.")],
        problems: [.unsupportedMediaType, .validationFailed, .conflict])

    package static let deleteSymbols = APIOperation(
        .delete, "/api/v1/admin/crashes/symbols/{debug_id}", "deleteSymbols", tag: .administration,
        access: .permission(.crashesWrite), summary: "Remove the symbols of an image",
        "Crashes show images and offsets again, and groups that only the names made one are parted.",
        holes: [.debugID], answers: [.empty(204, "The symbols are removed.")], problems: [.notFound])

    static let ofSymbols: [APIOperation] = [symbolFiles, putSymbols, deleteSymbols]
}

extension APIOperation.Hole {
    fileprivate static var debugID: APIOperation.Hole {
        .text(
            "The image's debug id, as `dwarfdump --uuid` prints it: 32 hexadecimal digits in either case, with or "
                + "without hyphens.", ["type": "string", "pattern": "^[0-9A-Fa-f-]{32,45}$"],
            example: "5f3a1c9e-7b42-3d8a-9c01-2e4f6a8b0d13")
    }
}

/// What a list does not say itself.
package struct SymbolQuery: WireObject {
    package let name: String?
    private let baseText: String?

    /// Where the image begins by the list's addresses; nil to take it from the list.
    package var base: UInt64? { baseText.flatMap { UInt64($0.dropFirst(2), radix: 16) } }

    package static let wire = WireSchema<SymbolQuery>(
        nil, make: SymbolQuery.init,
        Field(
            "name", \.name, optional: .text(1...200, pattern: "^[^\\u0000]+$"),
            "The image's name, if the list has none."),
        Field(
            "base", \.baseText, optional: .imageAddress,
            "The address at which the image begins in the list. By default that of the header's symbol, else "
                + "0x100000000 if no address is below it, else 0."))
}

extension SymbolFile: WireObject {
    package static let wire = WireSchema<SymbolFile>("SymbolFile") {
        Field("debug_id", \.debugID, .text(), example: "5f3a1c9e-7b42-3d8a-9c01-2e4f6a8b0d13")
        Field("name", \.name, .text(), "The image's; empty if it has none.", example: "SubGuard")
        Field("architecture", \.architecture, nullable: .text(), example: "arm64")
        Field("format", \.format, .text(), "`nm`, `atos` or `breakpad`.", example: "nm")
        Field("functions", \.functionCount, .count, example: 5120)
        Field("bytes", \.byteCount, .count, "Uncompressed.", example: 412_310)
        Field("stored_bytes", \.storedBytes, .count, example: 90_112)
        Field("uploaded_at", \.uploadedAt, .instant)
        Field("uploaded_by", \.uploadedBy, .text(), "The name of the token, or of the system's user.", example: "ci")
    }
}

/// An upload and what its names changed.
package struct SymbolUploadAnswer: WireObject {
    private let outcome: SymbolUpload.Outcome

    package init(_ outcome: SymbolUpload.Outcome) { self.outcome = outcome }

    package static let wire = WireSchema<SymbolUploadAnswer>("SymbolUpload") {
        Field(flattening: \.outcome.file)
        Field("replaced", \.outcome.isReplacement, .boolean, "Whether the image had symbols before.")
        Field("groups_named", \.outcome.named, .count, "Groups whose place has another name now.", example: 3)
        Field("groups_merged", \.outcome.merged, .count, "How many fewer groups are shown.", example: 1)
    }
}

extension WireType where Value == String {
    /// `0x` and up to 16 hexadecimal digits.
    fileprivate static var imageAddress: WireType {
        text(3...18, pattern: "^0x[0-9A-Fa-f]{1,16}$", example: "0x100000000").checking { text in
            text.hasPrefix("0x") && text.dropFirst(2).utf8.allSatisfy(Octet.isHex)
                ? nil : (.invalidFormat, "Must be 0x and 1 to 16 hexadecimal digits.")
        }
    }
}
