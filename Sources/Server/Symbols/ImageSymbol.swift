package import SubGuardDomain

/// A function of an image (an executable or a library), as a list of symbols names it.
package struct ImageSymbol: Sendable, Hashable {
    /// A line of source and the instructions that it became.
    package struct Line: Sendable, Hashable {
        package let address: UInt64
        package let size: UInt64
        /// From 1.
        package let number: UInt64
        /// The name of the file, without its folder.
        package let file: String

        package init(address: UInt64, size: UInt64, number: UInt64, file: String) {
            self.address = address
            self.size = size
            self.number = number
            self.file = file
        }
    }

    /// As the list counts: from the image's base.
    package let address: UInt64
    /// In bytes; 0 if the list does not say: the function then ends where the next one begins.
    package let size: UInt64
    /// As in the list, mangled or not, without leading blanks.
    package let name: String
    /// Of several names of one address, that of the lowest rank counts.
    package let rank: UInt8
    /// Ascending. Empty if the list has no lines.
    package var lines: [Line]

    package init(address: UInt64, size: UInt64 = 0, name: String, rank: UInt8 = 0, lines: [Line] = []) {
        self.address = address
        self.size = size
        self.name = String(name.drop { $0 == " " || $0 == "\t" })
        self.rank = rank
        self.lines = lines
    }

    /// No function without a size is thought to be longer.
    private static let longestUnsized: UInt64 = 1 << 20

    /// Whether an instruction at the address may belong to the function, if no other one begins between.
    package func contains(_ other: UInt64) -> Bool {
        other >= address && other - address < (size == 0 ? Self.longestUnsized : size)
    }

    /// The line of an instruction; nil if the list has none.
    package func line(at address: UInt64) -> Line? {
        lines.last { $0.address <= address && address - $0.address < max($0.size, 1) }
    }

    /// Whether it counts before another one of the same address.
    func precedes(_ other: ImageSymbol) -> Bool {
        (size == 0 ? 1 : 0, rank) < (other.size == 0 ? 1 : 0, other.rank)
    }
}

/// Why a list of symbols cannot be used.
package enum SymbolListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1.
    case unknownLine(Int)
    case longLine(Int, maximumBytes: Int)
    /// Too many combining marks or flags in a row.
    case longRun(Int)
    case badAddress(Int)
    case severalImages(Int)
    case tooManyFiles(maximum: Int)
    case noFunctions

    package var sentence: Sentence {
        switch self {
        case .unknownLine(let line): "Line \(line) is not one of nm, llvm-nm, atos or a Breakpad symbol file."
        case .longLine(let line, let most): "Line \(line) has more than \(most) bytes."
        case .longRun(let line):
            "Line \(line) has too many combining marks on a letter, or flags in a row."
        case .badAddress(let line): "Line \(line) has an address of more than 63 bits."
        case .severalImages(let line):
            "Line \(line) begins another image. Send one image at a time, for example with nm -arch arm64."
        case .tooManyFiles(let most): "The list names more than \(most) source files."
        case .noFunctions: "The list has no functions."
        }
    }

    package var description: String { sentence.text }
}
