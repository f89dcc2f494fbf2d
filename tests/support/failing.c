/* System calls that fail in turn; failing.h documents the variables. Each function here replaces the C
 * library's function of the same name. */
#include "support/failing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static const char *const names[CALL_COUNT] = {
    [CALL_CLOSE] = "close",       [CALL_FORK] = "fork",         [CALL_LOCK] = "lock",
    [CALL_MAP] = "map",           [CALL_MEMORY] = "memory",     [CALL_MESSAGE] = "message",
    [CALL_OPEN] = "open",         [CALL_PIPE] = "pipe",         [CALL_READ] = "read",
    [CALL_RENAME] = "rename",     [CALL_SEEK] = "seek",         [CALL_STAT] = "stat",
    [CALL_SYSTEM] = "system",     [CALL_TERMINAL] = "terminal", [CALL_THREAD] = "thread",
    [CALL_TRUNCATE] = "truncate", [CALL_WAIT] = "wait",         [CALL_WRITE] = "write",
};

#define FILES_MAX 4096

static struct {
    bool begun, chosen[CALL_COUNT], parts;
    volatile bool within; /* main has begun, and has not returned */
    long first, times;
    int code;
    pid_t process;
    int log;
    uintptr_t from, to; /* where the program's own code lies */
    bool before[FILES_MAX], of_system[FILES_MAX];
    atomic_long count, counts[CALL_COUNT];
    long room;
    atomic_long living; /* threads beside the first one */
} state;

static void say(const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (state.log >= 0 && length > 0) syscall(SYS_write, state.log, line, (size_t)length);
}

/* Write the callers, to help find the cause of a failure. */
static void say_caller(const char *name)
{
    void *frames[24];
    int count = backtrace(frames, 24);
    say("failed %s\n", name);
    if (getenv("FAILING_TRACE")) backtrace_symbols_fd(frames, count, state.log);
}

static bool due(enum call call)
{
    if (!state.begun || !state.within) return false;
    atomic_fetch_add(&state.counts[call], 1);
    if (!state.chosen[call]) return false;
    long number = atomic_fetch_add(&state.count, 1) + 1;
    if (state.first == 0 || number < state.first || (state.times && number >= state.first + state.times))
        return false;
    static _Thread_local bool within;
    if (!within) {
        within = true;
        say_caller(names[call]);
        within = false;
    }
    return true;
}

bool failing(enum call call)
{
    int before = errno;
    bool fails = !state.parts && due(call);
    errno = fails ? state.code : before;
    return fails;
}

bool failing_short(enum call call)
{
    int before = errno;
    bool fails = state.parts && due(call);
    errno = before;
    return fails;
}

static bool is_log(int fd)
{
    return state.log >= 0 && fd == state.log;
}

/* The next function of this name. Data and functions have one size wherever this is used. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define REAL(name) ((__typeof__(&(name)))next(#name))

/* Each file that is open. */
static void list_files(void (*take)(int fd))
{
    for (int fd = 0; fd < FILES_MAX; fd++)
        if (!is_log(fd) && syscall(SYS_fcntl, fd, F_GETFD) >= 0) take(fd);
}

static void note_before(int fd)
{
    state.before[fd] = true;
}

static void say_left(int fd)
{
    char path[64], name[PATH_MAX] = "";
    if (state.before[fd]) return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, name, sizeof name - 1);
    say("left open %d %s\n", fd, length > 0 ? name : "");
}

static int find_program(struct dl_phdr_info *info, size_t size, void *argument)
{
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (!state.from || from < state.from) state.from = from;
        if (to > state.to) state.to = to;
    }
    return 1; /* the first is the program */
}

static void choose(const char *kinds)
{
    for (int k = 0; k < CALL_COUNT; k++) {
        size_t length = strlen(names[k]);
        for (const char *at = kinds; (at = strstr(at, names[k])); at += length)
            if ((at == kinds || at[-1] == ',') && (!at[length] || at[length] == ',')) state.chosen[k] = true;
    }
}

