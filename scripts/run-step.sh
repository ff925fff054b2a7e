# Runs a command and says how long it took.
run() {
  local begun=$SECONDS
  "$@"
  echo "$* took $((SECONDS - begun)) s"
}

# Runs a script of package.json beside a command, for scripts that mostly wait. Its output follows the command's output.
run_beside() {
  local output script=$1
  shift
  output=$(mktemp)
  run npm run "$script" >"$output" 2>&1 &
  local beside=$! status=0
  run "$@" || status=$?
  wait "$beside" || status=$?
  cat "$output"
  rm "$output"
  return "$status"
}
