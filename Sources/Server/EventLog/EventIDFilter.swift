import Foundation
import Synchronization

/// Determines that an id is certainly not in the set that the filter was built from, or that it may be.
///
/// A Bloom filter in blocks of one cache line (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom
/// Filters, 2007). With 16 bits per id, the rate of false positives is about 1 in 500.
///
/// A filter is in memory or in a file; one in a file reads the line that it needs.
struct EventIDFilter {
    private static let bitsPerID = 16
    private static let probes = 7

    private enum Place {
        case memory(EventIDFilterLines)
        case file(EventIDFilterFile.Place)
    }

    private var place: Place
    private let lineCount: Int

    init(hashes: some Collection<UInt64>) {
        let lineCount = max(1, (hashes.count * Self.bitsPerID + 511) / 512)
        let lines = EventIDFilterLines(count: lineCount)
        for hash in hashes {
            let line = UnsafeMutableRawPointer(lines.table.first + lines.table.index(of: hash))
            _ = Self.forEachBit(of: hash) { word, bit in
                let old = line.load(fromByteOffset: 8 * word, as: UInt64.self)
                line.storeBytes(of: old | bit.littleEndian, toByteOffset: 8 * word, as: UInt64.self)
                return true
            }
        }
        self.lineCount = lineCount
        place = .memory(lines)
    }

    /// Nil unless the bytes are a whole number of lines.
    init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: Line.byteCount) else { return nil }
        lineCount = bytes.count / Line.byteCount
        let lines = EventIDFilterLines(count: lineCount)
        lines.buffer.copyBytes(from: bytes)
        place = .memory(lines)
    }

    /// As in the database; nil if the filter is in a file.
    var bytes: [UInt8]? {
        guard case .memory(let lines) = place else { return nil }
        return withExtendedLifetime(lines) { Array(lines.buffer) }
    }

    var byteCount: Int { lineCount * Line.byteCount }

    var isInMemory: Bool {
        if case .memory = place { return true }
        return false
    }

    /// Returns false if it is there already or cannot be written.
    mutating func move(to file: EventIDFilterFile) -> Bool {
        guard case .memory(let lines) = place,
            let there = withExtendedLifetime(lines, { file.write(UnsafeRawBufferPointer(lines.buffer)) })
        else { return false }
        place = .file(there)
        return true
    }

    /// Returns false if it is there already or cannot be read.
    mutating func moveToMemory() -> Bool {
        guard case .file(let there) = place else { return false }
        let lines = EventIDFilterLines(count: lineCount)
        guard withExtendedLifetime(lines, { there.read(from: 0, into: lines.buffer) }) else { return false }
        place = .memory(lines)
        return true
    }

    /// A filter that cannot be read contains anything.
    func mayContain(_ hash: UInt64) -> Bool {
        switch place {
        case .memory(let lines):
            return withExtendedLifetime(lines) {
                var line = lines.table.line(of: hash)
                return line.mayContain(hash)
            }
        case .file(let there):
            var line = Line()
            let start = Table.index(of: hash, among: lineCount) * Line.byteCount
            let isRead = withUnsafeMutableBytes(of: &line) { there.read(from: start, into: $0) }
            return !isRead || line.mayContain(hash)
        }
    }

    /// Where the lines are, valid as long as the filter; nil if they are in a file.
    var table: Table? {
        guard case .memory(let lines) = place else { return nil }
        return lines.table
    }

    /// Visits bits of a line, as a word and a mask, until `visit` returns false; returns whether it never did.
    @inline(__always)
    fileprivate static func forEachBit(of hash: UInt64, _ visit: (_ word: Int, _ bit: UInt64) -> Bool) -> Bool {
        var bits = hash &* 0xD6E8_FEB8_6659_FD93
        bits ^= bits >> 32
        for _ in 0..<probes {
            guard visit(Int(bits >> 6 & 7), 1 << (bits & 63)) else { return false }
            bits >>= 9
        }
        return true
    }
}

extension EventIDFilter {
    /// 512 bits, in a cache line of their own.
    struct Line {
        static let byteCount = 64

