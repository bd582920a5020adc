import ZlibCoding

/// Input: two bytes that determine the limit, then a compressed body.
enum InflateFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard input.count > 2 else { return }
        let bound = Int(input[0]) << 8 | Int(input[1])
        let body = Array(input[2...])
        switch result(body, bound) {
        case .success(let plain):
            try hold(plain.count <= bound, "more bytes than the bound")
            try hold(result(body, plain.count) == .success(plain), "another content under a closer bound")
            if !plain.isEmpty {
                try hold(result(body, plain.count - 1) == .failure(.tooLarge), "a bound of one byte less is not kept")
            }
        case .failure(.tooLarge):
            try hold(result(body, bound / 2) == .failure(.tooLarge), "too large, but not for a lower bound")
        case .failure(.malformed), .failure(.exhausted): break
        case .failure(.refused): try hold(false, "refused without a look")
        }
        // Any bytes survive compression and decompression.
        guard let compressed = Gzip.compress(body, level: 1) else { return }
        try hold(result(compressed, body.count) == .success(body), "not what was compressed")
        try hold(result(compressed + [0], body.count) == .failure(.malformed), "something behind the end is ignored")
        try hold(result(compressed.dropLast(), body.count) == .failure(.malformed), "a body cut short is taken")
    }

    private static func result(_ body: some Sequence<UInt8>, _ bound: Int) -> Result<[UInt8], Inflater.Failure> {
        Result { () throws(Inflater.Failure) in try Inflater.inflate(Array(body), maximumBytes: bound) }
    }
}
