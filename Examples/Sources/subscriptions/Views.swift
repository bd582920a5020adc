#if canImport(SwiftUI)
    import Foundation
    import SubGuardDomain
    import SubGuardEngine
    import SwiftUI

    /// With `@main` in an app; this program has its own.
    struct SubscriptionsApp: App {
        @State private var model = Result {
            try SubscriptionModel(path: NSHomeDirectory() + "/Documents/subscriptions.sqlite")
        }

        var body: some Scene {
            WindowGroup {
                switch model {
                case .success(let model): SubscriptionsView(model: model)
                case .failure(let error): Text(verbatim: "\(error)")
                }
            }
        }
    }

    struct SubscriptionsView: View {
        let model: SubscriptionModel

        var body: some View {
            List {
                Section("To confirm") {
                    ForEach(model.screen.toConfirm) { charge in
                        Button("\(charge.name), \(charge.amount.formatted(.english))") {
                            Task { await model.confirm(charge) }
                        }
                    }
                }
                Section("Subscriptions") {
                    ForEach(model.screen.subscriptions) { row in
                        LabeledContent(row.name, value: row.amount.formatted(.english))
                    }
                }
            }
            .task { await model.follow() }
        }
    }
#endif