__attribute__((constructor)) static void begin(void)
{
    const char *kinds = getenv("FAILING_CALLS"), *log = getenv("FAILING_LOG"), *how = getenv("FAILING_HOW");
    void *frames[1];
    state.log = -1;
    if (!kinds) return;
    choose(kinds);
    state.first = getenv("FAILING_AT") ? atol(getenv("FAILING_AT")) : 0;
    state.times = getenv("FAILING_TIMES") ? atol(getenv("FAILING_TIMES")) : 1;
    state.parts = how && strcmp(how, "short") == 0;
    state.code = how ? atoi(how) : EIO;
    state.process = getpid();
    state.room = getenv("FAILING_ROOM") ? atol(getenv("FAILING_ROOM")) : -1;
    /* A high descriptor does not change those of the program's files, and stays open when the program closes
     * all of them. */
    if (log) {
        int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        state.log = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 1000);
        syscall(SYS_close, fd);
    }
    dl_iterate_phdr(find_program, NULL);
    list_files(note_before);
    backtrace(frames, 1); /* the first call loads the library that it needs */
    failing_streams();
    state.begun = true;
}

/* Calls of libraries before and after main do not fail, since nobody could report that: CUDA's runtime is a
 * part of the program, and allocates memory then. So this library calls main itself. */
static int (*program_main)(int, char **, char **);

static int within_main(int count, char **arguments, char **environment)
{
    state.within = true;
    int code = program_main(count, arguments, environment);
    state.within = false;
    return code;
}

int __libc_start_main(int (*entry)(int, char **, char **), int count, char **arguments, void (*first)(void),
                      void (*last)(void), void (*loader)(void), void *stack_end);

int __libc_start_main(int (*entry)(int, char **, char **), int count, char **arguments, void (*first)(void),
                      void (*last)(void), void (*loader)(void), void *stack_end)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                 void *);
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = entry;
    return start(within_main, count, arguments, first, last, loader, stack_end);
}

__attribute__((destructor)) static void end(void)
{
    if (!state.begun || getpid() != state.process) return;
    state.begun = false;
    for (int k = 0; k < CALL_COUNT; k++)
        say("count %s %ld\n", names[k], atomic_load(&state.counts[k]));
    list_files(say_left);
    if (syscall(SYS_waitid, P_ALL, 0, NULL, WEXITED | WNOHANG | WNOWAIT, NULL) == 0) say("left a process\n");
}

/* Files. The system's own files, /proc and /sys, are a separate kind: they are read often, and none is
 * essential. */

