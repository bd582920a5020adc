import TextCoding

extension StatementTable {
    /// All dates of the rows with a date of booking.
    func dateEvidence() -> StatementDateEvidence {
        var evidence = StatementDateEvidence()
        guard let column = columns.column(.date) else { return evidence }
        let dated = rows.compactMap { record -> (record: Record, date: StatementDate)? in
            guard column < record.fields.count else { return nil }
            return StatementDate(record.fields[column]).map { (record, $0) }
        }
        evidence.dates = dated.map(\.date)
        guard dated.contains(where: { !$0.date.isComplete }) else { return evidence }
        let cell = { (record: Record, place: Int) in place < record.fields.count ? record.fields[place] : "" }
        for place in columns.fields.indices where place != column {
            let filled = dated.prefix(300).map { cell($0.record, place) }.filter { !$0.isEmpty }
            guard !filled.isEmpty, filled.count(where: Self.isDate) * 5 > filled.count * 4 else { continue }
            evidence.others.append(dated.map { StatementDate(cell($0.record, place)) })
        }
        let texts = columns.columns(.description) + columns.columns(.payee)
        for (record, date) in dated {
            for place in texts {
                guard let other = StatementDate(in: cell(record, place), near: date) else { continue }
                evidence.pairs.append((date, other))
                break
            }
        }
        return evidence
    }
}
