# Make the arrays html_style and html_script of report/html/page.h from page.css and page.js: each line is a string. Lines
# that are comments alone, empty lines and indentation are left out.
BEGIN {
    print "/* Made from page.css and page.js by page.awk. */"
    print "#include \"report/html/page.h\""
}

FNR == 1 {
    if (NR > 1) print "    0,\n};"
    printf "\nconst char *const html_%s[] = {\n", FILENAME ~ /css$/ ? "style" : "script"
}

/^ *(\/\/.*)?$/ { next }

{
    sub(/^ */, "")
    # In a replacement & stands for the match; awks disagree on how many backslashes one of them takes.
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "    \"%s\\n\",\n", $0
}

END {
    print "    0,\n};"
}
