// Sends GET requests at a constant rate over keep-alive connections in turn, and measures the latency of responses.
//
// The main latency counts from the time at which a request was due, not from when it was sent: a server that stalls for
// a second delays all the requests due in that second, as it would for real clients. It includes delays of this
// program. The latency from sending is printed beside it.
//
//   paced-load [options] PORT
//     -c N      connections (64)
//     -r N      requests per second over all connections; 0 keeps them open until standard input ends (0)
//     -d N      seconds to measure (5)
//     -w N      seconds of warm-up before measuring (1)
//     -u PATH   (/healthz)
//     -s N      source addresses 127.0.0.1, 127.0.0.2 ..., for a server that limits connections per address (1)
//
// Every connection completes one request before the measurement. Then "open" is printed, and at the end one line of
// JSON.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DRAIN_NANOSECONDS 2000000000ull

struct connection {
    int descriptor;     // -1 once closed
    int busy;           // between a request and the end of its answer
    long body_left;     // -1 until the head is received
    uint64_t due, sent; // of the running request
};

static struct connection *connections;
static int *waiting; // ring of connections without a request, the longest waiting first
static int waiting_first, waiting_count, connection_count = 64;
static char request[512], input[1 << 18];
static size_t request_length;
static uint32_t *from_due, *from_sent; // microseconds
static uint64_t measure_from;
static long answered, measured, capacity, wrong, closed;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "paced-load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void put_waiting(int index) { waiting[(waiting_first + waiting_count++) % connection_count] = index; }

static int take_waiting(void) {
    int index = waiting[waiting_first];
    waiting_first = (waiting_first + 1) % connection_count;
    waiting_count--;
    return index;
}

static void lose(struct connection *connection) {
    close(connection->descriptor);
    connection->descriptor = -1;
    connection->busy = 0;
    closed++;
}

// Returns the length of the head and stores that of the body; 0 for anything but a complete head with status 200.
// Servers send head and body together, so a partial head is treated as an error.
static size_t read_head(const char *bytes, size_t count, long *body_length) {
    const char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end || count < 12 || memcmp(bytes + 9, "200", 3) != 0) return 0;
    for (const char *line = bytes; line < end; line = (const char *)memchr(line, '\n', (size_t)(end + 2 - line)) + 1) {
        if (strncasecmp(line, "content-length:", 15) == 0) {
            *body_length = strtol(line + 15, NULL, 10);
            return (size_t)(end + 4 - bytes);
        }
    }
    return 0;
}

static void finish(struct connection *connection) {
    uint64_t end = now();
    connection->busy = 0;
    answered++;
    if (connection->due >= measure_from && measured < capacity) {
        from_due[measured] = (uint32_t)((end - connection->due) / 1000);
        from_sent[measured++] = (uint32_t)((end - connection->sent) / 1000);
    }
}

// Reads available input. Returns true when a response is complete.
static int take_input(struct connection *connection) {
    ssize_t count = recv(connection->descriptor, input, sizeof input, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count <= 0 || !connection->busy) {
        lose(connection);
        return 0;
    }
    if (connection->body_left < 0) {
        size_t head = read_head(input, (size_t)count, &connection->body_left);
        if (head == 0) {
            wrong++;
            lose(connection);
            return 0;
        }
        count -= (ssize_t)head;
    }
    connection->body_left -= count;
    if (connection->body_left > 0) return 0;
    finish(connection);
    return 1;
}

static void ask(struct connection *connection, uint64_t due) {
    connection->due = due;
    connection->sent = now();
    connection->busy = 1;
    connection->body_left = -1;
    ssize_t count = send(connection->descriptor, request, request_length, MSG_NOSIGNAL);
    if (count != (ssize_t)request_length) lose(connection);
}

static void open_connection(struct connection *connection, int index, int port, int sources) {
    connection->descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->descriptor < 0) fail("socket");
    int on = 1;
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (sources > 1) {
        setsockopt(connection->descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(index % sources));
        if (bind(connection->descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    }
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    ask(connection, 0);
    while (connection->descriptor >= 0 && !take_input(connection)) continue;
    if (connection->descriptor < 0) fail("the first answer was not whole and 200");
    fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
}

static void serve_events(int poll, uint64_t until) {
    struct epoll_event events[512];
    uint64_t time = now();
    uint64_t wait = until > time ? until - time : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait / 1000000000ull), .tv_nsec = (long)(wait % 1000000000ull)};
    int count = epoll_pwait2(poll, events, 512, &timeout, NULL);
    if (count < 0 && errno != EINTR) fail("epoll_pwait2");
    for (int event = 0; event < count; event++) {
        int index = (int)events[event].data.u32;
        if (connections[index].descriptor >= 0 && take_input(&connections[index])) put_waiting(index);
    }
}

