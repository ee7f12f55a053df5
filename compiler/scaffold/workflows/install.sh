# Installs the release at WIKI_RELEASE, an address or a folder, into the folder bin.
# WIKI_RELEASE_SHA256 is the checksum of its SHA256SUMS, which has those of all archives.
install_release() {
  temp=$(mktemp -d)
  fetch SHA256SUMS "${WIKI_RELEASE_SHA256:?set it to the checksum of SHA256SUMS of the release}"
  case $(uname -s) in
  Linux) platform=linux ;;
  Darwin) platform=darwin ;;
  MINGW* | MSYS* | CYGWIN*) platform=windows ;;
  *) platform=unknown ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) platform=${platform}_amd64 ;;
  aarch64 | arm64) platform=${platform}_arm64 ;;
  esac
  line=$(grep -E "_$platform[.](tar[.]gz|zip)\$" "$temp/SHA256SUMS") || {
    echo "wiki: the release at $WIKI_RELEASE has no archive for $platform" >&2
    exit 1
  }
  name=${line##* }
  fetch "$name" "${line%% *}"
  case $name in
  *.zip) unzip -q "$temp/$name" -d "$temp" ;;
  *) tar -xzf "$temp/$name" -C "$temp" ;;
  esac
  mkdir -p "$bin"
  cp "$temp"/wiki_*/bin/wiki* "$bin/"
  rm -rf "$temp"
}

# fetch NAME SHA256 gets a file of the release, and ends the script if it is another one.
fetch() {
  case $WIKI_RELEASE in
  https://* | http://*) curl -fsSL --retry 3 -o "$temp/$1" "${WIKI_RELEASE%/}/$1" ;;
  *) cp "$WIKI_RELEASE/$1" "$temp/$1" ;;
  esac || {
    echo "wiki: cannot get $1 from WIKI_RELEASE, $WIKI_RELEASE; unset it to build from source" >&2
    exit 1
  }
  if command -v sha256sum >/dev/null; then
    sum=$(sha256sum <"$temp/$1")
  else
    sum=$(shasum -a 256 <"$temp/$1")
  fi
  if [ "${sum%% *}" != "$2" ]; then
    echo "wiki: $1 of $WIKI_RELEASE has the checksum ${sum%% *}, want $2; it is another release, or was changed" >&2
    exit 1
  fi
}
