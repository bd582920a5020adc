import TestKit
import Testing
import ZlibCoding

@Suite struct ZipArchiveTests {
    private static let text = String(repeating: "2026-11-20,1.0823,été\n", count: 1000)

    @Test(arguments: [true, false])
    func returnsTheContentOfTheOnlyFile(isPacked: Bool) throws {
        for text in [Self.text, "", "x"] {
            let archive = ZipSample.archive([("a/rates.csv", text)], isPacked: isPacked)
            #expect(try ZipArchive.onlyFile(archive, maximumBytes: text.utf8.count) == Array(text.utf8))
            let commented: [UInt8] = archive[..<(archive.count - 2)] + [5, 0, 0x50, 0x4B, 5, 6, 0x21]
            #expect(try ZipArchive.onlyFile(commented, maximumBytes: text.utf8.count) == Array(text.utf8))
        }
    }

    @Test func keepsTheBound() {
        let archive = ZipSample.archive([("rates.csv", Self.text)])
        #expect(throws: ZipArchive.Failure.tooLarge) {
            try ZipArchive.onlyFile(archive, maximumBytes: Self.text.utf8.count - 1)
        }
    }

    @Test func wantsOneFile() {
        for count in [0, 2, 3] {
            let archive = ZipSample.archive((0..<count).map { ("\($0).csv", "x") })
            #expect(throws: ZipArchive.Failure.fileCount(count)) {
                try ZipArchive.onlyFile(archive, maximumBytes: 1000)
            }
        }
    }

    /// Each byte of a small archive is changed, and each prefix is read: a fault or the true content, never another
    /// one.
    @Test func damageIsFound() {
        let archive = ZipSample.archive([("rates.csv", "2026-11-20,1.0823")])
        for count in archive.indices {
            #expect(throws: ZipArchive.Failure.self) {
                try ZipArchive.onlyFile(Array(archive[..<count]), maximumBytes: 1000)
            }
            var damaged = archive
            damaged[count] ^= 0xFF
            if let content = try? ZipArchive.onlyFile(damaged, maximumBytes: 1000) {
                #expect(content == Array("2026-11-20,1.0823".utf8), "byte \(count)")
            }
        }
    }

    @Test func aStatedLengthIsNotBelieved() throws {
        // The directory says 5 bytes; the stream has more.
        let archive = ZipSample.archive([("rates.csv", Self.text)])
        let place = try #require(archive.indices.last { archive[$0...].starts(with: [0x50, 0x4B, 1, 2]) }) + 24
        var wrong = archive
        wrong.replaceSubrange(place..<place + 4, with: [5, 0, 0, 0])
        #expect(throws: ZipArchive.Failure.malformed) { try ZipArchive.onlyFile(wrong, maximumBytes: 1000) }
    }
}
