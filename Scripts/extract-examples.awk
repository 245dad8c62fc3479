# Makes one Swift file of the examples in doc comments: the blocks between "/// ```swift" and "/// ```". Statements and
# declarations of one block stand in one function; extensions stand at the top level. The compiler names the line of the
# comment.

function print_example(    i, isExtension, effects) {
    isExtension = 0
    effects = "throws"
    for (i = 1; i <= length_of_block; i++) {
        if (block[i] ~ /^(public |private |fileprivate )?extension /) isExtension = 1
        if (block[i] ~ /^[^ ].* await / && block[i] !~ /^func /) effects = "async throws"
    }
    if (!isExtension) print "func example" ++count "() " effects " {"
    printf "#sourceLocation(file: \"%s\", line: %d)\n", FILENAME, first_line
    for (i = 1; i <= length_of_block; i++) print block[i]
    print "#sourceLocation()"
    if (!isExtension) print "}"
}

/^ *\/\/\/ ```swift$/ { inside = 1; length_of_block = 0; first_line = FNR + 1; next }
inside && /^ *\/\/\/ ```$/ { inside = 0; print_example(); next }
inside { line = $0; sub(/^ *\/\/\/ ?/, "", line); block[++length_of_block] = line }
