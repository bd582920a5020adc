import Symbols

/// Input: two bytes that determine the pieces, then a list of symbols.
enum SymbolsFuzz {
    private struct Read: Equatable {
        let image: SymbolListReader.Image
        let symbols: [ImageSymbol]
    }

    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard input.count > 2 else { return }
        let list = Array(input[2...])
        let whole = read(list) { list.count }
        var plan = PiecePlan(input[0], input[1])
        try hold(read(list) { plan.next() } == whole, "another result in pieces")
        guard case .success(let found) = whole else { return }
        try hold(found.image.functionCount == found.symbols.count && !found.symbols.isEmpty, "another count")
        let pages = SymbolPage.write(found.symbols)
        try hold(
            zip(pages, pages.dropFirst()).allSatisfy { $0.first < $1.first }, "pages that are not in their order")
        for symbol in found.symbols {
            let page = pages.last { $0.first <= symbol.address }
            let kept = page.flatMap { SymbolPage.symbol(at: symbol.address, in: $0.bytes) }
            try hold(kept?.address == symbol.address, "a function that is lost")
            try hold(
                found.symbols.contains { $0.address == symbol.address && $0.name == kept?.name }, "a name of another")
        }
    }

    private static func read(_ list: [UInt8], _ size: () -> Int) -> Result<Read, SymbolListError> {
        var reader = SymbolListReader()
        var symbols: [ImageSymbol] = []
        var rest = list[...]
        do {
            while !rest.isEmpty {
                let piece = rest.prefix(size())
                rest = rest.dropFirst(piece.count)
                try reader.take(piece) { symbols.append($0) }
            }
            try reader.finish { symbols.append($0) }
            return .success(Read(image: reader.image, symbols: symbols))
        } catch {
            return .failure(error as? SymbolListError ?? .noFunctions)
        }
    }
}
