import Testing

/// What a program wrote to standard error before it stopped.
package func errorOutput(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}
