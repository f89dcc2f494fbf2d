#include "command/command.h"

const struct command *command_of(enum command_id id)
{
    int k = 0;
    while (commands[k + 1] && commands[k]->id != id)
        k++;
    return commands[k];
}

void commands_list(const char *between, const char *last, struct text *text)
{
    const char *before = "";
    for (int k = 0; commands[k]; k++) {
        if (!commands[k]->name[0]) continue;
        text_append(text, "%s%s", before, commands[k]->name);
        before = commands[k + 1] && !commands[k + 2] ? last : between;
    }
}
