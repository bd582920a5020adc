import Foundation
import HTTPWire
import TextCoding

/// A path with typed parameters: `/api/v1/catalogue/{id:uuid}`, `/logos/{file}`. A segment of another type does not
/// match, so the address is unknown (404). Neither does a literal segment that is sent with percent-encoding.
///
/// A pattern that ends with a slash also matches without it: clients of protocols that are not ours differ in that.
package struct RoutePattern: Sendable, CustomStringConvertible {
    enum Segment: Sendable, Equatable {
        case literal([UInt8])
        case uuid
        case text
    }

    /// The form used in documentation and metrics: `/api/v1/catalogue/{id}`.
    package let description: String
    let segments: [Segment]
    /// Whether the pattern ends with a slash that requests may omit.
    let hasOptionalSlash: Bool

    package init(_ pattern: String) {
        var names: [String] = []
        segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else {
                names.append(String(part))
                return .literal(Array(part.utf8))
            }
            let pieces = part.dropFirst().dropLast().split(separator: ":")
            names.append("{\(pieces[0])}")
            return pieces.count == 2 && pieces[1] == "uuid" ? .uuid : .text
        }
        description = "/" + names.joined(separator: "/")
        hasOptionalSlash = segments.count > 1 && segments.last == .literal([])
    }

    /// The numbers of segments of a matching path.
    var counts: ClosedRange<Int> { segments.count - (hasOptionalSlash ? 1 : 0)...segments.count }

    /// The number of parameters. Patterns with fewer come first, so that `/catalogue/search` precedes
    /// `/catalogue/{id}`.
    var holes: Int { segments.count { if case .literal = $0 { false } else { true } } }

    func matches(_ parts: [UnsafeRawBufferPointer], into parameters: inout PathParameters) -> Bool {
        guard counts.contains(parts.count) else { return false }
        parameters.values.removeAll(keepingCapacity: true)
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .literal(let octets):
                // Not decoded: a proxy that compares paths as they are sent would let `/%6detrics` through.
                guard part.elementsEqual(octets) else { return false }
            case .uuid:
                guard Self.isUUID(part), let value = UUID(uuidString: String(decoding: part, as: UTF8.self)) else {
                    return false
                }
                parameters.values.append(.uuid(value))
            case .text:
                guard !part.isEmpty, let value = PercentCoding.decode(part) else { return false }
                parameters.values.append(.text(value))
            }
        }
        return true
    }

    /// RFC 9562 section 4. Foundation also accepts a sign or a blank in place of a digit.
    private static func isUUID(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count == 36 else { return false }
        return part.enumerated().allSatisfy { index, octet in
            switch index {
            case 8, 13, 18, 23: octet == UInt8(ascii: "-")
            default: (0x30...0x39).contains(octet) || (0x61...0x66).contains(octet | 0x20)
            }
        }
    }
}
