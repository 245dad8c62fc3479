import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that sends a request too slowly, or leaves its answer unread.
///
/// The idle timeout of Hummingbird begins again with each part of a body. Here a request has one limit, which a client
/// can't prolong byte by byte.
final class DeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let requestLimit: TimeAmount
    private let readingLimit: TimeAmount
    private var request: Scheduled<Void>?
    private var reading: Scheduled<Void>?

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
        switch unwrapInboundIn(data) {
        case .head: begin(context)
        case .body: break
        case .end:
            request?.cancel()
            request = nil
        }
        context.fireChannelRead(data)
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
