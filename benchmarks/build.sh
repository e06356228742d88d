# Sourced by run and peers: builds what is missing and sets root, java and classpath.
root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd)
built=$root/benchmarks/target/built
if [ ! -f "$built" ] || [ -n "$(cd "$root" && find pom.xml SPEC.md ./*/pom.xml ./*/src/main -newer "$built" | head -n 1)" ]; then
  echo "benchmarks: building (the first time also downloads the peers' libraries, some minutes) ..." >&2
  mkdir -p "$root/benchmarks/target"
  if ! mvn -B -ntp -q -f "$root/pom.xml" -Pbenchmarks -pl benchmarks -am -Dmaven.test.skip=true package \
    >"$root/benchmarks/target/build.log" 2>&1; then
    cat "$root/benchmarks/target/build.log" >&2
    exit 70
  fi
  touch "$built"
fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
classpath=$root/benchmarks/target/dist/lib/*
cd "$root"
