/* Loaded before a program (LD_PRELOAD): writes down all that it does to files below JOURNAL_ROOT, so that a test can work out
   what a disk would hold after a power cut at any moment; with JOURNAL_LIMIT the disk is full at so many bytes.

   A record in the file JOURNAL_LOG is a line, for writes followed by their bytes:
     create ID PATH | open ID PATH | truncate ID LENGTH | write ID OFFSET COUNT\nBYTES | sync ID | syncdir PATH
     mkdir PATH | remove PATH | rename FROM\tTO
   ID counts files as they are made. The program writes from one thread at a time; the lock is for all others. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 65536
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { dev_t device; ino_t inode; long id; } known[FILES];
static int count;
static long next_id = 1;
static int journal = -1;
static long long total;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t plain_write(int fd, const void *bytes, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return real(fd, bytes, size);
}

static int plain_open(const char *path, int flags) {
    REAL(int, "open64", const char *, int, ...);
    return real(path, flags, 0644);
}

static void put(const void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t n = plain_write(journal, (const char *)bytes + done, size - done);
        if (n < 0) abort();
        done += (size_t)n;
    }
}

static void note(const char *format, ...) {
    char line[3 * PATH_MAX];
    va_list list;
    va_start(list, format);
    int size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    put(line, (size_t)size);
}

/* True if the path is below the root; opens the journal on the way. */
static int ours(const char *path) {
    const char *root = getenv("JOURNAL_ROOT");
    if (!root || strncmp(path, root, strlen(root)) != 0) return 0;
    if (journal < 0) {
        const char *log = getenv("JOURNAL_LOG");
        journal = plain_open(log ? log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
        if (journal < 0) abort();
    }
    return 1;
}

/* The path from the root of the file system on, of a name below an open folder. */
static void whole(int folder, const char *name, char *out) {
    out[0] = 0;
    if (name[0] != '/') {
        char link[64];
        if (folder == AT_FDCWD) {
            if (!getcwd(out, PATH_MAX)) abort();
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t n = readlink(link, out, PATH_MAX - 1);
            out[n < 0 ? 0 : n] = 0;
        }
        if (name[0]) strncat(out, "/", PATH_MAX - strlen(out) - 1);
    }
    strncat(out, name, PATH_MAX - strlen(out) - 1);
}

static int open_ours(int fd, char *path) {
    whole(fd, "", path);
    return ours(path);
}

/* The number of an open file; a new one gets the next. */
static long id_of(int fd, int fresh) {
    struct stat of;
    if (fstat(fd, &of) != 0) abort();
    for (int k = count - 1; k >= 0; k--) {
        if (known[k].device == of.st_dev && known[k].inode == of.st_ino) {
            if (fresh) known[k].id = next_id++; /* the system used the inode again */
            return known[k].id;
        }
    }
    if (count == FILES) abort();
    known[count].device = of.st_dev;
    known[count].inode = of.st_ino;
    known[count].id = next_id++;
    return known[count++].id;
}

static int add(const char *path, const struct stat *of, int kind, struct FTW *place) {
    (void)path, (void)place;
    if (kind == FTW_F) total += of->st_size;
    return 0;
}

/* True if a disk of JOURNAL_LIMIT bytes has no room for `growth` more. */
static int full(long long growth) {
    const char *limit = getenv("JOURNAL_LIMIT");
    if (!limit || growth <= 0) return 0;
    total = 0;
    nftw(getenv("JOURNAL_ROOT"), add, 16, FTW_PHYS);
    return total + growth > atoll(limit);
}

static long long size_of(int fd) {
    struct stat of;
    return fstat(fd, &of) == 0 ? of.st_size : 0;
}

static int opened(int folder, const char *name, int flags, int fd, int there) {
    char path[PATH_MAX];
    whole(folder, name, path);
    if (fd < 0 || !ours(path) || (flags & O_ACCMODE) == O_RDONLY) return fd;
    pthread_mutex_lock(&lock);
    long id = id_of(fd, !there);
    note("%s %ld %s\n", there ? "open" : "create", id, path);
    if (there && (flags & O_TRUNC)) note("truncate %ld 0\n", id);
    pthread_mutex_unlock(&lock);
    return fd;
}

#define OPEN(name, of_folder, call, folder) \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    int there = faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0; \
    return opened(folder, path, flags, call, there)

int open(const char *path, int flags, ...) {
    REAL(int, "open", const char *, int, ...);
    OPEN("open", 0, real(path, flags, mode), AT_FDCWD);
}

int open64(const char *path, int flags, ...) {
    REAL(int, "open64", const char *, int, ...);
    OPEN("open64", 0, real(path, flags, mode), AT_FDCWD);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(int, "openat", int, const char *, int, ...);
    OPEN("openat", 1, real(folder, path, flags, mode), folder);
}

int openat64(int folder, const char *path, int flags, ...) {
    REAL(int, "openat64", int, const char *, int, ...);
    OPEN("openat64", 1, real(folder, path, flags, mode), folder);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    char path[PATH_MAX];
    if (!open_ours(fd, path)) return plain_write(fd, bytes, size);
    pthread_mutex_lock(&lock);
    int append = fcntl(fd, F_GETFL) & O_APPEND;
    long long at = append ? size_of(fd) : lseek(fd, 0, SEEK_CUR);
    ssize_t done = -1;
    if (full(at + (long long)size - size_of(fd))) {
        errno = ENOSPC;
    } else {
        done = plain_write(fd, bytes, size);
        if (done > 0) {
            note("write %ld %lld %zd\n", id_of(fd, 0), at, done);
            put(bytes, (size_t)done);
        }
    }
    int kept = errno;
    pthread_mutex_unlock(&lock);
    errno = kept;
    return done;
}

/* The program has no reason to take these; that it does would go unseen. */
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    char path[PATH_MAX];
    if (open_ours(fd, path)) abort();
    return real(fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *parts, int number) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    char path[PATH_MAX];
    if (open_ours(fd, path)) abort();
    return real(fd, parts, number);
}

ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t size, unsigned flags) {
    REAL(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
    char path[PATH_MAX];
    if (open_ours(to, path)) abort();
    return real(from, a, to, b, size, flags);
}

int ftruncate64(int fd, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    char path[PATH_MAX];
    int done = real(fd, length);
    if (done == 0 && open_ours(fd, path)) {
        pthread_mutex_lock(&lock);
        note("truncate %ld %lld\n", id_of(fd, 0), (long long)length);
        pthread_mutex_unlock(&lock);
    }
    return done;
}

static int synced(int fd, int done) {
    char path[PATH_MAX];
    struct stat of;
    if (done == 0 && open_ours(fd, path) && fstat(fd, &of) == 0) {
        pthread_mutex_lock(&lock);
        if (S_ISDIR(of.st_mode)) note("syncdir %s\n", path);
        else note("sync %ld\n", id_of(fd, 0));
        pthread_mutex_unlock(&lock);
    }
    return done;
}

int fsync(int fd) {
    REAL(int, "fsync", int);
    return synced(fd, real(fd));
}

int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return synced(fd, real(fd));
}

static int changed(const char *what, int folder, const char *name, int done) {
    char path[PATH_MAX];
    whole(folder, name, path);
    if (done == 0 && ours(path)) {
        pthread_mutex_lock(&lock);
        note("%s %s\n", what, path);
        pthread_mutex_unlock(&lock);
    }
    return done;
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return changed("mkdir", AT_FDCWD, path, real(path, mode));
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return changed("remove", AT_FDCWD, path, real(path));
}

int rmdir(const char *path) {
    REAL(int, "rmdir", const char *);
    return changed("remove", AT_FDCWD, path, real(path));
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    return changed("remove", folder, path, real(folder, path, flags));
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    char a[PATH_MAX], b[PATH_MAX];
    int done = real(from, to);
    whole(AT_FDCWD, from, a);
    whole(AT_FDCWD, to, b);
    if (done == 0 && ours(b)) {
        pthread_mutex_lock(&lock);
        note("rename %s\t%s\n", a, b);
        pthread_mutex_unlock(&lock);
    }
    return done;
}
