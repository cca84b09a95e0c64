// What Swift's Glibc module lacks: epoll, accept4, socket addresses without pointer casts, TCP options. No system
// header is included here: their contents would differ from those in other modules. Every function that can fail
// returns a negative errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct catrace_event {
    uint64_t token;
    uint32_t mask;
};

/// A `sockaddr_in` or `sockaddr_in6`.
struct catrace_address {
    uint64_t words[4];
    uint32_t length;
};

/// Bits of a mask, as in EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP, EPOLLRDHUP and EPOLLET.
static const uint32_t catrace_readable = 0x001;
static const uint32_t catrace_writable = 0x004;
static const uint32_t catrace_failed = 0x008;
static const uint32_t catrace_hung_up = 0x010;
static const uint32_t catrace_input_ended = 0x2000;
static const uint32_t catrace_edge = 1u << 31;
/// Events fetched at once: so few that what was read for is still in the cache when it is answered.
static const int32_t catrace_batch = 32;

int catrace_epoll_create(void);

/// `operation`: 1 adds, 2 removes, 3 changes, as in EPOLL_CTL_ADD, _DEL and _MOD.
int catrace_epoll_control(int epoll, int operation, int descriptor, uint32_t mask, uint64_t token);

/// Waits until something is ready, or not at all. `events` has room for `catrace_batch`.
int catrace_epoll_wait(int epoll, struct catrace_event *events, bool waits);

/// A descriptor that becomes readable at the time it is set to, in nanoseconds of CLOCK_MONOTONIC.
int catrace_timer_create(void);

int catrace_timer_set(int timer, int64_t nanoseconds);

/// A descriptor that becomes readable with each ring.
int catrace_event_create(void);

void catrace_event_ring(int descriptor);

/// Bytes taken or read, or a negative errno. Straight to the kernel: in a process with threads, the C library's own
/// switch cancellation on and off around each call, which nobody here uses.
long catrace_send(int descriptor, const void *bytes, unsigned long count);
long catrace_receive(int descriptor, void *bytes, unsigned long room);

/// The byte that would be read next, which stays unread; -1 when there is none.
int catrace_peek(int descriptor);

int catrace_set(int descriptor, int level, int name, int value);

/// A peer that vanished is found after 25 s, whether it owes us an acknowledgement or not: probes after 10 s of
/// silence and every 5 s. (The user timeout takes the place of the probe count where it is set.)
void catrace_set_stream_options(int descriptor);

int catrace_socket(const struct catrace_address *address);

int catrace_bind(int descriptor, const struct catrace_address *address);

int catrace_connect(int descriptor, const struct catrace_address *address);

int catrace_accept(int listener, struct catrace_address *peer);

/// The pending error of a socket, 0 if there is none.
int catrace_socket_error(int descriptor);

/// The next close sends a reset.
void catrace_set_abortive(int descriptor);

int catrace_local_address(int descriptor, struct catrace_address *address);

int catrace_peer_address(int descriptor, struct catrace_address *address);

uint16_t catrace_address_port(const struct catrace_address *address);

bool catrace_address_is_any6(const struct catrace_address *address);

/// `host` as digits only: no name is looked up. False if it is no address.
bool catrace_address_parse(const char *host, uint16_t port, struct catrace_address *address);

/// Looks a name up, which may take seconds. At most `room` addresses; the count, or the negative EAI code.
int catrace_address_resolve(
    const char *host, uint16_t port, struct catrace_address *addresses, int room);

/// `127.0.0.1:7223` or `[::1]:7223`, into room for 64 bytes. IPv4 that came in over IPv6 is shown as IPv4.
void catrace_address_describe(const struct catrace_address *address, char *text);

/// Of a path of 1 to 107 bytes; 0 or a negative errno.
int catrace_local_socket(void);
int catrace_local_bind(int descriptor, const char *path);
int catrace_local_connect(int descriptor, const char *path);

/// Who connected over a local socket, as the kernel knows.
int catrace_local_peer(int descriptor, uint32_t *user, int32_t *process);

/// The allocator keeps at most so many pools of memory. To be called before there are threads.
void catrace_limit_memory_pools(int count);
