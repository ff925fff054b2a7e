# Runs a command and says how long it took.
run() {
  local started=$SECONDS
  "$@"
  echo "$* took $((SECONDS - started)) s"
}
