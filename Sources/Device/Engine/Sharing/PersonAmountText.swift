import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// People with numbers beside them as one text: `<id>=<number>` with commas between, in the order of the people.
enum PersonAmountText {
    static func text(_ people: [UUID], _ numbers: [Int64]) -> String {
        people.enumerated().map { index, id in
            numbers.indices.contains(index) ? "\(id.lowercased)=\(numbers[index])" : id.lowercased
        }.joined(separator: ",")
    }

    static func text(_ amounts: [PersonAmount]) -> String { text(amounts.map(\.personID), amounts.map(\.minorUnits)) }

    static func read(_ text: String) throws -> (people: [UUID], numbers: [Int64]) {
        var people: [UUID] = []
        var numbers: [Int64] = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=")
            guard let id = UUID(uuidString: String(pair[0])) else { throw SQLError.malformed("person") }
            people.append(id)
            if pair.count == 2, let number = Int64(pair[1]) { numbers.append(number) }
        }
        return (people, numbers)
    }

    static func amounts(_ text: String) throws -> [PersonAmount] {
        let (people, numbers) = try read(text)
        guard people.count == numbers.count else { throw SQLError.malformed("payers") }
        return zip(people, numbers).map { PersonAmount(personID: $0, minorUnits: $1) }
    }

    static func split(_ kind: String, _ parts: String) throws -> Split {
        guard let kind = SplitKind(rawValue: kind) else { throw SQLError.malformed("split") }
        let (people, numbers) = try read(parts)
        return Split(kind: kind, people: people, weights: numbers)
    }
}
