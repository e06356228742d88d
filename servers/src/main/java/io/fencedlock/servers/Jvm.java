package io.fencedlock.servers;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Command lines for further JVMs that see the same classes as this one. */
final class Jvm {
    private Jvm() {}

    /** The words before the main class's name. */
    static List<String> command(List<String> flags) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(flags);
        words.add("-cp");
        words.add(classPath());
        return words;
    }

    /** Everything this JVM runs from, jars of its module path included. */
    static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }
}