static bool is_system(int folder, const char *path)
{
    if (path[0] != '/') return folder >= 0 && folder < FILES_MAX && state.of_system[folder];
    return strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static enum call kind_of(int fd, enum call usual)
{
    return fd >= 0 && fd < FILES_MAX && state.of_system[fd] ? CALL_SYSTEM : usual;
}

int failing_open(int folder, const char *path, int flags, unsigned mode)
{
    bool system = is_system(folder, path);
    if (failing(system ? CALL_SYSTEM : CALL_OPEN)) return -1;
    int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && fd < FILES_MAX) state.of_system[fd] = system;
    return fd;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return failing_open(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return failing_open(folder, path, flags, mode);
}

int mkostemp(char *pattern, int flags)
{
    return failing(CALL_OPEN) ? -1 : REAL(mkostemp)(pattern, flags);
}

int memfd_create(const char *name, unsigned flags)
{
    return failing(CALL_OPEN) ? -1 : REAL(memfd_create)(name, flags);
}

DIR *opendir(const char *path)
{
    bool system = is_system(AT_FDCWD, path);
    DIR *folder = failing(system ? CALL_SYSTEM : CALL_OPEN) ? NULL : REAL(opendir)(path);
    if (folder && dirfd(folder) < FILES_MAX) state.of_system[dirfd(folder)] = system;
    return folder;
}

struct dirent *readdir(DIR *folder)
{
    return failing(kind_of(dirfd(folder), CALL_READ)) ? NULL : REAL(readdir)(folder);
}

void *dlopen(const char *path, int flags)
{
    if (failing(CALL_OPEN)) path = "/there is no such library";
    return REAL(dlopen)(path, flags);
}

ssize_t failing_read(int fd, void *bytes, size_t size)
{
    if (failing(kind_of(fd, CALL_READ))) return -1;
    if (size > 1 && failing_short(kind_of(fd, CALL_READ))) size = size / 3 + 1;
    return syscall(SYS_read, fd, bytes, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return failing_read(fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    if (failing(kind_of(fd, CALL_READ))) return -1;
    if (size > 1 && failing_short(kind_of(fd, CALL_READ))) size = size / 3 + 1;
    return REAL(pread)(fd, bytes, size, offset);
}

ssize_t failing_write(int fd, const void *bytes, size_t size)
{
    enum call call = fd == STDERR_FILENO ? CALL_MESSAGE : CALL_WRITE;
    if (failing(call)) return -1;
    if (size > 1 && failing_short(call)) size = size / 3 + 1;
    return syscall(SYS_write, fd, bytes, size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    return failing_write(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    if (failing(CALL_WRITE)) return -1;
    if (size > 1 && failing_short(CALL_WRITE)) size = size / 3 + 1;
    return REAL(pwrite)(fd, bytes, size, offset);
}

/* The file is closed, as it is by the system when close fails. */
int failing_close(int fd)
{
    if (is_log(fd)) return 0;
    bool fails = failing(kind_of(fd, CALL_CLOSE));
    if (fd >= 0 && fd < FILES_MAX) state.of_system[fd] = false;
    int result = (int)syscall(SYS_close, fd);
    if (fails) errno = state.code;
    return fails ? -1 : result;
}

int close(int fd)
{
    return failing_close(fd);
}

off_t failing_seek(int fd, off_t offset, int whence)
{
    return failing(CALL_SEEK) ? -1 : (off_t)syscall(SYS_lseek, fd, offset, whence);
}

off_t lseek(int fd, off_t offset, int whence)
{
    return failing_seek(fd, offset, whence);
}

int stat(const char *restrict path, struct stat *restrict about)
{
    return failing(CALL_STAT) ? -1 : REAL(stat)(path, about);
}

int lstat(const char *restrict path, struct stat *restrict about)
{
    return failing(CALL_STAT) ? -1 : REAL(lstat)(path, about);
}

int fstat(int fd, struct stat *about)
{
    return failing(CALL_STAT) ? -1 : REAL(fstat)(fd, about);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict about, int flags)
{
    return failing(CALL_STAT) ? -1 : REAL(fstatat)(folder, path, about, flags);
}

int access(const char *path, int mode)
{
    return failing(CALL_STAT) ? -1 : REAL(access)(path, mode);
}

char *realpath(const char *restrict path, char *restrict out)
{
    return failing(CALL_STAT) ? NULL : REAL(realpath)(path, out);
}

char *getcwd(char *out, size_t size)
{
    return failing(CALL_STAT) ? NULL : REAL(getcwd)(out, size);
}

int rename(const char *from, const char *to)
{
    return failing(CALL_RENAME) ? -1 : REAL(rename)(from, to);
}

int fsync(int fd)
{
    return failing(CALL_WRITE) ? -1 : REAL(fsync)(fd);
}

int ftruncate(int fd, off_t length)
{
    return failing(CALL_TRUNCATE) ? -1 : REAL(ftruncate)(fd, length);
}

int posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
    return failing(CALL_TRUNCATE) ? state.code : REAL(posix_fadvise)(fd, offset, length, advice);
}

int flock(int fd, int operation)
{
    return failing(CALL_LOCK) ? -1 : REAL(flock)(fd, operation);
}

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return failing(CALL_LOCK) ? -1 : REAL(fcntl)(fd, command, argument);
}

int pipe(int ends[2])
{
    return failing(CALL_PIPE) ? -1 : REAL(pipe)(ends);
}

int pipe2(int ends[2], int flags)
{
    return failing(CALL_PIPE) ? -1 : REAL(pipe2)(ends, flags);
}

int dup(int fd)
{
    return failing(CALL_PIPE) ? -1 : REAL(dup)(fd);
}

int dup2(int from, int to)
{
    return failing(CALL_PIPE) ? -1 : REAL(dup2)(from, to);
}

/* Processes, threads, memory. */

#ifdef __GLIBC__
extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size),
    *__libc_realloc(void *old, size_t size), __libc_free(void *block);
#else
#    define __libc_malloc malloc
#    define __libc_free free
#endif

pid_t fork(void)
{
    return failing(CALL_FORK) ? -1 : REAL(fork)();
}

pid_t waitpid(pid_t process, int *how, int options)
{
    return failing(CALL_WAIT) ? -1 : REAL(waitpid)(process, how, options);
}

int poll(struct pollfd *files, nfds_t count, int timeout)
{
    return failing(CALL_WAIT) ? -1 : REAL(poll)(files, count, timeout);
}

struct live {
    void *(*work)(void *);
    void *argument;
};

static void leave(void *unused)
{
    atomic_fetch_sub(&state.living, 1);
}

static void *live(void *argument)
{
    struct live own = *(struct live *)argument;
    void *result;
    __libc_free(argument);
    pthread_cleanup_push(leave, NULL);
    result = own.work(own.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*work)(void *), void *restrict argument)
{
    if (failing(CALL_THREAD)) return state.code;
    if (!state.begun || state.room < 0) return REAL(pthread_create)(thread, attributes, work, argument);
    struct live *own = __libc_malloc(sizeof *own);
    *own = (struct live){work, argument};
    int code = atomic_fetch_add(&state.living, 1) < state.room
                   ? REAL(pthread_create)(thread, attributes, live, own)
                   : EAGAIN;
    if (code == 0) return 0;
    atomic_fetch_sub(&state.living, 1);
    __libc_free(own);
    return code;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    return failing(CALL_MAP) ? MAP_FAILED : REAL(mmap)(address, length, protection, flags, fd, offset);
}

int tcgetattr(int fd, struct termios *modes)
{
    return failing(CALL_TERMINAL) ? -1 : REAL(tcgetattr)(fd, modes);
}

int tcsetattr(int fd, int when, const struct termios *modes)
{
    return failing(CALL_TERMINAL) ? -1 : REAL(tcsetattr)(fd, when, modes);
}

/* Libraries built for large files call these functions. If off_t has 64 bits they are the same. */
#if defined __GNUC__ && !defined __clang__
#    pragma GCC diagnostic ignored "-Wmissing-attributes"
#endif
_Static_assert(sizeof(off_t) == 8, "files have offsets of 64 bits");
#define SAME(name, of) extern __typeof__(of) name##_ __asm__(#name) __attribute__((alias(#of)))
SAME(open64, open);
SAME(openat64, openat);
SAME(mkostemp64, mkostemp);
SAME(pread64, pread);
SAME(pwrite64, pwrite);
SAME(lseek64, lseek);
SAME(stat64, stat);
SAME(lstat64, lstat);
SAME(fstat64, fstat);
SAME(fstatat64, fstatat);
SAME(ftruncate64, ftruncate);
SAME(posix_fadvise64, posix_fadvise);
SAME(readdir64, readdir);
SAME(fcntl64, fcntl);
SAME(mmap64, mmap);

#ifdef __GLIBC__
/* Only allocations of the program's own code fail. */
static bool starved(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    return state.begun && at >= state.from && at < state.to && failing(CALL_MEMORY);
}

void *malloc(size_t size)
{
    return starved(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return starved(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return starved(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
#endif
