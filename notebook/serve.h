/* A page for one reader's browser: what the files of --watch share.
 *   serve.c      runs the notebook when a file changes       http.c    connections
 *   watched.c    which files a script depends on */
#ifndef DSL_NOTEBOOK_SERVE_H
#define DSL_NOTEBOOK_SERVE_H

#include "notebook/write.h"

/* ---- http.c */
enum { MAX_CLIENTS = 64 };
typedef struct Client Client;
typedef struct Server {
    int listener, port;
    Client *clients[MAX_CLIENTS];
    char *page;            /* malloc'd */
    size_t page_len;
    char state[64];        /* what those who come now are told first: "running"; "" when nothing is under way */
} Server;
/* On this machine's own address only; port 0: any that is free.  False: errno tells why. */
bool server_open(Server *s, int port);
void server_close(Server *s);
void server_page(Server *s, char *page, size_t len); /* takes the text over, tells all who listen */
void server_running(Server *s, const char *how_far);
void server_turn(Server *s, int milliseconds);       /* serves for at most so long, less when something happens */

/* ---- watched.c */
typedef struct WatchedFile {
    const char *path;
    bool script, loaded, saved; /* loaded, saved: the run said so */
    bool late;                  /* changed while the last run went on, after it was loaded */
    int64_t size, sec, nsec, inode;
} WatchedFile;
typedef struct Watched {
    Arena *arena;
    VEC(WatchedFile) files;
    int64_t noted;
} Watched; /* noted: bytes that were read of what the run says to have used */
/* The script, what it imports, and the files that it names, there or not; before: what the run before used, or NULL */
Watched watched_find(const Options *o, const char *path, const Watched *before);
void watched_free(Watched *w);
bool watched_changed(const Watched *w, bool scripts_only);
/* Adds the files that the script at path says to have used: DSL_FILES (runtime/npy.c), open as fd. */
void watched_note(Watched *w, const char *path, int fd);
/* The run has ended: what it wrote itself is no news. */
void watched_settle(Watched *w);

#endif
