import Testing

@testable import DeviceSimulation

@Suite struct DeviceLifeTests {
    private func visits(seed: UInt64 = 7, number: Int, days: Int = 32) -> [DeviceLife.Visit] {
        var life = DeviceLife(seed: seed, number: number, population: Fleet(days: days))
        var visits: [DeviceLife.Visit] = []
        while let visit = life.next() { visits.append(visit) }
        return visits
    }

    @Test func theSameSeedAndNumberLiveTheSameLife() {
        #expect(visits(number: 3) == visits(number: 3))
        #expect(visits(number: 3) != visits(number: 4))
        #expect(visits(seed: 8, number: 3) != visits(number: 3))
    }

    @Test func visitsComeInOrderOnceADayAndWithinTheDays() {
        for number in 0..<300 {
            let life = DeviceLife(seed: 7, number: number, population: Fleet(days: 32))
            let visits = visits(number: number)
            let days = visits.map { $0.at / DeviceLife.day }
            #expect(visits.first?.at == life.joinsAt)
            #expect(visits.first?.isOnline == true)
            #expect(zip(days, days.dropFirst()).allSatisfy { $0 < $1 })
            #expect(days.allSatisfy { (0..<32).contains($0) })
            #expect(life.days == 32 - Int(life.joinsAt / DeviceLife.day))
        }
    }

    @Test func devicesAreInNoStepAndJoinEarly() {
        let joins = (0..<1000).map { DeviceLife(seed: 1, number: $0, population: Fleet(days: 32)).joinsAt }
        #expect(joins.allSatisfy { (0..<4 * DeviceLife.day).contains($0) })
        for day in 0..<4 { #expect((150..<350).contains(joins.count { $0 / DeviceLife.day == Int64(day) })) }
        #expect(Set(joins).count > 990)
        // The whole first day if there is only one.
        #expect(Fleet(days: 1).joiningPeriod == DeviceLife.day)
    }

    @Test func someLifeIsOfflineAddsRemovesSuggestsAndConverts() {
        let all = (0..<500).flatMap { visits(number: $0) }
        let offline = all.count { !$0.isOnline }
        #expect((all.count / 50..<all.count / 4).contains(offline))
        var kinds: [String: Int] = [:]
        for act in all.flatMap(\.acts) {
            switch act {
            case .add(let popularity):
                if let popularity { #expect((0..<1).contains(popularity)) }
                kinds["add", default: 0] += 1
            case .remove: kinds["remove", default: 0] += 1
            case .suggest: kinds["suggest", default: 0] += 1
            case .convert: kinds["convert", default: 0] += 1
            }
        }
        #expect(kinds["add", default: 0] > kinds["remove", default: 0])
        #expect(kinds["remove", default: 0] > 20)
        #expect(kinds["suggest", default: 0] > 20)
        #expect((10...60).contains(kinds["convert", default: 0]))
    }
}
