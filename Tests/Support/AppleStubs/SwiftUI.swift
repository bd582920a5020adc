// The part of SwiftUI that Examples uses. See Security.swift.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

/// Stands for every view that SwiftUI makes.
public struct Content: View {
    public var body: Content { self }
}

@resultBuilder @MainActor public enum ViewBuilder {
    public static func buildEither(first part: some View) -> Content { Content() }
    public static func buildEither(second part: some View) -> Content { Content() }
    public static func buildBlock<each Part: View>(_ parts: repeat each Part) -> Content { Content() }
}

public struct List: View {
    public init(@ViewBuilder content: () -> some View) {}
    public var body: Content { Content() }
}

public struct Section: View {
    public init(_ title: String, @ViewBuilder content: () -> some View) {}
    public var body: Content { Content() }
}

public struct ForEach: View {
    public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> some View)
    where Data.Element: Identifiable {}
    public var body: Content { Content() }
}

public struct Button: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: Content { Content() }
}

public struct LabeledContent: View {
    public init(_ title: String, value: String) {}
    public var body: Content { Content() }
}

extension View {
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { Content() }
    public func task(
        id: some Equatable, _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> some View { Content() }
    public func opacity(_ opacity: Double) -> some View { Content() }
}

public struct Text: View {
    public init(verbatim text: String) {}
    public var body: Content { Content() }
}

@MainActor @preconcurrency public protocol Scene {}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}
}

@propertyWrapper public struct State<Value> {
    private let value: Value
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public init(wrappedValue: Value) { value = wrappedValue }
}

public enum ScenePhase: Sendable {
    case background, inactive, active
}

public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
}

@propertyWrapper public struct Environment<Value> {
    public let wrappedValue: Value
    public init(_ path: KeyPath<EnvironmentValues, Value>) { wrappedValue = EnvironmentValues()[keyPath: path] }
}
