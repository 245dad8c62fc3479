import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that sends a request too slowly, or leaves its answer unread.
///
/// The idle timeout of Hummingbird begins again with each part of a body. Here a request has one limit, which a client
/// can't prolong byte by byte. It begins with the connection, and for further requests with the first bytes that
/// come by themselves, or with the end of the answer before. A head that begins in the bytes of the request before, and
/// doesn't go on, is as good as none: the connection ends by the idle timeout.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let requestLimit: TimeAmount
    private let readingLimit: TimeAmount
    private var request: Scheduled<Void>?
    private var reading: Scheduled<Void>?
    /// Requests whose answers have not ended.
    private var requestsInProgress = 0
    private var hasReadPart = false
    /// Whether the first bytes of a next request have come before the answer's end.
    private var hasNextRequest = false

    init(requestLimit: Duration, readingLimit: Duration) {
        self.requestLimit = TimeAmount(requestLimit)
        self.readingLimit = TimeAmount(readingLimit)
    }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { begin(context) } }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasReadPart = true
        switch unwrapInboundIn(data) {
        case .head:
            requestsInProgress += 1
            hasNextRequest = false
            begin(context)
        case .body: break
        case .end:
            request?.cancel()
            request = nil
        }
        context.fireChannelRead(data)
    }

    /// Bytes that are no whole part of a request are the beginning of a head.
    func channelReadComplete(context: ChannelHandlerContext) {
        if !hasReadPart, request == nil {
            if requestsInProgress == 0 { begin(context) } else { hasNextRequest = true }
        }
        hasReadPart = false
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            requestsInProgress -= 1
            if requestsInProgress == 0, hasNextRequest { begin(context) }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        reading?.cancel()
        reading = context.channel.isWritable ? nil : close(context, in: readingLimit)
        context.fireChannelWritabilityChanged()
    }

    private func begin(_ context: ChannelHandlerContext) {
        request?.cancel()
        request = close(context, in: requestLimit)
    }

    private func close(_ context: ChannelHandlerContext, in limit: TimeAmount) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    private func cancel() {
        request?.cancel()
        reading?.cancel()
        (request, reading) = (nil, nil)
    }
}
