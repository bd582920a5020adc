import SubGuardDomain
import SubGuardStatements
import Testing

/// Every shape is read whole: no row is lost, no sign is wrong, each payee is named, and its subscriptions are found.
@Suite struct StatementShapeTests {
    private func read(_ shape: StatementShape) throws -> (Statement, [StatementShape.Payment]) {
        let payments = shape.payments(seed: 42)
        var options = StatementOptions()
        options.currency = Currency(code: shape.currency)
        return (try Statement.read(shape.write(payments, seed: 42), options), payments)
    }

    @Test(arguments: StatementShape.all)
    func isReadWhole(_ shape: StatementShape) throws {
        let (statement, payments) = try read(shape)
        let columns = statement.layout?.columns.map { "\($0.name)=\($0.field.rawValue)" } ?? []
        #expect(statement.refused.isEmpty, "\(statement.refused.first.map { "\($0)" } ?? "")")
        #expect(statement.encoding == shape.encoding)
        #expect(statement.notes.isEmpty, "\(statement.notes.first?.text ?? "")")
        let found = shape.isReversed ? Array(statement.bookings.reversed()) : statement.bookings
        try #require(found.count == payments.count, "\(columns)")
        for (booking, payment) in zip(found, payments) {
            #expect(booking.on == payment.on, "\(columns)")
            #expect(booking.amount.minorUnits == payment.units, "\(columns)")
            #expect(booking.amount.currency.code == shape.currency)
            guard booking.payee.contains(payment.payee) else {
                Issue.record("\(booking.payee) is not \(payment.payee): \(columns)")
                break
            }
        }
    }

    @Test func coversBanksAndLanguages() {
        let shapes = StatementShape.all
        #expect(shapes.count >= 60 && Set(shapes.map(\.bank)).count >= 40)
        #expect(Set(shapes.map(\.language)).count >= 12)
    }

    @Test("Of the subscriptions of all shapes nearly all are found, and nearly nothing else")
    func quality() throws {
        var (found, wrong, truths) = (0, 0, 0)
        for shape in StatementShape.all {
            guard let (statement, _) = try? read(shape) else { continue }
            let proposals = RecurringCharges(statement.bookings, catalogue: ShippedCatalogue.payees).proposals()
            truths += StatementShape.subscriptions.count
            for proposal in proposals where proposal.confidence != .unsure {
                let isTrue = [1399, 2990, 999].contains(proposal.amount.minorUnits) && proposal.charges.count >= 10
                if isTrue { found += 1 } else { wrong += 1 }
            }
        }
        print("SHAPES", StatementShape.all.count, "recall", Double(found) / Double(truths), "wrong", wrong)
        #expect(found * 10 >= truths * 9)
        #expect(wrong * 19 <= found)
    }
}
