import JSONWire

/// Drops the payloads of items that are not needed or too large from an envelope that arrives in pieces. What is left
/// is an envelope with the same items and, where it is malformed, with the same fault; only those payloads are empty.
package struct EnvelopeFilter: Sendable {
    private enum Place {
        case header
        case itemHeader
        /// Counted bytes of a payload. `dropped` is the line of the header if the payload is dropped.
        case payload(remaining: Int64, dropped: Dropped?)
        /// A payload that ends with its line; `room` is what may still be kept of it.
        case line(room: Int)
        /// The line feed behind a counted payload.
        case separator
        /// Behind a fault, for which the parser reads no further.
        case fault
    }

    private struct Dropped {
        let header: [UInt8]
        let type: String
    }

    private var place = Place.header
    private var line: [UInt8] = []
    private var itemCount = 0
    /// The first line of the envelope, once it is complete.
    package private(set) var header: [UInt8]?

    private static let lineFeed = UInt8(ascii: "\n")

    package init() {}

    /// Appends what is left of the next piece.
    package mutating func take(_ piece: ArraySlice<UInt8>, into kept: inout [UInt8]) {
        var rest = piece
        while !rest.isEmpty {
            switch place {
            case .fault: return
            case .header, .itemHeader: takeLine(&rest, into: &kept)
            case .payload(let remaining, let dropped):
                let part = rest.prefix(Int(min(remaining, Int64(rest.count))))
                if dropped == nil { kept += part }
                rest = rest.dropFirst(part.count)
                place = .payload(remaining: remaining - Int64(part.count), dropped: dropped)
                endPayload(into: &kept)
            case .line(let room):
                let end = rest.firstIndex(of: Self.lineFeed)
                let part = rest[..<(end ?? rest.endIndex)]
                kept += part.prefix(room)
                place = .line(room: max(0, room - part.count))
                rest = rest.dropFirst(part.count)
                guard end != nil else { continue }
                kept.append(Self.lineFeed)
                rest = rest.dropFirst()
                place = .itemHeader
            case .separator:
                kept.append(rest.removeFirst())
                place = kept.last == Self.lineFeed ? .itemHeader : .fault
            }
        }
    }

    /// Appends what remains at the end of the envelope.
    package mutating func end(into kept: inout [UInt8]) {
        switch place {
        case .header:
            header = line
            kept += line
        case .itemHeader: kept += line
        // The header without its payload: the item is truncated.
        case .payload(_, let dropped?): kept += dropped.header
        case .payload(_, nil), .line, .separator, .fault: break
        }
        place = .fault
    }

    private mutating func takeLine(_ rest: inout ArraySlice<UInt8>, into kept: inout [UInt8]) {
        if case .itemHeader = place, line.isEmpty, rest.first == Self.lineFeed {
            // Empty lines may end an envelope; millions of them are taken at once.
            let empty = rest.prefix { $0 == Self.lineFeed }
            kept += empty
            rest = rest.dropFirst(empty.count)
            return
        }
        let end = rest.firstIndex(of: Self.lineFeed)
        // One byte more than allowed, so that the parser sees that it is too long.
        let room = EnvelopeParser.maximumHeaderBytes + 1 - line.count
        let part = rest[..<(end ?? rest.endIndex)]
        line += part.prefix(room)
        guard part.count <= room, line.count <= EnvelopeParser.maximumHeaderBytes else { return fail(into: &kept) }
        rest = rest.dropFirst(part.count)
        guard end != nil else { return }
        rest = rest.dropFirst()
        line.append(Self.lineFeed)
        defer { line = [] }
        if case .header = place {
            header = Array(line.dropLast())
            kept += line
            place = .itemHeader
        } else {
            beginItem(into: &kept)
        }
    }

    /// `line` is the header of an item.
    private mutating func beginItem(into kept: inout [UInt8]) {
        guard let (type, length) = try? EnvelopeParser.itemHeader(line, 0..<line.count - 1, index: itemCount) else {
            return fail(into: &kept)
        }
        guard itemCount < EnvelopeParser.maximumItems else {
            // The parser counts it and goes no further.
            kept += Self.emptyItem(type)
            place = .fault
            return
        }
        itemCount += 1
        let most = EnvelopeReader.maximumBytes(of: type)
        guard let length else {
            kept += line
            // One byte more than allowed, so that the reader sees that it is too large.
            place = .line(room: most.map { $0 + 1 } ?? 0)
            return
        }
        let isKept = most.map { length <= Int64($0) } ?? false
        if isKept { kept += line }
        place = .payload(remaining: length, dropped: isKept ? nil : Dropped(header: line, type: type))
        endPayload(into: &kept)
    }

    private mutating func endPayload(into kept: inout [UInt8]) {
        guard case .payload(0, let dropped) = place else { return }
        if let dropped {
            kept += Self.emptyItem(dropped.type)
        }
        place = .separator
    }

    /// The header of an item whose payload is empty.
    private static func emptyItem(_ type: String) -> [UInt8] {
        JSONValue.object(["type": .string(type), "length": .integer(0)]).serialized() + [lineFeed]
    }

    private mutating func fail(into kept: inout [UInt8]) {
        if case .header = place { header = line }
        kept += line
        place = .fault
    }
}
