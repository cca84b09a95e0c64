// The floor under all measurements: a bare single-threaded epoll relay, which a race server is compared with. It pairs
// connections as they come, and answers each move with bytes of the size and form of a server's answer (a Moved and a
// TurnStarted frame, always the same ones), to both of the pair. It knows no rules, checks nothing and keeps no
// deadlines.
//
// Before that it says what makes the harness begin (`catrace-load --floor`, which sends a wish for a race and then
// moves, nothing else): a welcome to each who comes, and a found race to each pair.
//
// Edge-triggered, one read and one write for each connection and batch: nothing that a bare loop could leave out.
//
// Usage: relay [PORT]       (0, the default, takes a free one; says "listening host=127.0.0.1 port=N" like the server)

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    move_bytes = 7,     // a Move frame: length, type, turn
    answer_bytes = 32,  // a Moved frame and a TurnStarted frame
    most_moves = 64,    // answered with one write
    most_events = 256,
    most_connections = 20000,
};

struct peer {
    int partner;         // -1: none
    unsigned char part;  // bytes of a move that came without its end
    unsigned char is_paired;
};

static struct peer peers[most_connections];
static int epoll;
static int listener;
static int waiting = -1;  // who asked for a race and has no partner yet
static uint64_t last_pair;

// MARK: Frames

static unsigned char frames[512];
static size_t end;

static void add(uint64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) frames[end++] = (unsigned char)(value >> shift);
}

static void add_head(int type, int body_bytes) {
    add((uint64_t)body_bytes + 1, 2);
    add((uint64_t)type, 1);
}

static void add_name(int seat) {
    add(1, 1);
    add(seat == 1 ? 'a' : 'b', 1);
}

static void add_turn(void) {
    add_head(72, 11);
    add(1, 4);   // event
    add(1, 4);   // turn
    add(1, 1);   // player
    add(20, 2);  // seconds
}

static void send_welcome(int connection) {
    end = 0;
    add(0xCA7EACE000010000, 8);
    add_head(64, 11);
    add((uint64_t)connection, 8);
    add_name(1);
    add(0, 1);  // no key
    send(connection, frames, end, MSG_NOSIGNAL);
}

static void send_found(int connection, int seat, int first, int second) {
    end = 0;
    add_head(68, 8 + 1 + 6 + 32 + 1 + 2 * 11);
    add(last_pair, 8);
    add((uint64_t)seat, 1);
    add(0, 2);          // rule turns, draw highest
    add(100000000, 4);  // finish
    for (int word = 0; word < 4; word++) add(0, 8);
    add(2, 1);
    for (int other = 1; other <= 2; other++) {
        add((uint64_t)other, 1);
        add((uint64_t)(other == 1 ? first : second), 8);
        add_name(other);
    }
    add_head(71, 3);  // player order
    add(2, 1);
    add(1, 1);
    add(2, 1);
    add_head(1, 2);  // begin
    add(20, 2);
    add_turn();
    send(connection, frames, end, MSG_NOSIGNAL);
}

static void make_answer(unsigned char *answer) {
    end = 0;
    add_head(2, 15);
    add(1, 4);  // event
    add(1, 4);  // turn
    add(1, 1);  // player
    add(1, 1);  // steps
    add(1, 4);  // position
    add(0, 1);  // not automatic
    add_turn();
    for (int index = 0; index < most_moves; index++) memcpy(answer + index * answer_bytes, frames, answer_bytes);
}

// MARK: Connections

static void listen_on(int port) {
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // connections inherit it
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0) {
        perror("relay");
        exit(1);
    }
    printf("listening host=127.0.0.1 port=%d\n", ntohs(address.sin_port));
    fflush(stdout);
}

static void accept_all(void) {
    for (;;) {
        int connection = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (connection < 0) return;
        if (connection >= most_connections) {
            close(connection);
            continue;
        }
        peers[connection] = (struct peer){.partner = -1};
        struct epoll_event event = {.events = EPOLLIN | EPOLLET | EPOLLRDHUP, .data.fd = connection};
        epoll_ctl(epoll, EPOLL_CTL_ADD, connection, &event);
        send_welcome(connection);
    }
}

static void pair(int connection) {
    peers[connection].is_paired = 1;
    if (waiting < 0) {
        waiting = connection;
        return;
    }
    peers[connection].partner = waiting;
    peers[waiting].partner = connection;
    last_pair++;
    send_found(waiting, 1, waiting, connection);
    send_found(connection, 2, waiting, connection);
    waiting = -1;
}

static void drop(int connection) {
    int partner = peers[connection].partner;
    if (partner >= 0) peers[partner].partner = -1;
    if (waiting == connection) waiting = -1;
    close(connection);
}

int main(int count, char **arguments) {
    static unsigned char input[65536];
    static unsigned char answer[answer_bytes * most_moves];
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    make_answer(answer);
    listen_on(count > 1 ? atoi(arguments[1]) : 0);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        struct epoll_event events[most_events];
        int ready = epoll_wait(epoll, events, most_events, -1);
        for (int index = 0; index < ready; index++) {
            int connection = events[index].data.fd;
            if (connection == listener) {
                accept_all();
                continue;
            }
            ssize_t got = recv(connection, input, sizeof input, 0);
            if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (got <= 0) {
                drop(connection);
                continue;
            }
            struct peer *peer = &peers[connection];
            if (!peer->is_paired) {
                pair(connection);
                continue;
            }
            size_t bytes = peer->part + (size_t)got;
            size_t moves = bytes / move_bytes;
            peer->part = (unsigned char)(bytes % move_bytes);
            while (moves > 0) {
                size_t now = moves < most_moves ? moves : most_moves;
                send(connection, answer, now * answer_bytes, MSG_NOSIGNAL);
                if (peer->partner >= 0) send(peer->partner, answer, now * answer_bytes, MSG_NOSIGNAL);
                moves -= now;
            }
        }
    }
}
