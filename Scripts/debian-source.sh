# Sourced by scripts that build a library from Debian's sources.

# Unpacks the upstream sources of a package into a new folder, with separate lists of packages: those of the system stay as
# they are. debian_source NAME RELEASE FOLDER. The sources are in FOLDER/NAME-VERSION then.
debian_source() {
    Scripts/install-packages.sh dpkg-dev gcc make tcl
    rm -rf "$3"
    mkdir -p "$3/lists/partial" "$3/archives/partial"
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -n 1)
    if [ -z "$mirror" ]; then
        echo "This system has no packages of Debian." >&2
        return 1
    fi
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keys] $mirror $2 main" >"$3/sources.list"
    (
        cd "$3"
        set -- "$1" -o Dir::Etc::sourcelist="$3/sources.list" -o Dir::Etc::sourceparts=- \
            -o Dir::State::lists="$3/lists" -o Dir::Cache::archives="$3/archives" -o APT::Sandbox::User=root
        name=$1
        shift
        apt-get "$@" update -qq
        apt-get "$@" source -qq --download-only "$name"
        for archive in "$name"_*.orig.tar.*z; do tar xf "$archive"; done
    )
}
