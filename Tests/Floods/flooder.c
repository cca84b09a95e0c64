// Peers that mean no good, as fast as one thread can, against a server on 127.0.0.1. Usage:
//
//   flooder WHAT PORT SECONDS [COUNT]
//
// and WHAT is one of
//   resets    connects and resets at once
//   trickle   COUNT connections that send a byte each second each
//   lookups   COUNT named players who look up aliases without end, and read the answers
//   unread    COUNT spectators of whatever race is on, who never read
//   frames    COUNT random frames, behind a preface and a name; then the same again until the time is over
//   tls       COUNT connections that send the first byte of TLS and nothing else, made anew when they are closed, and
//             others that begin a handshake, wait for the server's part of it and reset
//   guesser   COUNT connections that try wrong keys of one name
//
// The last line says what was done: "connects=... sent=... received=... ended=..." (connections, bytes, bytes,
// connections that the server ended).

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_peers = 1000, room = 65536 };

static uint16_t port;
static double end;
static long connects, sent, received, ended, frames;
static uint64_t chance = 0x9E3779B97F4A7C15;  // always the same flood
static int peers[most_peers];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static uint64_t draw(void) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    return chance ^= chance << 17;
}

static void nap(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// A connection that stands; -1 when none could be made.
static int dial(int small) {
    int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (peer < 0) return -1;
    if (small) {
        int size = 1024;
        setsockopt(peer, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // A server that takes no more connections must not hold us here.
    struct timeval limit = {.tv_usec = 200000};
    setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(peer, (struct sockaddr *)&address, sizeof address) < 0) {
        close(peer);
        return -1;
    }
    int one = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(peer, F_SETFL, O_NONBLOCK);
    connects++;
    return peer;
}

static void reset(int peer) {
    struct linger abortive = {1, 0};
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &abortive, sizeof abortive);
    close(peer);
}

// False: it is gone, and closed.
static int say(int index, const void *bytes, size_t count) {
    ssize_t written = send(peers[index], bytes, count, MSG_NOSIGNAL);
    if (written > 0) sent += written;
    if (written >= 0 || errno == EAGAIN) return 1;
    close(peers[index]);
    peers[index] = -1;
    ended++;
    return 0;
}

// Takes what is there and throws it away; false: it is gone, and closed.
static int hear(int index) {
    static char buffer[room];
    while (1) {
        ssize_t count = recv(peers[index], buffer, room, 0);
        if (count > 0) {
            received += count;
            continue;
        }
        if (count < 0 && errno == EAGAIN) return 1;
        close(peers[index]);
        peers[index] = -1;
        ended++;
        return 0;
    }
}

static void flood_resets(void) {
    while (now() < end) {
        for (int i = 0; i < 64; i++) {
            int peer = dial(0);
            if (peer >= 0) reset(peer);
            else nap(0.001);
        }
    }
}

static void flood_trickle(int count) {
    const char line[] = "ping 1234567890 ";
    for (long second = 0; now() < end; second++) {
        for (int i = 0; i < count && now() < end; i++) {
            if (peers[i] < 0) peers[i] = dial(0);
            if (peers[i] >= 0 && say(i, &line[second % 16], 1)) hear(i);
            nap(1.0 / count);
        }
    }
}

static void name(int index, const char *prefix) {
    char line[64];
    int length = snprintf(line, sizeof line, "name %s-%d-%d\nset notes off\n", prefix, (int)getpid(), index);
    say(index, line, length);
}

static void flood_lookups(int count) {
    char line[512] = "alias";
    size_t length = 5;
    for (int i = 0; i < 64; i++) length += snprintf(line + length, sizeof line - length, " %d", 1 + i * 3);
    line[length++] = '\n';
    while (now() < end) {
        for (int i = 0; i < count; i++) {
            if (peers[i] < 0) {
                if ((peers[i] = dial(0)) < 0) continue;
                name(i, "asks");
                continue;
            }
            if (say(i, line, length)) hear(i);
        }
        nap(0.0002);
    }
}

// The newest race that is on, from a player's own question; 0: none.
static unsigned long race(int asker) {
    static char text[room];
    if (send(asker, "matches\n", 8, MSG_NOSIGNAL) < 0) return 0;
    nap(0.05);
    ssize_t count = recv(asker, text, room - 1, 0);
    if (count <= 0) return 0;
    text[count] = 0;
    unsigned long newest = 0;
    for (char *at = text; (at = strstr(at, "match id=")); at += 9) {
        unsigned long id = strtoul(at + 9, NULL, 10);
        if (id > newest) newest = id;
    }
    return newest;
}

static void flood_unread(int count) {
    int asker = dial(0);
    const char hello[] = "name asker\nset notes off\n";
    send(asker, hello, sizeof hello - 1, MSG_NOSIGNAL);
    while (now() < end) {
        unsigned long match = race(asker);
        char line[64];
        int length = snprintf(line, sizeof line, "unwatch\nwatch %lu\nwho\nmatches\n", match);
        for (int i = 0; i < count; i++) {
            if (peers[i] < 0) {
                if ((peers[i] = dial(1)) >= 0) name(i, "blind");
            } else if (match > 0) {
                say(i, line, length);
            }
        }
        nap(0.02);
    }
    close(asker);
}

static void flood_frames(long count) {
    static unsigned char bytes[room];
    double begin = now();
    const unsigned char hello[] = {0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 1, 0, 9, 16, 2, 'f', 'f', 0, 0, 0, 0, 0};
    while (now() < end) {
        for (int i = 0; i < 8; i++) {
            if (peers[i] < 0) {
                if ((peers[i] = dial(0)) < 0) continue;
                say(i, hello, sizeof hello);
                continue;
            }
            size_t length = 0;
            for (int frame = 0; frame < 64; frame++, frames++) {
                // Any number of a message but Quit, which would only end the connection.
                unsigned size = draw() % 24, type = draw() % 4 ? draw() % 35 : draw() % 256;
                bytes[length++] = 0;
                bytes[length++] = (unsigned char)(size + 1);
                bytes[length++] = (unsigned char)(type == 35 ? 2 : type);
                for (unsigned at = 0; at < size; at++) {
                    bytes[length++] = (unsigned char)(draw() % (draw() % 2 ? 8 : 256));
                }
            }
            // What is cut here goes on with the next frames: then a length is wrong, and the server ends it.
            if (say(i, bytes, length)) hear(i);
        }
        if (frames >= count) {
            printf("%ld frames after %.2f s\n", frames, now() - begin);
            count = INT64_MAX;
        }
        nap(0.0002);
    }
}

// As it stands in RFC 5246: TLS 1.2, ECDHE with ECDSA over P-256. The server draws a key and signs it.
static const unsigned char client_hello[] = {
    22, 3, 1, 0, 71,                                                   // a record
    1, 0, 0, 67, 3, 3,                                                 // ClientHello
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,              // its random
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,    //
    0, 0, 2, 0xC0, 0x2B, 1, 0,                                         // no session, one suite, no compression
    0, 24,                                                             // extensions:
    0, 10, 0, 4, 0, 2, 0, 23,                                          // supported_groups
    0, 11, 0, 2, 1, 0,                                                 // ec_point_formats
    0, 13, 0, 6, 0, 4, 4, 3, 8, 7,                                     // signature_algorithms
};

static void flood_tls(int count) {
    enum { handshakes = 16 };
    int all = count + handshakes < most_peers ? count + handshakes : most_peers;
    while (now() < end) {
        for (int i = 0; i < all; i++) {
            int begins = i >= count;
            if (peers[i] < 0) {
                if ((peers[i] = dial(0)) < 0) continue;
                say(i, begins ? client_hello : (const unsigned char *)"\x16", begins ? sizeof client_hello : 1);
                continue;
            }
            long before = received;
            if (!hear(i) || !begins || received == before) continue;
            frames++;
            reset(peers[i]);
            peers[i] = -1;
        }
        nap(0.0002);
    }
}

static void flood_guesser(int count) {
    const char victim[] = "name victim\n";
    int owner = dial(0);
    send(owner, victim, sizeof victim - 1, MSG_NOSIGNAL);
    while (now() < end) {
        for (int i = 0; i < count; i++) {
            if (peers[i] < 0 && (peers[i] = dial(0)) < 0) continue;
            char line[80];
            int length = snprintf(line, sizeof line, "name victim %016lx%016lx\n", (unsigned long)draw(),
                                  (unsigned long)draw());
            if (say(i, line, length)) hear(i);
        }
        nap(0.0002);
    }
    close(owner);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: flooder resets|trickle|lookups|unread|frames|tls|guesser PORT SECONDS [COUNT]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    for (int i = 0; i < most_peers; i++) peers[i] = -1;
    const char *what = argv[1];
    port = (uint16_t)atoi(argv[2]);
    end = now() + atof(argv[3]);
    long count = argc > 4 ? atol(argv[4]) : 100;
    if (strcmp(what, "frames") != 0 && count > most_peers) count = most_peers;
    if (strcmp(what, "resets") == 0) flood_resets();
    else if (strcmp(what, "trickle") == 0) flood_trickle((int)count);
    else if (strcmp(what, "lookups") == 0) flood_lookups((int)count);
    else if (strcmp(what, "unread") == 0) flood_unread((int)count);
    else if (strcmp(what, "frames") == 0) flood_frames(count);
    else if (strcmp(what, "tls") == 0) flood_tls((int)count);
    else if (strcmp(what, "guesser") == 0) flood_guesser((int)count);
    else {
        fprintf(stderr, "flooder: there is no flood '%s'\n", what);
        return 2;
    }
    printf("connects=%ld sent=%ld received=%ld ended=%ld frames=%ld\n", connects, sent, received, ended, frames);
    return 0;
}
