/*
 * Notes, in their order, what a process does to the files below a folder, and what it sends to sockets and its standard
 * output. LD_PRELOAD=shim.so SHIM_FOLDER=/folder SHIM_LOG=/log.
 *
 * A note is five numbers of 8 bytes (kind, inode, offset, length of a, length of b), then a, then b. Each real call and its
 * note are made under one lock. What is written into shared memory is not seen: SQLite has only its index of the
 * write-ahead file there, which it makes anew.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MADE = 1, WROTE = 2, CUT = 3, SYNCED = 4, RENAMED = 5, REMOVED = 6, LINKED = 7, SENT = 8, FOLDER_SYNCED = 9 };
#define MOST_FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int log_fd = -1;
/* By descriptor: 0 unknown, 1 a file of the folder, 2 a socket, 3 of no interest, 4 a folder. */
static unsigned char kinds[MOST_FILES];

static void start(void) {
  if (folder) return;
  const char *where = getenv("SHIM_FOLDER");
  const char *log = getenv("SHIM_LOG");
  folder = where ? where : "/nowhere";
  if (log) log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t count = syscall(SYS_write, log_fd, at, length);
    if (count < 0) abort();
    at += count;
    length -= count;
  }
}

static void note(int kind, uint64_t inode, uint64_t offset, const void *a, uint64_t a_length, const void *b, uint64_t b_length) {
  if (log_fd < 0) return;
  uint64_t head[5] = {kind, inode, offset, a_length, b_length};
  put(head, sizeof head);
  if (a_length) put(a, a_length);
  if (b_length) put(b, b_length);
}

static int is_ours(const char *path) {
  start();
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int kind_of(int fd) {
  if (fd < 0 || fd >= MOST_FILES) return 3;
  if (kinds[fd] == 0) {
    struct stat found;
    int is_socket = fstat(fd, &found) == 0 && S_ISSOCK(found.st_mode);
    kinds[fd] = fd == 1 || is_socket ? 2 : 3;
  }
  return kinds[fd];
}

static uint64_t inode_of(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  start();
  int ours = is_ours(path);
  pthread_mutex_lock(&lock);
  int was_there = ours && access(path, F_OK) == 0;
  int fd = syscall(SYS_openat, at, path, flags, mode);
  int error = errno;
  if (fd >= 0 && fd < MOST_FILES) {
    kinds[fd] = 3;
    struct stat found;
    if (ours && fstat(fd, &found) == 0) {
      kinds[fd] = S_ISDIR(found.st_mode) ? 4 : 1;
      if (!was_there) note(MADE, found.st_ino, 0, path, strlen(path), 0, 0);
      else if (flags & O_TRUNC) note(CUT, found.st_ino, 0, 0, 0, 0, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

#define MODE                        \
  mode_t mode = 0;                  \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list list;                   \
    va_start(list, flags);          \
    mode = va_arg(list, mode_t);    \
    va_end(list);                   \
  }

int open(const char *path, int flags, ...) { MODE return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return open_at(at, path, flags, mode); }

int close(int fd) {
  if (fd >= 0 && fd < MOST_FILES) kinds[fd] = 0;
  return syscall(SYS_close, fd);
}

/* offset -1: where the file stands. */
static ssize_t write_at(int fd, const void *bytes, size_t length, off64_t offset) {
  start();
  int kind = kind_of(fd);
  if (kind == 3 || kind == 4) {
    return offset == -1 ? syscall(SYS_write, fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, offset);
  }
  pthread_mutex_lock(&lock);
  /* What is sent may have left before the call returns. */
  if (kind == 2) note(SENT, fd, 0, bytes, length, 0, 0);
  off64_t at = offset;
  if (kind == 1 && offset == -1) {
    int flags = fcntl(fd, F_GETFL);
    at = lseek64(fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  }
  ssize_t count = offset == -1 ? syscall(SYS_write, fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, offset);
  int error = errno;
  if (kind == 1 && count > 0) note(WROTE, inode_of(fd), at, bytes, count, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return count;
}

ssize_t write(int fd, const void *bytes, size_t length) { return write_at(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return write_at(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return write_at(fd, bytes, length, offset); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
  start();
  int kind = kind_of(fd);
  if (kind == 1) {
    ssize_t all = 0;
    for (int index = 0; index < count; index += 1) {
      ssize_t some = write_at(fd, parts[index].iov_base, parts[index].iov_len, -1);
      if (some < 0) return all > 0 ? all : some;
      all += some;
      if ((size_t)some < parts[index].iov_len) break;
    }
    return all;
  }
  if (kind != 2) return syscall(SYS_writev, fd, parts, count);
  pthread_mutex_lock(&lock);
  size_t length = 0;
  for (int index = 0; index < count; index += 1) length += parts[index].iov_len;
  char *bytes = malloc(length + 1);
  size_t at = 0;
  for (int index = 0; index < count; index += 1) {
    memcpy(bytes + at, parts[index].iov_base, parts[index].iov_len);
    at += parts[index].iov_len;
  }
  note(SENT, fd, 0, bytes, length, 0, 0);
  free(bytes);
  ssize_t sent = syscall(SYS_writev, fd, parts, count);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return sent;
}

static int cut(int fd, off64_t length) {
  start();
  pthread_mutex_lock(&lock);
  int result = syscall(SYS_ftruncate, fd, length);
  int error = errno;
  if (result == 0 && kind_of(fd) == 1) note(CUT, inode_of(fd), length, 0, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

static int sync_with(long call, int fd) {
  start();
  pthread_mutex_lock(&lock);
  int result = syscall(call, fd);
  int error = errno;
  int kind = kind_of(fd);
  if (result == 0 && kind == 1) note(SYNCED, inode_of(fd), 0, 0, 0, 0, 0);
  if (result == 0 && kind == 4) note(FOLDER_SYNCED, 0, 0, 0, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int fsync(int fd) { return sync_with(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_with(SYS_fdatasync, fd); }

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&lock);
  int result = syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
  int error = errno;
  if (result == 0 && is_ours(to)) note(RENAMED, 0, 0, from, strlen(from), to, strlen(to));
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int link(const char *from, const char *to) {
  pthread_mutex_lock(&lock);
  int result = syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  int error = errno;
  if (result == 0 && is_ours(to)) note(LINKED, 0, 0, from, strlen(from), to, strlen(to));
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  int error = errno;
  if (result == 0 && is_ours(path)) note(REMOVED, 0, 0, path, strlen(path), 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
