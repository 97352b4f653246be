# Prints the commit of the current checkout, from git or else from the file that docker/Dockerfile writes, or nothing.
# A + follows if the program has changed since. Figures, tables and kept results do not count: runs write them.
if id=$(git rev-parse --short=12 HEAD); then
  changed=$(git status --porcelain -- ommlx go.mod go.sum) || changed=unknown
elif id=$(cat .omm/commit); then
  changed=$(find ommlx go.mod go.sum -newer .omm/commit) || changed=unknown
fi 2>/dev/null
[ -z "$id" ] || echo "$id${changed:++}"
