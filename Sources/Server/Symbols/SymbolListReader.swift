import TextCoding

/// Reads a list of symbols piece by piece, as it arrives: what `nm`, `llvm-nm`, `dwarfdump --uuid` before one of them,
/// or `atos` printed, or a Breakpad symbol file. Its memory is bounded by the longest line, the names of source files
/// and the lines of a function.
package struct SymbolListReader: Sendable {
    /// What the list says about its image.
    package struct Image: Sendable, Hashable {
        /// As the list writes it; nil if it does not say.
        package fileprivate(set) var debugID: String?
        package fileprivate(set) var architecture: String?
        package fileprivate(set) var name: String?
        package fileprivate(set) var format = Format.nm
        /// Where the image begins, if the list says so.
        package fileprivate(set) var base: UInt64?
        package fileprivate(set) var functionCount = 0
        /// Whether names have the underscore that Mach-O puts before each.
        package var hasUnderscores: Bool { isMachO || format == .nm && bareCount == 0 && functionCount > 0 }
        /// The lowest address; nil without a function.
        package fileprivate(set) var lowest: UInt64?
        fileprivate var isMachO = false
        fileprivate var bareCount = 0

        /// Where Apple's linker puts executables.
        private static let executableBase: UInt64 = 0x1_0000_0000

        /// The base, or the one that follows from the addresses.
        package var likelyBase: UInt64 {
            if let base { return base }
            return (lowest ?? 0) >= Self.executableBase ? Self.executableBase : 0
        }
    }

    package enum Format: String, Sendable, CaseIterable {
        case nm
        case atos
        case breakpad
    }

    package private(set) var image = Image()
    private var rest: [UInt8] = []
    private var lineNumber = 0
    private var isBreakpad = false
    private var hasBegun = false
    private var files: [Int: String] = [:]
    private var fileBytes = 0
    /// The function whose lines are being read.
    private var pending: ImageSymbol?

    /// Mangled names of Swift can have several thousand bytes.
    package static let longestLine = 65_536
    private static let mostFiles = 100_000
    private static let longestFileName = 200
    private static let mostFileBytes = 4 << 20
    /// Lines of one function. More are left out.
    private static let mostLines = 10_000

    package init() {}

    /// Reads the next piece and passes on each function that is complete. Throws ``SymbolListError``.
    package mutating func take(_ piece: ArraySlice<UInt8>, _ visit: (ImageSymbol) throws -> Void) throws {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: 0x0A) {
            if rest.isEmpty {
                try read(piece[start..<end], visit)
            } else {
                rest += piece[start..<end]
                let line = rest
                rest.removeAll(keepingCapacity: true)
                try read(line[...], visit)
            }
            start = end + 1
        }
        rest += piece[start...]
        guard rest.count <= Self.longestLine else {
            throw SymbolListError.longLine(lineNumber + 1, maximumBytes: Self.longestLine)
        }
    }

    /// Reads what is left. Throws ``SymbolListError/noFunctions`` if there was none.
    package mutating func finish(_ visit: (ImageSymbol) throws -> Void) throws {
        if !rest.isEmpty {
            let line = rest
            rest = []
            try read(line[...], visit)
        }
        if let pending { try visit(pending) }
        pending = nil
        guard image.functionCount > 0 else { throw SymbolListError.noFunctions }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, _ visit: (ImageSymbol) throws -> Void) throws {
        lineNumber += 1
        guard bytes.count <= Self.longestLine else {
            throw SymbolListError.longLine(lineNumber, maximumBytes: Self.longestLine)
        }
        guard bytes.count < CharacterRuns.fewestBytes || !bytes.withUnsafeBytes(CharacterRuns.areTooLong) else {
            throw SymbolListError.longRun(lineNumber)
        }
        let trimmed = bytes.last == 0x0D ? bytes.dropLast() : bytes
        let line = String(decoding: trimmed, as: UTF8.self)[...]
        if !hasBegun, !line.isEmpty {
            hasBegun = true
            isBreakpad = line.hasPrefix("MODULE ")
            if isBreakpad { image.format = .breakpad }
        }
        if isBreakpad { try readBreakpad(line, visit) } else { try readList(line, visit) }
    }

    private mutating func readList(_ line: Substring, _ visit: (ImageSymbol) throws -> Void) throws {
        guard let read = SymbolLine(line) else { throw SymbolListError.unknownLine(lineNumber) }
        switch read {
        case .symbol(let symbol, let isOfMachO):
            if line.contains(" (in ") { image.format = .atos }
            image.isMachO = image.isMachO || isOfMachO
            if !symbol.name.hasPrefix("_"), !symbol.name.hasPrefix("-["), !symbol.name.hasPrefix("+[") {
                image.bareCount += 1
            }
            try note(symbol)
            try visit(symbol)
        case .base(let address, let isOfMachO):
            image.base = address
            image.isMachO = image.isMachO || isOfMachO
        case .identity(let debugID, let architecture, let name):
            guard image.debugID == nil else { throw SymbolListError.severalImages(lineNumber) }
            (image.debugID, image.architecture, image.name) = (debugID, architecture, name)
        case .heading:
            guard image.functionCount == 0 else { throw SymbolListError.severalImages(lineNumber) }
        case .other: break
        }
    }

    private mutating func readBreakpad(_ line: Substring, _ visit: (ImageSymbol) throws -> Void) throws {
        guard let read = BreakpadLine(line) else { throw SymbolListError.unknownLine(lineNumber) }
        switch read {
        case .module(let architecture, let debugID, let name):
            guard image.debugID == nil else { throw SymbolListError.severalImages(lineNumber) }
            (image.debugID, image.architecture, image.name) = (debugID, architecture, name)
        case .file(let number, let name):
            let name = Self.fileName(name)
            fileBytes += name.utf8.count
            guard files.count < Self.mostFiles, fileBytes <= Self.mostFileBytes else {
                throw SymbolListError.tooManyFiles(maximum: Self.mostFiles)
            }
            files[number] = name
        case .function(let symbol):
            if let pending { try visit(pending) }
            pending = symbol
            try note(symbol)
        case .line(let address, let size, let number, let file):
            guard var symbol = pending, symbol.lines.count < Self.mostLines else { return }
            pending = nil  // so that the lines are not copied
            if number > 0 {
                symbol.lines.append(
                    ImageSymbol.Line(address: address, size: size, number: number, file: files[file] ?? ""))
            }
            pending = symbol
        case .other: break
        }
    }

    /// Folders may name a person, and a name stands beside each line of a function: the last part of the path, bounded.
    private static func fileName(_ path: String) -> String {
        let last = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        return String(decoding: last.utf8.prefix(longestFileName), as: UTF8.self)
    }

    private mutating func note(_ symbol: ImageSymbol) throws {
        guard symbol.address <= UInt64(Int64.max) else { throw SymbolListError.badAddress(lineNumber) }
        image.functionCount += 1
        image.lowest = min(image.lowest ?? .max, symbol.address)
    }
}
