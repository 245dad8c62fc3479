import Testing

/// The output of a program on standard error before it stopped.
package func errorOutput(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}
