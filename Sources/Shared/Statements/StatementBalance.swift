/// Compares the amounts of a statement with the balances that it gives.
enum StatementBalance {
    enum Signs {
        /// A balance grows by a positive amount.
        case same
        /// A balance falls by a positive amount.
        case opposite
        case either
    }

    struct Chain {
        /// Rows whose balance can be compared with that of a neighbour.
        var count = 0
        var matches = 0
        /// The places of rows that do not follow from their neighbour.
        var gaps: [Int] = []
    }

    /// How many rows follow from each other, in the order of the file or backwards, whichever fits better.
    static func chain(amounts: [Int64?], balances: [Int64?], signs: Signs) -> Chain {
        var (down, up) = (Chain(), Chain())
        var before: (place: Int, amount: Int64, balance: Int64)?
        for place in amounts.indices {
            guard let amount = amounts[place], let balance = balances[place] else { continue }
            if let before {
                down.add(place, balance - before.balance, amount, signs)
                up.add(before.place, before.balance - balance, before.amount, signs)
            }
            before = (place, amount, balance)
        }
        return up.matches > down.matches ? up : down
    }
}

extension StatementBalance.Chain {
    fileprivate mutating func add(_ place: Int, _ step: Int64, _ amount: Int64, _ signs: StatementBalance.Signs) {
        // An entry of zero proves nothing.
        guard amount != 0 else { return }
        count += 1
        let isMatch =
            switch signs {
            case .same: step == amount
            case .opposite: step == -amount
            case .either: abs(step) == abs(amount)
            }
        if isMatch { matches += 1 } else { gaps.append(place) }
    }

    /// Whether nearly all rows follow from each other, so that those that do not are worth a note.
    var isProof: Bool { count >= 3 && matches * 10 >= count * 8 }
}
