import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct ImageFileTests {
    @Test(arguments: [
        (0, ImageFile.Format.png, 1, 1), (1, .png, 7, 3), (2, .png, 1024, 1), (6, .jpeg, 3, 5), (7, .jpeg, 1024, 1024),
        (11, .webp, 7, 3), (12, .webp, 16, 9), (13, .webp, 7, 3), (15, .webp, 16, 9),
    ])
    func readsFormatAndSize(_ number: Int, _ format: ImageFile.Format, _ width: Int, _ height: Int) throws {
        let image = try ImageFile(try RepositoryFile.logo(number))
        #expect(image.format == format)
        #expect((image.width, image.height) == (width, height))
    }

    @Test(arguments: [
        (3, ImageError.tooManyPixels), (4, .broken(.png)), (5, .broken(.png)), (8, .broken(.jpeg)), (9, .broken(.jpeg)),
        (10, .broken(.jpeg)), (14, .broken(.webp)), (16, .unknownFormat), (17, .unknownFormat),
    ])
    func refusesTheRest(_ number: Int, _ error: ImageError) throws {
        let bytes = try RepositoryFile.logo(number)
        #expect(throws: error) { try ImageFile(bytes) }
    }

    @Test func refusesEveryPrefixAndEveryTail() throws {
        for number in [0, 6, 11, 13] {
            let bytes = try RepositoryFile.logo(number)
            for count in 0..<bytes.count { #expect((try? ImageFile(Array(bytes.prefix(count)))) == nil) }
            #expect((try? ImageFile(bytes + Array("<script>".utf8))) == nil)
        }
    }

    @Test func seesThatABitOfAPNGIsNotWhatItWas() throws {
        let bytes = try RepositoryFile.logo(1)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect((try? ImageFile(changed)) == nil, "byte \(index)")
        }
    }

    @Test func takesLessThanTheLimitAndNothingAtIt() throws {
        var bytes = try RepositoryFile.logo(12)
        // A chunk that every reader skips extends it to any length.
        let padding = ImageFile.limitBytes - bytes.count - 8
        bytes += Array("PADD".utf8) + withUnsafeBytes(of: UInt32(padding).littleEndian) { Array($0) }
        bytes += [UInt8](repeating: 0, count: padding)
        bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { Array($0) })
        #expect(throws: ImageError.tooManyBytes) { try ImageFile(bytes) }
        bytes.removeLast(2)
        bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { Array($0) })
        let place = bytes.count - padding + 2 - 4
        bytes.replaceSubrange(
            place..<(place + 4), with: withUnsafeBytes(of: UInt32(padding - 2).littleEndian) { Array($0) })
        #expect(try ImageFile(bytes).width == 16)
    }
}
