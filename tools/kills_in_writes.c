/* Preloaded into a program: stops it in the nth change of its store, for `python -m tools.kills` to kill it there.
 *
 * A change is a write, a renaming, a removal or a truncation of a file below KILLS_STORE. The nth write is done by half.
 * Each change is a line of KILLS_JOURNAL; with KILLS_AT=0 the program is only observed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_int changes;

static void say(const char *what) {
    char line[PATH_MAX];
    int length = snprintf(line, sizeof line, "%d %s\n", getpid(), what);
    int journal = open(getenv("KILLS_JOURNAL"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    REAL(write)(journal, line, length);
    close(journal);
}

static int below(const char *path) {
    const char *store = getenv("KILLS_STORE");
    char whole[PATH_MAX];
    if (path[0] != '/' && realpath(path, whole)) path = whole;
    return store && !strncmp(path, store, strlen(store));
}

/* Whether this is the change in which the program is to die. */
static int due(const char *path) {
    if (!below(path)) return 0;
    say("change");
    return atomic_fetch_add(&changes, 1) + 1 == atoi(getenv("KILLS_AT"));
}

static int due_in(int file) {
    char link[64], path[PATH_MAX] = {0};
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return readlink(link, path, sizeof path - 1) > 0 && due(path);
}

static void die(void) {
    say("at in-a-write");
    for (;;) pause();
}

ssize_t write(int file, const void *bytes, size_t size) {
    if (due_in(file)) { REAL(write)(file, bytes, size / 2); die(); }
    return REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    if (due_in(file)) { REAL(pwrite)(file, bytes, size / 2, at); die(); }
    return REAL(pwrite)(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    if (due_in(file)) { REAL(pwrite64)(file, bytes, size / 2, at); die(); }
    return REAL(pwrite64)(file, bytes, size, at);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
    if (due_in(file)) { REAL(write)(file, parts[0].iov_base, parts[0].iov_len / 2); die(); }
    return REAL(writev)(file, parts, count);
}
int ftruncate64(int file, off64_t size) { if (due_in(file)) die(); return REAL(ftruncate64)(file, size); }
int rename(const char *from, const char *to) { if (due(from)) die(); return REAL(rename)(from, to); }
int unlink(const char *path) { if (due(path)) die(); return REAL(unlink)(path); }
