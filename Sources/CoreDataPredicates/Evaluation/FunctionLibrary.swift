struct LibraryFunction {
    let argumentCount: Int
    let body: ([Any?]) -> Any?
    func takes(_ count: Int) -> Bool { count == argumentCount }
}
enum FunctionLibrary {
    static func function(named name: String) -> LibraryFunction? { nil }
    static var names: [String] { [] }
}
enum Message {
    static func send(_ selector: String, to target: Any?, arguments: [Any?]) -> Any? { nil }
}
