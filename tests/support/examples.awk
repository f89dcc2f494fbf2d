# The examples of HACKING.md as actions, one a line: the words after the verb are separated by \036 (RS). Blocks of code go into files
# DIR/1, DIR/2, ... Usage: awk -v dir=DIR -f examples.awk HACKING.md; exits with 1, and says where, if a mark is not understood.
#
# A mark is a comment on a line of its own; text after a verb is taken literally:
#
#     <!-- example: create FILE -->                         the next block of code is that file,
#     <!-- example: append to FILE -->                      or stands at its end,
#     <!-- example: insert into FILE before TEXT -->        or before the first line that has TEXT,
#     <!-- example: insert into FILE before last TEXT -->   or the last one;
#     <!-- example: put LINE into FILE before TEXT -->      a line, which the page must show somewhere, likewise
#     <!-- example: run COMMAND -->                         a command that must succeed,
#     <!-- example: expect PATTERN -->                      and of whose output a line must match
#     <!-- example: open ARGUMENTS -->                      the explorer,
#     <!-- example: press KEYS -->                          keys by tmux's names,
#     <!-- example: see PATTERN -->                         and the text that must appear then
function wrong(what)
{
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
}

# "FILE before [last] TEXT" as fields.
function place(text, file, before, which)
{
    before = index(text, " before ")
    if (!before) { wrong("'before TEXT' is missing in: " text); return "" }
    file = substr(text, 1, before - 1)
    text = substr(text, before + 8)
    which = "first"
    if (text ~ /^last /) { which = "last"; text = substr(text, 6) }
    return file "\036" which "\036" text
}

function block_wanted(action)
{
    if (pending != "") wrong("no block of code follows the mark before")
    pending = action
}

BEGIN { blocks = 0; inside = 0; writing = 0; pending = "" }

inside && /^```$/ { inside = 0; if (writing) close(dir "/" blocks); writing = 0; next }
inside { if (writing) print > (dir "/" blocks); next }

/^```/ {
    inside = 1
    if (pending != "") {
        blocks++
        writing = 1
        printf "" > (dir "/" blocks)
        print pending "\036" dir "/" blocks
        pending = ""
    }
    next
}

/^<!-- example: .* -->$/ {
    mark = substr($0, 15, length($0) - 18)
    verb = mark
    sub(/ .*/, "", verb)
    rest = substr(mark, length(verb) + 2)
    if (verb == "create") block_wanted("create\036" rest)
    else if (verb == "append" && rest ~ /^to /) block_wanted("append\036" substr(rest, 4))
    else if (verb == "insert" && rest ~ /^into /) block_wanted("insert\036" place(substr(rest, 6)))
    else if (verb == "put" && (at = index(rest, " into "))) print "put\036" place(substr(rest, at + 6)) "\036" substr(rest, 1, at - 1)
    else if (verb ~ /^(run|expect|open|press|see)$/ && rest != "") print verb "\036" rest
    else wrong("not understood: " mark)
    next
}

/(^|[^`])<!-- *example/ { wrong("a mark is a line of its own: <!-- example: ... -->") }

END {
    if (pending != "") wrong("no block of code follows the last mark")
    exit failed
}
