/* As much of HTTP/1.1 (RFC 9112) as one page and its stream of news (server-sent events, HTML section 9.2) need.
 *
 * One loop over poll(), no waiting anywhere else: a client that reads slowly, sends half a request or too much of one
 * has its limits and is then hung up on.  The server listens on the loopback address only, and answers only requests
 * that name it: a page elsewhere whose host name was bent to this address (DNS rebinding) learns nothing. */
#include "notebook/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_REQUEST = 8192, MAX_BACKLOG = 1 << 16, PATIENCE = 20, HEARTBEAT = 15 }; /* bytes, bytes, seconds, seconds */

struct Client {
    int fd;
    char in[MAX_REQUEST + 1];
    size_t got;
    bool answered, listens, done; /* listens: to the news */
    char *out;                    /* malloc'd; from sent to len is still to be sent */
    size_t sent, len, cap;
    time_t moved;                 /* when it last sent or took something */
};

static time_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* ---- writing */

static void queue(Client *c, const char *text, size_t n) {
    if (c->sent) {
        memmove(c->out, c->out + c->sent, c->len - c->sent);
        c->len -= c->sent;
        c->sent = 0;
    }
    if (c->len + n > c->cap) {
        c->cap = 2 * c->cap + n;
        c->out = realloc(c->out, c->cap);
        if (!c->out) fatal_oom();
    }
    memcpy(c->out + c->len, text, n);
    c->len += n;
}

static void queue_event(Client *c, const char *text) {
    if (c->len - c->sent > MAX_BACKLOG) c->done = true;
    else queue(c, text, strlen(text));
}

static void answer(Client *c, const char *status, const char *type, const char *body, size_t n) {
    char head[512];
    int k = snprintf(
        head, sizeof head,
        "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n%s"
        "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: "
        "DENY\r\nConnection: close\r\n\r\n",
        status, type, n, !strncmp(status, "405", 3) ? "Allow: GET\r\n" : "");
    queue(c, head, (size_t)k);
    queue(c, body, n);
    c->answered = true;
}

static void refuse(Client *c, const char *status) {
    char body[128];
    int n = snprintf(body, sizeof body, "%s\n", status);
    answer(c, status, "text/plain", body, (size_t)n);
}

static void send_some(Client *c) {
    ssize_t n = send(c->fd, c->out + c->sent, c->len - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) c->sent += (size_t)n, c->moved = now();
    else if (errno != EAGAIN && errno != EINTR) c->done = true;
    if (c->sent == c->len && c->answered && !c->listens)
        shutdown(c->fd, SHUT_WR); /* closed when it has hung up, too: it may still be sending */
}

/* ---- reading */

/* The value of a header, without the blanks around it; false: it is not there, or twice. */
static bool header(const char *head, const char *name, char *out, size_t cap) {
    int found = 0;
    size_t n = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line && strncmp(line, "\r\n\r\n", 4) != 0;
         line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, n) != 0 || line[n] != ':') continue;
        const char *value = line + n + 1 + strspn(line + n + 1, " \t");
        size_t len = strcspn(value, "\r");
        while (len && (value[len - 1] == ' ' || value[len - 1] == '\t')) len--;
        if (len >= cap) return false;
        snprintf(out, cap, "%.*s", (int)len, value);
        found++;
    }
    return found == 1;
}

static bool is_for_us(const Server *s, const char *head) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char host[64], want[64];
    if (!header(head, "Host", host, sizeof host)) return false;
    for (int i = 0; i < 2; i++) {
        snprintf(want, sizeof want, "%s:%d", names[i], s->port);
        if (!strcasecmp(host, want) || (s->port == 80 && !strcasecmp(host, names[i]))) return true;
    }
    return false;
}

static void begin_news(const Server *s, Client *c) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: "
                               "no-store\r\nConnection: close\r\n\r\nretry: 1000\n\n";
    queue(c, head, strlen(head));
    c->answered = c->listens = true;
    if (*s->state) queue_event(c, s->state);
}

static void respond(const Server *s, Client *c) {
    char method[16], target[256], version[16];
    bool whole = sscanf(c->in, "%15[A-Z] %255[^ \r\n] HTTP/1.%15[0-9]", method, target, version) == 3;
    if (!whole) refuse(c, "400 Bad Request");
    else if (!is_for_us(s, c->in)) refuse(c, "403 Forbidden");
    else if (strcmp(method, "GET") != 0) refuse(c, "405 Method Not Allowed");
    else if (!strcmp(target, "/")) answer(c, "200 OK", "text/html", s->page, s->page_len);
    else if (!strcmp(target, "/events")) begin_news(s, c);
    else refuse(c, "404 Not Found");
}

