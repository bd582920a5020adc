import Foundation
import SubGuardDomain
import SubGuardStatements
import TestKit
import Testing

/// How much of what is proposed is right, and how much of what is there is proposed.
struct DetectionTally {
    var right: [StatementConfidence: Int] = [:]
    var wrong: [StatementConfidence: Int] = [:]
    var truths = 0
    /// Truths by the confidence of their proposal.
    var found: [StatementConfidence: Int] = [:]
    var mistakes: [String] = []

    mutating func add(
        _ proposals: [StatementProposal], _ household: StatementGenerator, label: String
    ) {
        struct Key: Hashable { var day: CalendarDay; var units: Int64 }
        var truthOf: [Key: Set<String>] = [:]
        for payment in household.payments {
            if let truth = payment.truth {
                truthOf[Key(day: payment.on, units: -payment.units), default: []].insert(truth)
            }
        }
        truths += household.truths.count
        var best: [String: StatementConfidence] = [:]
        for proposal in proposals {
            var hits: [String: Int] = [:]
            for charge in proposal.charges {
                for name in truthOf[Key(day: charge.on, units: charge.amount.minorUnits)] ?? [] {
                    hits[name, default: 0] += 1
                }
            }
            let name = hits.max { ($0.value, $0.key) < ($1.value, $1.key) }
            let truth = household.truths.first { $0.payee == name?.key }
            if let name, let truth, name.value * 5 >= proposal.charges.count * 4,
                truth.cycle.step == proposal.cycle.step,
                name.value * 5 >= truth.count * 3
            {
                right[proposal.confidence, default: 0] += 1
                best[truth.payee] = max(best[truth.payee] ?? .unsure, proposal.confidence)
            } else {
                wrong[proposal.confidence, default: 0] += 1
                if proposal.confidence != .unsure {
                    mistakes.append(
                        """
                        \(label) \(proposal.confidence) \(proposal.name) \(proposal.cycle) \(proposal.charges.count)× \
                        \(proposal.why.map(\.text))
                        """
                    )
                }
            }
        }
        for truth in household.truths {
            if let confidence = best[truth.payee] {
                found[confidence, default: 0] += 1
            } else {
                mistakes.append("\(label) missing \(truth)")
            }
        }
    }

    func precision(_ tiers: [StatementConfidence]) -> Double {
        let (right, wrong) = (
            tiers.reduce(0) { $0 + self.right[$1, default: 0] }, tiers.reduce(0) { $0 + self.wrong[$1, default: 0] }
        )
        return right + wrong == 0 ? 1 : Double(right) / Double(right + wrong)
    }

    func recall(_ tiers: [StatementConfidence]) -> Double {
        Double(tiers.reduce(0) { $0 + found[$1, default: 0] }) / Double(max(truths, 1))
    }

    var summary: String {
        let text = { (value: Double) in String(format: "%.3f", value) }
        let tiers: [[StatementConfidence]] = [[.sure], [.sure, .likely], StatementConfidence.allCases]
        return tiers.map { "\($0.map(\.rawValue)): precision \(text(precision($0))) recall \(text(recall($0)))" }
            .joined(separator: "; ")
    }
}

/// The catalogue that SubGuard ships with.
enum ShippedCatalogue {
    static let payees: PayeeCatalogue = {
        let csv = (try? RepositoryFile.bytes("Config/catalogue.csv")) ?? []
        let items = CatalogueDraft.all(csv: csv).enumerated().map { place, draft in
            CatalogueItem(id: UUID(), draft, updatedAt: UTCInstant(secondsSinceEpoch: 0), revision: Int64(place))
        }
        return PayeeCatalogue(items)
    }()
}

@Suite struct StatementDetectionTests {
    private func tally(_ writers: [StatementWriter], seeds: Range<UInt64>) throws -> DetectionTally {
        var tally = DetectionTally()
        var options = StatementOptions()
        options.currency = .eur
        for seed in seeds {
            for writer in writers {
                let household = StatementGenerator(seed: seed)
                let statement = try Statement.read(writer.write(household.payments, seed: seed), options)
                #expect(statement.refused.isEmpty, "\(writer) \(statement.refused.first.map { "\($0)" } ?? "")")
                let income = writer == .creditCard ? 24 : 0
                #expect(statement.bookings.count == household.payments.count - income, "\(writer)")
                let sum = household.payments.filter { writer != .creditCard || $0.kind != .income }.reduce(0) {
                    $0 + $1.units
                }
                #expect(statement.bookings.reduce(0) { $0 + $1.amount.minorUnits } == sum, "\(writer)")
                let found = RecurringCharges(statement.bookings, catalogue: ShippedCatalogue.payees).proposals()
                tally.add(found, household, label: "\(writer) \(seed)")
            }
        }
        return tally
    }

    @Test("Of what is proposed nearly all is right, and nearly all that is there is proposed")
    func quality() throws {
        let writers = StatementWriter.allCases.filter { $0 != .heldBack }
        let seeds = UInt64(ProcessInfo.processInfo.environment["STATEMENT_SEEDS"] ?? "") ?? 1
        let tally = try tally(writers, seeds: 1..<(1 + seeds))
        print("DETECTION", tally.summary)
        if ProcessInfo.processInfo.environment["STATEMENT_SEEDS"] != nil {
            tally.mistakes.forEach { print("MISTAKE", $0) }
        }
        #expect(tally.precision([.sure, .likely]) >= 0.95)
        #expect(tally.recall(StatementConfidence.allCases) >= 0.9)
    }

    @Test("The same holds for a bank and households that the detection was not written with")
    func heldBack() throws {
        let tally = try tally([.heldBack], seeds: 101..<(SeededRandom.isThorough ? 106 : 103))
        print("HELD BACK", tally.summary)
        #expect(tally.precision([.sure, .likely]) >= 0.95)
        #expect(tally.recall(StatementConfidence.allCases) >= 0.9)
    }
}
