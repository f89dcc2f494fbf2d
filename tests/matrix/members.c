/* matrix/files/members: the message about an archive without the requested member. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/files/members.h"
#include "support/unit.h"

static enum status refuse(const char *members, const char *wanted, int candidates, struct error *error)
{
    FREED(text_free) struct text list = {0};
    *error = (struct error){0};
    text_append(&list, "%s", members);
    return members_refuse("a.zip", &list, wanted, candidates, error);
}

TEST(refusals_list_the_members)
{
    static const struct {
        const char *members, *wanted;
        int candidates;
        enum status status;
        const char *message;
    } cases[] = {
        {"x.mtx\n", "y", 1, STATUS_INPUT, "no member is called y; the archive holds: x.mtx"},
        {"", "y", 0, STATUS_INPUT, "no member is called y; the archive holds: nothing"},
        {"x.mtx\ny.mtx\n", NULL, 2, STATUS_SEVERAL,
         "several matrices in the archive; name one as ARCHIVE:MEMBER of: x.mtx, y.mtx"},
        {"x.mtx\nx.mtx\nx\nx.mtx\n", NULL, 3, STATUS_SEVERAL,
         "several matrices in the archive; name one as ARCHIVE:MEMBER of: x.mtx, x.mtx (again), x, x.mtx "
         "(again)"},
        {"", NULL, 0, STATUS_INPUT,
         "it holds no matrix: it begins with zeros, like an archive without members"},
        {"a\nb\n", NULL, 0, STATUS_INPUT,
         "no member of the archive has the ending of a matrix (.mtx, .rb, .mat, ...); name one as "
         "ARCHIVE:MEMBER of: a, b"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct error error;
        assert_int_equal(refuse(cases[k].members, cases[k].wanted, cases[k].candidates, &error),
                         cases[k].status);
        assert_string_equal(error.message, cases[k].message);
        assert_string_equal(error.path, "a.zip");
    }
}

/* A list of 3,000 bytes is shown whole. The last members of a longer one are counted. */
TEST(long_lists_end_with_a_count)
{
    struct error error;
    char members[8000] = "", name[16];
    for (int k = 0; k < 600; k++) {
        snprintf(name, sizeof name, "m%03d.mtx\n", k);
        strcat(members, name);
    }
    /* A name is shown if it and the list before it have at most 3,000 bytes: 8 + 10 k + 8 <= 3,000 for the
     * (k+2)-th one. */
    refuse(members, NULL, 600, &error);
    assert_non_null(strstr(error.message, ", m299.mtx and 300 more"));
    members[9 * 299] = 0; /* 299 members: all are shown */
    refuse(members, NULL, 299, &error);
    assert_null(strstr(error.message, "more"));
}

/* A member is that of its archive if the folder that it is in, or the archive, has its name without endings.
 */
TEST(names_of_folders_and_archives_choose)
{
    static const char *const above[] = {"", "x/", "./", "a/b/", "west0479x/"};
    static const struct {
        const char *member; /* behind those folders */
        bool chosen;        /* in any archive */
    } cases[] = {{"west0479/west0479.mtx", true},  {"west0479/west0479.rb", true},
                 {"west0479/west04.mtx", false},   {"west04/west0479.mtx", false},
                 {"west0479/west0479.txt", false}, {"west0479/other/west0479.mtx", false},
                 {"est0479/west0479.mtx", false},  {"west0479.mtx", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t f = 0; f < sizeof above / sizeof *above; f++) {
            char member[128], archive[128];
            snprintf(member, sizeof member, "%s%s", above[f], cases[k].member);
            if (member_has_the_name(NULL, member) != cases[k].chosen) fail_msg("%s", member);
            if (member_has_the_name("dir/none.tar.gz", member) != cases[k].chosen)
                fail_msg("%s of none", member);
            /* An archive with the member's name chooses it, too, if it is a matrix. */
            const char *base = strrchr(member, '/') ? strrchr(member, '/') + 1 : member;
            snprintf(archive, sizeof archive, "dir/%.*s.tar.gz", (int)strcspn(base, "."), base);
            if (member_has_the_name(archive, member) != member_is_matrix(member))
                fail_msg("%s of %s", member, archive);
        }
}
