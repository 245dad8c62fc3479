// SPDX-License-Identifier: Apache-2.0

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#include <errno.h>
#ifdef _WIN32
#include <winsock2.h>
#define poll WSAPoll
#else
#include <poll.h>
#endif

/* Waits until a socket is ready or a second descriptor is readable. A descriptor below 0 is ignored; a timeout below 0
   waits for ever. The result has bit 1 if the socket is ready or broken, bit 2 if the second descriptor is readable.
   0: the timeout has passed, or a signal came. */
static inline int opencoredata_poll(int socket, int for_writing, int interrupt, int milliseconds) {
    struct pollfd descriptors[2] = {
        {.fd = socket, .events = for_writing ? POLLOUT : POLLIN},
        {.fd = interrupt, .events = POLLIN},
    };
    int count = poll(descriptors, 2, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : 1;
    return (descriptors[0].revents ? 1 : 0) | (descriptors[1].revents ? 2 : 0);
}
