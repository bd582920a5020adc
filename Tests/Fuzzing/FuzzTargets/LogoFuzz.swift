import SubGuardDomain

/// Input: the file of a logo.
enum LogoFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard let image = image(input) else { return }
        try hold(input.count < ImageFile.limitBytes, "too many bytes")
        try hold((1...ImageFile.maximumSide).contains(image.width), "a width out of range")
        try hold((1...ImageFile.maximumSide).contains(image.height), "a height out of range")
        let beginnings: [ImageFile.Format: [UInt8]] = [.png: [0x89, 0x50], .jpeg: [0xFF, 0xD8], .webp: [0x52, 0x49]]
        try hold(input.starts(with: beginnings[image.format] ?? []), "another format than its first bytes tell")
        // An image extends from the first to the last byte of the file, so nothing can be hidden after it.
        try hold(self.image(input + [0]) == nil, "something behind the end is taken")
        try hold(self.image(input.dropLast()) == nil, "an image cut short is taken")
    }

    private static func image(_ bytes: some Sequence<UInt8>) -> ImageFile? { try? ImageFile(Array(bytes)) }
}
