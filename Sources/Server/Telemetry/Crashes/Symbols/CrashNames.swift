import JSONWire
import SQLDatabase
import SubGuardDomain
import Symbols
import ZlibCoding

/// Looks up the names of places in images that have symbols. Files and pages are read once.
struct CrashNames {
    /// A function, and the line if the symbols have lines.
    struct Place {
        let function: String
        let file: String?
        let line: Int64?
    }

    private struct PageKey: Hashable {
        let file: Int64
        let part: Int64
        let address: UInt64
    }

    /// A page ends with the function that makes it long enough, which has at most 64 KiB and 10,000 lines.
    private static let longestPage = 4 << 20

    private let session: any SQLSession
    private var files: [String: SymbolFile?] = [:]
    private var places: [PageKey: ImageSymbol?] = [:]

    init(_ session: any SQLSession) { self.session = session }

    /// The function at an offset in an image; nil without symbols, or where they name none.
    ///
    /// - Parameter isCaller: whether the address is that to which a call returns, which may belong to the next
    ///   function.
    mutating func place(debugID: String, offset: Int64, isCaller: Bool) throws -> Place? {
        guard let file = try file(debugID), offset >= 0 else { return nil }
        let (address, overflow) = file.base.addingReportingOverflow(
            UInt64(isCaller && offset > 0 ? offset - 1 : offset))
        guard !overflow else { return nil }
        var best: ImageSymbol?
        for part in 0..<file.partCount {
            guard let symbol = try symbol(at: address, part, of: file) else { continue }
            if best.map({ symbol.address > $0.address }) ?? true { best = symbol }
        }
        guard let best, best.contains(address) else { return nil }
        let line = best.line(at: address)
        return Place(
            function: SymbolName.readable(best.name, hasUnderscore: file.hasUnderscores),
            file: line.flatMap { $0.file.isEmpty ? nil : $0.file },
            line: line.flatMap { Int64(exactly: $0.number) })
    }

    private mutating func file(_ debugID: String) throws -> SymbolFile? {
        guard let id = DebugID.normalised(debugID) else { return nil }
        if let known = files[id] { return known }
        let file = try SymbolStore.find(id, in: session)
        files[id] = .some(file)
        return file
    }

    private mutating func symbol(at address: UInt64, _ part: Int64, of file: SymbolFile) throws -> ImageSymbol? {
        let key = PageKey(file: file.id, part: part, address: address)
        if let known = places[key] { return known }
        guard let limit = Int64(exactly: address) else { return nil }
        let body = try session.first(
            """
            SELECT body FROM crash_symbol_pages WHERE file_id = ? AND part = ? AND first_address <= ?
            ORDER BY first_address DESC LIMIT 1
            """, [.integer(file.id), .integer(part), .integer(limit)]
        ) { try $0.blob(0) }
        let page = try body.map { try Inflater.inflate($0, maximumBytes: Self.longestPage) }
        let symbol = page.flatMap { SymbolPage.symbol(at: address, in: $0) }
        places[key] = .some(symbol)
        return symbol
    }
}

// MARK: Stored reports

extension CrashNames {
    /// What is known of a stored report with the names of its functions.
    mutating func facts(of event: JSONObject) throws -> CrashFacts {
        try CrashFacts(event) { place, isCaller in
            guard let id = place.debugID else { return nil }
            return try self.place(debugID: id, offset: place.offset, isCaller: isCaller)?.function
        }
    }

    /// A stored report with the names of its functions, for administrators. What it says of images stays.
    mutating func naming(report: String) throws -> String {
        guard let event = try? JSONValue.parse(Array(report.utf8)).objectValue else { return report }
        var hasNames = false
        let named = try naming(.object(event), &hasNames)
        return hasNames ? String(decoding: named.serialized(), as: UTF8.self) : report
    }

    private mutating func naming(_ value: JSONValue, _ hasNames: inout Bool) throws -> JSONValue {
        switch value {
        case .object(var object):
            for index in object.members.indices
            where ["exception", "values", "stacktrace", "frames"].contains(object.members[index].name) {
                if object.members[index].name == "frames", let frames = object.members[index].value.arrayValue {
                    object.members[index].value = .array(try naming(frames, &hasNames))
                } else {
                    object.members[index].value = try naming(object.members[index].value, &hasNames)
                }
            }
            return .object(object)
        case .array(let elements): return .array(try elements.map { try naming($0, &hasNames) })
        default: return value
        }
    }

    /// Frames are in the order of the calls: the last one is where it happened.
    private mutating func naming(_ frames: [JSONValue], _ hasNames: inout Bool) throws -> [JSONValue] {
        try frames.enumerated().map { index, frame in
            guard var object = frame.objectValue, let place = CrashFacts.Frame.place(of: object),
                let id = place.debugID,
                let named = try self.place(
                    debugID: id, offset: place.offset, isCaller: index < frames.count - 1)
            else { return frame }
            hasNames = true
            object.members.append(("function", .string(named.function)))
            if let file = named.file, object["filename"] == nil { object.members.append(("filename", .string(file))) }
            if let line = named.line, object["lineno"] == nil { object.members.append(("lineno", .integer(line))) }
            return .object(object)
        }
    }
}
