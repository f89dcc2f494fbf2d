/* base/cgroup.c: the memory that its control groups leave a process. Each case is a folder as the kernel
 * would show it; the expected numbers are limit - used by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cgroup.h"
#include "support/files.h"

/* Write a file below the folder `root`, with the folders that it is in. */
static void put(const char *root, const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    mkdir(root, 0755);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(whole, 0755);
        *slash = '/';
    }
    files_write(whole, text, strlen(text));
}

#define V2 "/sys/fs/cgroup"
#define V1 "/sys/fs/cgroup/memory"

static void without_groups_there_is_no_limit(void **state)
{
    assert_true(cgroup_memory_left("nowhere") == SIZE_MAX);
    put("plain", "/proc/self/cgroup", "0::/\n");
    assert_true(cgroup_memory_left("plain") == SIZE_MAX); /* the topmost group has no files of memory */
    put("plain", V2 "/user/memory.max", "max\n");
    put("plain", V2 "/user/memory.current", "4000\n");
    put("plain", "/proc/self/cgroup", "0::/user\n");
    assert_true(cgroup_memory_left("plain") == SIZE_MAX);
}

/* A batch system limits the job; its steps and tasks are groups below it without limits. */
static void the_groups_above_count(void **state)
{
    put("job", "/proc/self/cgroup", "0::/slurm/job_7/step_0/task_0\n");
    put("job", V2 "/slurm/job_7/step_0/task_0/memory.max", "max\n");
    put("job", V2 "/slurm/job_7/step_0/task_0/memory.current", "100\n");
    put("job", V2 "/slurm/job_7/memory.max", "10000\n");
    put("job", V2 "/slurm/job_7/memory.current", "4000\n");
    put("job", V2 "/slurm/memory.max", "90000\n");
    put("job", V2 "/slurm/memory.current", "50000\n");
    assert_int_equal(cgroup_memory_left("job"), 6000);
    put("job", V2 "/slurm/memory.current", "89000\n"); /* other jobs have taken most of the node */
    assert_int_equal(cgroup_memory_left("job"), 1000);
    put("job", V2 "/slurm/job_7/step_0/task_0/memory.max", "600\n");
    assert_int_equal(cgroup_memory_left("job"), 500);
    put("job", V2 "/slurm/job_8/memory.max", "10\n"); /* a group that this process is not in */
    put("job", V2 "/slurm/job_8/memory.current", "9\n");
    assert_int_equal(cgroup_memory_left("job"), 500);
    put("job", V2 "/slurm/job_7/memory.current", "12000\n"); /* over its limit, which was lowered */
    assert_int_equal(cgroup_memory_left("job"), 0);
}

/* A container shows its group as the topmost one, and may name it as the host does. */
static void a_container_has_its_group_on_top(void **state)
{
    static const char *const names[] = {"0::/\n", "0::/docker/0123456789abcdef\n",
                                        "0::/../../system.slice\n"};
    put("box", V2 "/memory.max", "8000\n");
    put("box", V2 "/memory.current", "3000\n");
    put("box", "/sys/memory.max", "10\n"); /* files outside are not read */
    put("box", "/sys/memory.current", "1\n");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        put("box", "/proc/self/cgroup", names[k]);
        assert_int_equal(cgroup_memory_left("box"), 5000);
    }
}

static void pages_of_files_that_lie_idle_are_free(void **state)
{
    put("idle", "/proc/self/cgroup", "0::/a\n");
    put("idle", V2 "/a/memory.max", "8000\n");
    put("idle", V2 "/a/memory.current", "7000\n");
    put("idle", V2 "/a/memory.stat",
        "anon 2500\nfile 4500\nactive_file 500\ninactive_file 4000\npgfault 9\n");
    assert_int_equal(cgroup_memory_left("idle"), 5000);
    put("idle", V2 "/a/memory.stat", "inactive_file 9000\n"); /* the two were not read at one moment */
    assert_int_equal(cgroup_memory_left("idle"), 8000);
}

static void the_first_version_is_known(void **state)
{
    put("old", "/proc/self/cgroup",
        "11:cpuset:/\n5:cpu,cpuacct:/batch\n4:memory:/batch/job\n1:name=systemd:/memory\n");
    put("old", V1 "/batch/job/memory.limit_in_bytes", "5000\n");
    put("old", V1 "/batch/job/memory.usage_in_bytes", "2000\n");
    put("old", V1 "/batch/job/memory.stat", "inactive_file 7\ntotal_inactive_file 500\n");
    put("old", V1 "/batch/memory.limit_in_bytes", "9223372036854771712\n");
    put("old", V1 "/batch/memory.usage_in_bytes", "4000\n");
    assert_int_equal(cgroup_memory_left("old"), 3500);
    put("old", V1 "/batch/job/memory.limit_in_bytes", "9223372036854771712\n");
    assert_true(cgroup_memory_left("old") == SIZE_MAX);
    put("old", V1 "/memory.limit_in_bytes", "6000\n");
    put("old", V1 "/memory.usage_in_bytes", "1000\n");
    assert_int_equal(cgroup_memory_left("old"), 5000);
    put("old", "/proc/self/cgroup", "4:hugetlb,memory:/batch/job\n0::/other\n");
    put("old", V1 "/batch/memory.limit_in_bytes", "4100\n");
    assert_int_equal(cgroup_memory_left("old"), 100);
    put("old", "/sys/fs/cgroup/unified/other/memory.max", "50\n"); /* both versions are there */
    put("old", "/sys/fs/cgroup/unified/other/memory.current", "20\n");
    assert_int_equal(cgroup_memory_left("old"), 30);
}

static void odd_lines_are_passed_over(void **state)
{
    put("odd", "/proc/self/cgroup", "\n0:\n0::\n::\nmemory\n4:memory:relative\n0::/a\n");
    put("odd", V2 "/a/memory.max", "9\n");
    put("odd", V2 "/a/memory.current", "2\n");
    assert_int_equal(cgroup_memory_left("odd"), 7);
    put("odd", V2 "/a/memory.current", "\n");
    assert_true(cgroup_memory_left("odd") == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_groups_there_is_no_limit),
        cmocka_unit_test(the_groups_above_count),
        cmocka_unit_test(a_container_has_its_group_on_top),
        cmocka_unit_test(pages_of_files_that_lie_idle_are_free),
        cmocka_unit_test(the_first_version_is_known),
        cmocka_unit_test(odd_lines_are_passed_over),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
