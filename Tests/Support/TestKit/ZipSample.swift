#if os(Linux)
    import ZlibCoding

    /// Archives as banks publish them.
    package enum ZipSample {
        /// An archive of the given files, by name.
        ///
        /// - Parameter isPacked: whether the files are compressed or only stored.
        package static func archive(_ files: [(name: String, content: String)], isPacked: Bool = true) -> [UInt8] {
            var (body, directory): ([UInt8], [UInt8]) = ([], [])
            for file in files {
                let content = Array(file.content.utf8)
                // gzip is 10 bytes, the bare stream, CRC-32 and length.
                let gzip = Gzip.compress(content) ?? []
                let data = isPacked ? Array(gzip.dropFirst(10).dropLast(8)) : content
                var common = half(20) + half(0) + half(isPacked ? 8 : 0) + half(0) + half(0)
                common += gzip.suffix(8).prefix(4)
                common += word(data.count) + word(content.count) + half(file.name.utf8.count) + half(0)
                directory += word(0x0201_4B50) + half(20) + common + half(0) + half(0) + half(0) + word(0)
                directory += word(body.count) + Array(file.name.utf8)
                body += word(0x0403_4B50) + common + Array(file.name.utf8) + data
            }
            let end = word(0x0605_4B50) + half(0) + half(0) + half(files.count) + half(files.count)
            return body + directory + end + word(directory.count) + word(body.count) + half(0)
        }

        private static func half(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
        private static func word(_ number: Int) -> [UInt8] { half(number & 0xFFFF) + half(number >> 16) }
    }
#endif
