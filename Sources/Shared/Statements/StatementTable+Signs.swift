import SubGuardDomain

/// Which sign charges have where no column tells.
extension StatementTable {
    /// The fewest amounts whose signs say anything.
    private static let leastSigns = 5

    mutating func readSigns() {
        guard columns.has(.amount), !columns.has(.direction) else { return }
        let signs = rows.prefix(2000).flatMap { record in
            columns.columns(.amount).compactMap { StatementAmount(cell($0, record), mark: mark)?.isNegative }
        }
        guard signs.count >= Self.leastSigns else { return }
        guard signs.count(where: { !$0 }) * 5 < signs.count * 4 else {
            // A person who receives money more often than spending it is not found in statements of five rows or more.
            return haveSeriesOfCharges() ? keepSigns() : chargesArePositive(true)
        }
        let card = CardStatement(
            rows.prefix(2000).compactMap { record in
                StatementAmount(cell(.amount, record), mark: mark)?.scaled.map {
                    CardStatement.Entry(units: $0, text: texts(record), kind: cell(.kind, record))
                }
            })
        guard card.arePaymentsNegative, !doBalancesFollow else { return }
        if card.areSure { return chargesArePositive(true) }
        guard card.doPaymentsCoverCharges else { return }
        chargesArePositive(true)
        note(
            """
            Negative amounts such as “\(RefusedBooking.shown(card.payment))” are taken for payments to a card, and \
            positive ones for charges. Use --map \(name(columns.column(.amount)))=credit if the negative ones are \
            charges.
            """)
    }

    /// What a row says of the other party.
    func texts(_ record: Record) -> String {
        [cell(.payee, record), cell(.description, record)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Whether the balances follow from the amounts as they are.
    private var doBalancesFollow: Bool {
        chain(rows.prefix(2000).map { cell(.amount, $0) }, mark, .same).isProof
    }

    /// Whether negative amounts repeat like charges though nearly all amounts are positive, as in an account that
    /// mostly receives money. What pays a card is larger than the charges or says what it is, as its refunds do.
    private func haveSeriesOfCharges() -> Bool {
        var (sum, count): (Int64, Int64) = (0, 0)
        var months: [String: (amount: Int64, months: Set<Int>)] = [:]
        for record in rows.prefix(2000) {
            guard let amount = StatementAmount(cell(.amount, record), mark: mark), let units = amount.scaled, units != 0
            else { continue }
            guard amount.isNegative else {
                (sum, count) = (sum &+ units, count + 1)
                continue
            }
            guard let day = StatementDate(cell(.date, record))?.day(layout.dateOrder) else { continue }
            let text = texts(record)
            guard !CardCredits.isCredit(text) else { continue }
            let key = "\(units) " + TextFolding.fold(text).filter(\.isLetter)
            months[key, default: (abs(units), [])].months.insert(day.year * 12 + day.month)
        }
        guard count > 0 else { return false }
        return months.values.contains { $0.months.count >= 3 && $0.amount < sum / count }
    }

    /// Takes negative amounts for charges, and says so.
    private mutating func keepSigns() {
        chargesArePositive(false)
        note(
            """
            Nearly all amounts are positive, but negative ones repeat every month, so the negative ones are taken for \
            charges. Use --map \(name(columns.column(.amount)))=debit if the positive ones are charges.
            """
        )
    }
}
