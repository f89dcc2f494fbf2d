#include "command/command.h"

const struct command *command_of(enum command_id id)
{
    for (int k = 0; commands[k]; k++)
        if (commands[k]->id == id) return commands[k];
    return commands[0];
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
