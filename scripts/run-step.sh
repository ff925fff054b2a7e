# Runs a command and says how long it took.
run() {
  local started=$SECONDS
  "$@"
  echo "$* took $((SECONDS - started)) s"
}

# Starts a command that uses only what all others leave of the processor. `finish` waits for it.
begin() {
  background_output=$(mktemp)
  background_name="$*"
  setsid nice -n 19 "$@" >"$background_output" 2>&1 &
  background=$!
  # Also ends its children.
  trap 'kill -- -"$background" 2>/dev/null || true' EXIT
}

# Waits until the command that `begin` started has ended, shows its output and returns its exit code.
finish() {
  local started=$SECONDS status=0
  wait "$background" || status=$?
  trap - EXIT
  cat "$background_output"
  rm "$background_output"
  echo "$background_name ended $((SECONDS - started)) s after the other steps"
  return "$status"
}
