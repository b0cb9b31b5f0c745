# The blocks of one page. Prints one line for each thing found, fields between tabs:
#   run LINE COMMAND     a line of a fenced sh block; lines that end in \ are joined
#   other LINE TEXT      a line of a fenced sh block that is no command of ours
#   mark LINE REASON     a block that is not run ("<!-- not run: REASON -->" before it)
#   need LINE PROGRAM    a block that is run where PROGRAM is installed ("<!-- needs PROGRAM -->"); without one: it ends
#   file LINE NAME       a block that is a file ("<!-- file: NAME -->" before it)
#   more LINE NAME       a block that is added to that file ("<!-- more: NAME -->" before it)
#   after LINE TEXT      a block behind the line with TEXT of the last file ("<!-- after: TEXT -->" before it)
#   text LINE TEXT       a line of that file
#   scene LINE           a scene without a name: nothing would check it
function command(text) {
    return text ~ /^(zoetrope|cmake|ctest|\.\/setup\.sh)( |$)/ || (kind == "need" && index(text, name " ") == 1)
}

function line_of_sh(text) {
    sub(/^ +/, "", text)
    if (joined != "") {
        text = joined text
        joined = ""
    } else
        start = FNR
    if (text ~ /\\$/) {
        joined = substr(text, 1, length(text) - 1)
        return
    }
    if (text == "" || text ~ /^#/)
        return
    print (command(text) ? "run" : "other") "\t" start "\t" text
}

/^ *```/ && !inside {
    inside = 1
    language = $0
    sub(/^ *```/, "", language)
    kind = mark ~ /^ *<!-- not run: .+ -->$/ ? "mark" : mark ~ /^ *<!-- file: .+ -->$/ ? "file" : \
        mark ~ /^ *<!-- more: .+ -->$/ ? "more" : mark ~ /^ *<!-- after: .+ -->$/ ? "after" : \
        mark ~ /^ *<!-- needs [a-z0-9-]+ -->$/ ? "need" : ""
    name = mark
    sub(/^ *<!-- (not run:|file:|more:|after:|needs) /, "", name)
    sub(/ -->$/, "", name)
    if (kind != "")
        print kind "\t" FNR "\t" name
    first = 1
    next
}
/^ *```/ {
    inside = 0
    mark = ""
    if (kind == "need")
        print "need\t" FNR "\t"
    next
}
inside {
    if (kind == "file" || kind == "more" || kind == "after")
        print "text\t" FNR "\t" $0
    else if (language == "sh" && (kind == "" || kind == "need"))
        line_of_sh($0)
    else if (first && language == "yaml" && $0 ~ /^format:/)
        print "scene\t" FNR
    first = 0
    next
}
!/^ *$/ { mark = $0 }
