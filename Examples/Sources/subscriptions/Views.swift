#if canImport(SwiftUI)
    import Foundation
    import SubGuardDomain
    import SubGuardEngine
    import SwiftUI

    /// With `@main` in an app; this program has its own.
    struct SubscriptionsApp: App {
        @State private var model: SubscriptionModel?
        @State private var failure: String?

        var body: some Scene {
            WindowGroup {
                if let model {
                    SubscriptionsView(model: model)
                } else {
                    Text(verbatim: failure ?? "").task { await open() }
                }
            }
        }

        private func open() async {
            do {
                model = try await SubscriptionModel.open(
                    path: NSHomeDirectory() + "/Documents/subscriptions.sqlite")
            } catch {
                failure = message(error, DisplayLanguage(.current) ?? .english)
            }
        }
    }

    struct SubscriptionsView: View {
        let model: SubscriptionModel
        @Environment(\.scenePhase) private var phase

        var body: some View {
            let style = AmountStyle(model.language)
            List {
                Section("To confirm") {
                    ForEach(model.screen.toConfirm) { charge in
                        Button("\(charge.name), \(charge.amount.formatted(style))") {
                            Task { await model.confirm(charge) }
                        }
                    }
                }
                Section("Subscriptions") {
                    ForEach(model.screen.subscriptions) { row in
                        LabeledContent(row.name, value: row.amount.formatted(style))
                            .opacity(row.status == .paused ? 0.5 : 1)
                    }
                }
            }
            .task(id: phase) {
                if phase == .active { await model.follow() }
            }
        }
    }
#endif
