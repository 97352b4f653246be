# Prints the commit of the checkout that it runs in, by git, or without git by the file that docker/Dockerfile writes;
# nothing where neither tells. A + follows where the program differs from it. Figures, tables and kept results are what
# a run writes, so they do not count.
if id=$(git rev-parse --short=12 HEAD); then
  changed=$(git status --porcelain -- ommlx go.mod go.sum) || changed=unknown
elif id=$(cat .omm/commit); then
  changed=$(find ommlx go.mod go.sum -newer .omm/commit) || changed=unknown
fi 2>/dev/null
[ -z "$id" ] || echo "$id${changed:++}"
