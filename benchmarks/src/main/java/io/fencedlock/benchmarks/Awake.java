package io.fencedlock.benchmarks;

import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * Keeps every processor awake while something is measured: what a sleeping one takes to wake, far more than a request in a virtual machine and never twice the
 * same, is not what is compared. Linux is told that no wake-up may take any time, as long as a file is open. Loops that keep a processor busy would not do,
 * however low their priority: Linux 6.18 let a server wait beside them for seconds.
 *
 * @param file what is held open, if it may be written to
 */
record Awake(Optional<FileOutputStream> file) implements AutoCloseable {

    /** See PM Quality of Service in the kernel's documentation. */
    private static final String FILE = "/dev/cpu_dma_latency";

    private static final byte[] NO_MICROSECONDS = new byte[Integer.BYTES];

    /** Begins; where the file is missing or refused, nothing is kept awake. */
    static Awake keep() {
        try {
            FileOutputStream opened = new FileOutputStream(FILE);
            opened.write(NO_MICROSECONDS);
            return new Awake(Optional.of(opened));
        } catch (IOException e) {
            return new Awake(Optional.empty());
        }
    }

    /** Whether processors are kept awake, for the report. */
    String state() {
        return file.isPresent() ? "kept awake (" + FILE + ")" : "left to sleep";
    }

    @Override
    public void close() throws IOException {
        if (file.isPresent()) {
            file.get().close();
        }
    }
}