static long send_at_rate(int poll, double rate, double seconds, double warm) {
    double interval = 1e9 / rate;
    uint64_t begin = now() + 10000000ull;
    measure_from = begin + (uint64_t)(warm * 1e9);
    long total = (long)((warm + seconds) * rate), next = 0;
    uint64_t give_up = begin + (uint64_t)((warm + seconds) * 1e9) + DRAIN_NANOSECONDS;
    long before = answered;
    while (now() < give_up && closed < connection_count) {
        uint64_t due = begin + (uint64_t)((double)next * interval);
        while (next < total && waiting_count > 0 && due <= now()) {
            struct connection *connection = &connections[take_waiting()];
            if (connection->descriptor < 0) continue;
            ask(connection, due);
            due = begin + (uint64_t)((double)++next * interval);
        }
        if (next == total && answered - before + closed >= total) break;
        serve_events(poll, next < total && waiting_count > 0 ? due : now() + 10000000ull);
    }
    return total - (answered - before);
}

static int ascending(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void print_latencies(const char *name, uint32_t *values) {
    qsort(values, (size_t)measured, sizeof *values, ascending);
    double shares[] = {0.5, 0.9, 0.99, 0.999, 1};
    const char *names[] = {"p50", "p90", "p99", "p999", "max"};
    printf(",\"%s_us\":{", name);
    for (int share = 0; share < 5; share++) {
        long rank = (long)(shares[share] * (double)measured + 0.999999) - 1;
        printf("%s\"%s\":%u", share ? "," : "", names[share], measured ? values[rank < 0 ? 0 : rank] : 0);
    }
    printf("}");
}

int main(int count, char **arguments) {
    double rate = 0, seconds = 5, warm = 1;
    const char *path = "/healthz";
    int sources = 1, option;
    while ((option = getopt(count, arguments, "c:r:d:w:u:s:")) != -1) {
        switch (option) {
        case 'c': connection_count = atoi(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'd': seconds = atof(optarg); break;
        case 'w': warm = atof(optarg); break;
        case 'u': path = optarg; break;
        case 's': sources = atoi(optarg); break;
        default: return 64;
        }
    }
    int port = optind < count ? atoi(arguments[optind]) : 0;
    if (port <= 0 || connection_count <= 0 || sources <= 0) return 64;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    prctl(PR_SET_TIMERSLACK, 1);
    request_length = (size_t)snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    capacity = (long)(rate * seconds) + 1;
    connections = calloc((size_t)connection_count, sizeof *connections);
    waiting = calloc((size_t)connection_count, sizeof *waiting);
    from_due = calloc((size_t)capacity, sizeof *from_due);
    from_sent = calloc((size_t)capacity, sizeof *from_sent);
    int poll = epoll_create1(0);
    if (!connections || !waiting || !from_due || !from_sent || poll < 0) fail("start");

    measure_from = UINT64_MAX;
    for (int index = 0; index < connection_count; index++) {
        open_connection(&connections[index], index, port, sources);
        struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.u32 = (uint32_t)index};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, connections[index].descriptor, &event) != 0) fail("epoll_ctl");
        put_waiting(index);
    }
    puts("open");
    fflush(stdout);

    long unanswered = 0;
    if (rate > 0) {
        unanswered = send_at_rate(poll, rate, seconds, warm);
    } else {
        char byte;
        while (read(0, &byte, 1) > 0) continue;
        serve_events(poll, 0);
    }
    printf("{\"connections\":%d,\"measured\":%ld,\"unanswered\":%ld,\"closed\":%ld,\"wrong\":%ld", connection_count,
           measured, unanswered, closed, wrong);
    print_latencies("from_due", from_due);
    print_latencies("from_sent", from_sent);
    puts("}");
    return 0;
}
