# Runs a command and says how long it took.
run() {
  local begun=$SECONDS
  "$@"
  echo "$* took $((SECONDS - begun)) s"
}
