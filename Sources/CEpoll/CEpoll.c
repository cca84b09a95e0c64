#define _GNU_SOURCE
#include "CEpoll.h"

#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Static_assert(EPOLLIN == 0x001 && EPOLLOUT == 0x004 && EPOLLERR == 0x008 && EPOLLHUP == 0x010, "masks");
_Static_assert(EPOLLRDHUP == 0x2000 && (uint32_t)EPOLLET == 1u << 31, "masks");
_Static_assert(sizeof(struct sockaddr_in6) <= sizeof(((struct catrace_address *)0)->words), "room");

int catrace_epoll_create(void) {
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int catrace_epoll_control(int epoll, int operation, int descriptor, uint32_t mask, uint64_t token) {
    struct epoll_event event = {.events = mask, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event) < 0 ? -errno : 0;
}

int catrace_epoll_wait(int epoll, struct catrace_event *events, bool waits) {
    struct epoll_event raw[32];
    _Static_assert(sizeof raw / sizeof raw[0] == 32, "as many as catrace_batch");
    int count = (int)syscall(SYS_epoll_pwait, epoll, raw, catrace_batch, waits ? -1 : 0, NULL, 0);
    if (count < 0) return -errno;
    for (int index = 0; index < count; index++) {
        events[index].token = raw[index].data.u64;
        events[index].mask = raw[index].events;
    }
    return count;
}

int catrace_timer_create(void) {
    int descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int catrace_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec when = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) < 0 ? -errno : 0;
}

int catrace_event_create(void) {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

void catrace_event_ring(int descriptor) {
    uint64_t one = 1;
    // It fails only when it was rung 2^64 times.
    if (write(descriptor, &one, sizeof one) < 0) return;
}

long catrace_send(int descriptor, const void *bytes, unsigned long count) {
    long taken = syscall(SYS_sendto, descriptor, bytes, count, MSG_NOSIGNAL, NULL, 0);
    return taken < 0 ? -errno : taken;
}

long catrace_receive(int descriptor, void *bytes, unsigned long room) {
    long got = syscall(SYS_recvfrom, descriptor, bytes, room, 0, NULL, NULL);
    return got < 0 ? -errno : got;
}

int catrace_peek(int descriptor) {
    unsigned char byte;
    long got = syscall(SYS_recvfrom, descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT, NULL, NULL);
    return got == 1 ? byte : -1;
}

int catrace_set(int descriptor, int level, int name, int value) {
    return setsockopt(descriptor, level, name, &value, sizeof value) < 0 ? -errno : 0;
}

void catrace_set_stream_options(int descriptor) {
    catrace_set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
    catrace_set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
    catrace_set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 10);
    catrace_set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    catrace_set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 3);
    catrace_set(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, 25000);
}

int catrace_socket(const struct catrace_address *address) {
    int family = ((const struct sockaddr *)address->words)->sa_family;
    int descriptor = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int catrace_bind(int descriptor, const struct catrace_address *address) {
    return bind(descriptor, (const struct sockaddr *)address->words, address->length) < 0 ? -errno : 0;
}

int catrace_connect(int descriptor, const struct catrace_address *address) {
    return connect(descriptor, (const struct sockaddr *)address->words, address->length) < 0 ? -errno : 0;
}

int catrace_accept(int listener, struct catrace_address *peer) {
    peer->length = sizeof peer->words;
    int descriptor =
        accept4(listener, (struct sockaddr *)peer->words, &peer->length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int catrace_socket_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0 ? errno : error;
}

void catrace_set_abortive(int descriptor) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

int catrace_local_address(int descriptor, struct catrace_address *address) {
    address->length = sizeof address->words;
    return getsockname(descriptor, (struct sockaddr *)address->words, &address->length) < 0 ? -errno : 0;
}

int catrace_peer_address(int descriptor, struct catrace_address *address) {
    address->length = sizeof address->words;
    return getpeername(descriptor, (struct sockaddr *)address->words, &address->length) < 0 ? -errno : 0;
}

uint16_t catrace_address_port(const struct catrace_address *address) {
    if (((const struct sockaddr *)address->words)->sa_family == AF_INET6) {
        return ntohs(((const struct sockaddr_in6 *)address->words)->sin6_port);
    }
    return ntohs(((const struct sockaddr_in *)address->words)->sin_port);
}

bool catrace_address_is_any6(const struct catrace_address *address) {
    return ((const struct sockaddr *)address->words)->sa_family == AF_INET6
        && IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address->words)->sin6_addr);
}

bool catrace_address_parse(const char *host, uint16_t port, struct catrace_address *address) {
    memset(address, 0, sizeof *address);
    struct sockaddr_in *four = (struct sockaddr_in *)address->words;
    if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        address->length = sizeof *four;
        return true;
    }
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address->words;
    if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        address->length = sizeof *six;
        return true;
    }
    return false;
}

int catrace_address_resolve(
    const char *host, uint16_t port, struct catrace_address *addresses, int room) {
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(host, service, &hints, &list);
    if (code != 0) return code < 0 ? code : -code;
    int count = 0;
    for (struct addrinfo *entry = list; entry != NULL && count < room; entry = entry->ai_next) {
        if (entry->ai_addrlen > sizeof addresses[count].words) continue;
        memset(&addresses[count], 0, sizeof addresses[count]);
        memcpy(addresses[count].words, entry->ai_addr, entry->ai_addrlen);
        addresses[count].length = entry->ai_addrlen;
        count++;
    }
    freeaddrinfo(list);
    return count;
}

void catrace_address_describe(const struct catrace_address *address, char *text) {
    char digits[INET6_ADDRSTRLEN] = "?";
    if (((const struct sockaddr *)address->words)->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address->words;
        if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
            inet_ntop(AF_INET, &six->sin6_addr.s6_addr[12], digits, sizeof digits);
            snprintf(text, 64, "%s:%u", digits, ntohs(six->sin6_port));
        } else {
            inet_ntop(AF_INET6, &six->sin6_addr, digits, sizeof digits);
            snprintf(text, 64, "[%s]:%u", digits, ntohs(six->sin6_port));
        }
        return;
    }
    const struct sockaddr_in *four = (const struct sockaddr_in *)address->words;
    if (((const struct sockaddr *)address->words)->sa_family == AF_INET)
        inet_ntop(AF_INET, &four->sin_addr, digits, sizeof digits);
    snprintf(text, 64, "%s:%u", digits, ntohs(four->sin_port));
}

int catrace_local_socket(void) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return descriptor < 0 ? -errno : descriptor;
}

static int local_address(const char *path, struct sockaddr_un *address) {
    unsigned long length = strlen(path);
    if (length == 0 || length >= sizeof address->sun_path) return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    return 0;
}

int catrace_local_bind(int descriptor, const char *path) {
    struct sockaddr_un address;
    int code = local_address(path, &address);
    if (code < 0) return code;
    return bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
}

int catrace_local_connect(int descriptor, const char *path) {
    struct sockaddr_un address;
    int code = local_address(path, &address);
    if (code < 0) return code;
    return connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
}

int catrace_local_peer(int descriptor, uint32_t *user, int32_t *process) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    *user = credentials.uid;
    *process = credentials.pid;
    return 0;
}

void catrace_limit_memory_pools(int count) { mallopt(M_ARENA_MAX, count); }
