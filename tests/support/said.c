#include "support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

void said_expect(const char *text, bool there, const char *const *parts)
{
    assert_non_null(text);
    for (; *parts; parts++)
        if ((strstr(text, *parts) != NULL) != there)
            fail_msg("%s'%s' in\n%s", there ? "no " : "", *parts, text);
}