        private var words = SIMD8<UInt64>()

        /// Mutating only because it reads in place.
        @inline(__always)
        mutating func mayContain(_ hash: UInt64) -> Bool {
            withUnsafeBytes(of: &words) { words in
                EventIDFilter.forEachBit(of: hash) { word, bit in
                    UInt64(littleEndian: words.load(fromByteOffset: 8 * word, as: UInt64.self)) & bit != 0
                }
            }
        }
    }

    /// The lines of a filter in memory. Does not keep them there.
    // proof: others can only read through it, and its filter writes the lines before it gives out the table.
    struct Table: @unchecked Sendable {
        fileprivate let first: UnsafeMutablePointer<Line>
        fileprivate let count: Int

        /// The only line that has bits of the hash.
        @inline(__always)
        func line(of hash: UInt64) -> Line { first[index(of: hash)] }

        fileprivate func index(of hash: UInt64) -> Int { Self.index(of: hash, among: count) }

        fileprivate static func index(of hash: UInt64, among count: Int) -> Int {
            Int((hash >> 32 &* UInt64(count)) >> 32)
        }
    }
}

/// Lines at an address that stays.
// proof: their filter writes them only while it makes them, when no other code has them.
private final class EventIDFilterLines: @unchecked Sendable {
    let table: EventIDFilter.Table

    init(count: Int) {
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: count * EventIDFilter.Line.byteCount, alignment: EventIDFilter.Line.byteCount)
        let first = bytes.bindMemory(to: EventIDFilter.Line.self, capacity: count)
        first.initialize(repeating: EventIDFilter.Line(), count: count)
        table = EventIDFilter.Table(first: first, count: count)
    }

    deinit { table.first.deallocate() }

    /// As on disk: words in little endian.
    var buffer: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: table.first, count: table.count * EventIDFilter.Line.byteCount)
    }
}

/// The filters for which there is no room in memory, in a file without a name that is gone with the process: everything
/// in it is also in the database.
///
/// A line is read with `pread` and not through a mapping, whose pages would count as memory of the process.
final class EventIDFilterFile: Sendable {
    private struct Space {
        var end: Int64 = 0
        /// Places that are free again, by their size.
        var free: [Int: [Int64]] = [:]
    }

    /// A filter in the file. Its place is free again when nothing refers to it.
    final class Place: Sendable {
        let byteCount: Int
        fileprivate let file: EventIDFilterFile
        fileprivate let offset: Int64

        fileprivate init(in file: EventIDFilterFile, offset: Int64, byteCount: Int) {
            self.file = file
            self.offset = offset
            self.byteCount = byteCount
        }

        deinit { file.free(offset, byteCount) }

        /// Reads a part of the filter. Returns false if that fails.
        func read(from start: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
            var count = 0
            while count < buffer.count {
                let result = pread(
                    file.descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count,
                    off_t(offset) + off_t(start + count))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return false }
                count += result
            }
            return true
        }
    }

    private let descriptor: Int32
    private let space = Mutex(Space())

    /// Nil if no file can be made in the folder.
    init?(folder: String) {
        var path = Array("\(folder)/subguard-filters-XXXXXX".utf8CString)
        let descriptor = path.withUnsafeMutableBufferPointer { path -> Int32 in
            guard let name = path.baseAddress else { return -1 }
            let descriptor = mkstemp(name)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                unlink(name)
            }
            return descriptor
        }
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes a filter. Returns nil if that fails, as on a full disk.
    func write(_ bytes: UnsafeRawBufferPointer) -> Place? {
        let offset = space.withLock { space -> Int64 in
            if let free = space.free[bytes.count]?.popLast() { return free }
            defer { space.end += Int64(bytes.count) }
            return space.end
        }
        let place = Place(in: self, offset: offset, byteCount: bytes.count)
        var count = 0
        while count < bytes.count {
            let result = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count, off_t(offset) + off_t(count))
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            count += result
        }
        return place
    }

    private func free(_ offset: Int64, _ byteCount: Int) {
        space.withLock { $0.free[byteCount, default: []].append(offset) }
    }
}
