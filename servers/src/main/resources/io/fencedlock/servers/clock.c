/* Loaded before a server's own libraries: shifts its wall clock by the nanoseconds in the file that FENCEDLOCK_CLOCK names. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift;

__attribute__((constructor)) static void open_shift(void) {
  const char *name = getenv("FENCEDLOCK_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  void *page = file < 0 ? MAP_FAILED : mmap(0, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
  shift = page == MAP_FAILED ? 0 : page;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int failed = syscall(SYS_clock_gettime, clock, time);
  if (!failed && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanos = time->tv_nsec + *shift % 1000000000;
    int64_t carry = nanos < 0 ? -1 : nanos / 1000000000;
    time->tv_sec += *shift / 1000000000 + carry;
    time->tv_nsec = nanos - carry * 1000000000;
  }
  return failed;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone; /* obsolete */
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) {
    *to = now.tv_sec;
  }
  return now.tv_sec;
}
