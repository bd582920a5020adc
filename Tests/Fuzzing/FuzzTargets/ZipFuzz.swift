import ZlibCoding

/// Input: two bytes that determine the limit, then an archive.
enum ZipFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard input.count > 2 else { return }
        let bound = Int(input[0]) << 8 | Int(input[1])
        let archive = Array(input[2...])
        switch result(archive, bound) {
        case .success(let content):
            try hold(content.count <= bound, "more bytes than the bound")
            try hold(result(archive, content.count) == .success(content), "another content under a closer bound")
            if !content.isEmpty {
                try hold(result(archive, content.count - 1) == .failure(.tooLarge), "a closer bound is not kept")
            }
        case .failure(.tooLarge):
            try hold(result(archive, bound / 2) == .failure(.tooLarge), "too large, but not for a lower bound")
        case .failure(let failure):
            try hold(result(archive, .max) == .failure(failure), "the fault depends on the bound")
        }
    }

    private static func result(_ archive: some Sequence<UInt8>, _ bound: Int) -> Result<[UInt8], ZipArchive.Failure> {
        Result { () throws(ZipArchive.Failure) in try ZipArchive.onlyFile(Array(archive), maximumBytes: bound) }
    }
}
