#!/bin/sh
replaced() { grep -q '=>' go.mod; }
build() { said=$('@GO@' build -ldflags=-w "$@" 2>&1); }
case "$1 $2" in
'mod init')
  dir=$GONB_DIR
  until [ "${dir:-/}" = / ] || grep -qx 'module @MODULE@' "$dir/go.mod" 2>/dev/null; do dir=$(dirname "$dir"); done
  [ "${dir:-/}" = / ] && exec '@GO@' "$@"
  cp "$dir/go.mod" "$dir/go.sum" . && '@GO@' mod edit -module="$3" -require=@MODULE@@v0.0.0 -replace=@MODULE@="$dir"
  exit ;;
'get '*)
  replaced || grep -q '"@MODULE@/' main.go || exec '@GO@' "$@"
  exit 0 ;;
'build '*) shift ;;
*) exec '@GO@' "$@" ;;
esac
rm -f progress.go
if replaced && grep -q '"@MODULE@/ommlx/learn"' main.go; then
  printf 'package main\n\nimport _ "@MODULE@/ommlx/artifact/notebook"\n' >progress.go
fi
build "$@" && exit
case $said in
*'package @MODULE@/'*)
  replaced || said='Move this notebook into your clone of @MODULE@, or put this line with the path of the clone first:
!*go mod edit -require=@MODULE@@v0.0.0 -replace=@MODULE@=/path/to/clone && cp /path/to/clone/go.sum .' ;;
*'go get '*|*'go mod '*)
  if replaced; then '@GO@' get || exit; build "$@" && exit; fi ;;
esac
case $said in *'undefined: '*)
  said="$said
First run the cells above that declare or import this name. If it is a package, check the name after the dot." ;;
esac
printf '%s\n' "$said"
exit 1