static void receive(const Server *s, Client *c) {
    char waste[4096];
    ssize_t n = c->answered ? recv(c->fd, waste, sizeof waste, MSG_DONTWAIT)
                            : recv(c->fd, c->in + c->got, MAX_REQUEST - c->got, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) c->done = true;
    if (n <= 0 || c->answered) return;
    c->moved = now();
    c->got += (size_t)n;
    c->in[c->got] = 0;
    if (strlen(c->in) < c->got) refuse(c, "400 Bad Request");
    else if (strstr(c->in, "\r\n\r\n")) respond(s, c);
    else if (c->got == MAX_REQUEST) refuse(c, "431 Request Header Fields Too Large");
}

/* ---- clients */

static void hang_up(Server *s, int i) {
    shutdown(s->clients[i]->fd, SHUT_RDWR); /* a process that runs the notebook may hold it, too */
    close(s->clients[i]->fd);
    free(s->clients[i]->out);
    free(s->clients[i]);
    s->clients[i] = NULL;
}

/* When all places are taken, that of who has been still for longest */
static int free_place(Server *s) {
    int oldest = 0;
    for (int i = 0; i < MAX_CLIENTS; i++) {
        if (!s->clients[i]) return i;
        if (s->clients[i]->moved < s->clients[oldest]->moved) oldest = i;
    }
    hang_up(s, oldest);
    return oldest;
}

static void greet(Server *s) {
    int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    Client *c = calloc(1, sizeof *c);
    if (!c) fatal_oom();
    c->fd = fd;
    c->moved = now();
    s->clients[free_place(s)] = c;
}

/* Half a request, or an answer that nobody takes: hung up on after a while.  Listeners are sent a blank comment now and
 * then. */
static void tend(Client *c) {
    time_t still = now() - c->moved;
    bool waiting = c->listens && c->sent == c->len; /* for news */
    if (!waiting) c->done |= still > PATIENCE;
    else if (still >= HEARTBEAT) queue_event(c, ": \n\n");
}

void server_turn(Server *s, int milliseconds) {
    struct pollfd polled[MAX_CLIENTS + 1] = {{.fd = s->listener, .events = POLLIN}};
    for (int i = 0; i < MAX_CLIENTS; i++) {
        const Client *c = s->clients[i];
        polled[i + 1] = (struct pollfd){.fd = c ? c->fd : -1,
                                        .events = (short)(POLLIN | (c && c->sent < c->len ? POLLOUT : 0))};
    }
    bool any = poll(polled, MAX_CLIENTS + 1, milliseconds) > 0;
    for (int i = 0; i < MAX_CLIENTS; i++) {
        Client *c = s->clients[i];
        short got = any ? polled[i + 1].revents : 0;
        if (!c) continue;
        if (got & (POLLERR | POLLNVAL)) c->done = true;
        if (!c->done && got & (POLLIN | POLLHUP)) receive(s, c);
        if (!c->done && c->sent < c->len) send_some(c);
        tend(c);
        if (c->done) hang_up(s, i);
    }
    if (any && polled[0].revents & POLLIN) greet(s);
}

/* ---- the page */

static void tell(Server *s, const char *event) {
    for (int i = 0; i < MAX_CLIENTS; i++)
        if (s->clients[i] && s->clients[i]->listens) queue_event(s->clients[i], event);
}

void server_page(Server *s, char *page, size_t len) {
    free(s->page);
    s->page = page;
    s->page_len = len;
    *s->state = 0;
    tell(s, "event: ready\ndata: \n\n");
}

void server_running(Server *s, const char *how_far) {
    char state[sizeof s->state];
    snprintf(state, sizeof state, "event: running\ndata: %s\n\n", how_far);
    if (!strcmp(state, s->state)) return;
    memcpy(s->state, state, sizeof state);
    tell(s, state);
}

/* ---- public */

bool server_open(Server *s, int port) {
    *s = (Server){.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    int yes = 1;
    setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    bool ok = s->listener >= 0 && !bind(s->listener, (struct sockaddr *)&at, n) && !listen(s->listener, MAX_CLIENTS) &&
              !getsockname(s->listener, (struct sockaddr *)&at, &n);
    if (ok) s->port = ntohs(at.sin_port);
    else if (s->listener >= 0) {
        int error = errno;
        close(s->listener);
        errno = error;
    }
    return ok;
}

void server_close(Server *s) {
    for (int i = 0; i < MAX_CLIENTS; i++)
        if (s->clients[i]) hang_up(s, i);
    close(s->listener);
    free(s->page);
}
