package io.fencedlock.torture;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The worker's side of the resource, which lives in the coordinating process, out of reach of the faults. Thread-safe. */
final class RemoteResource {
    private static final long LIMIT_SECONDS = 60;
    private static final String NONE = "-";

    private final Consumer<String> say;
    private final AtomicLong questions = new AtomicLong();
    private final Map<String, CompletableFuture<String[]>> open = new ConcurrentHashMap<>();

    RemoteResource(Consumer<String> say) {
        this.say = say;
    }

    /** Raises the mark and reads, in one step. */
    Optional<String> advance(String resource, FenceMark mark) {
        return text(ask("a", resource, mark, "", "")[3]);
    }

    /** Where a value goes that was computed from another one. */
    FencedRegister basedOn(@Nullable String before) {
        return new Pen(this, before);
    }

    private String[] ask(String verb, String resource, FenceMark mark, String value, String basedOn) {
        String id = Long.toString(questions.incrementAndGet());
        CompletableFuture<String[]> answer = new CompletableFuture<>();
        open.put(id, answer);
        HolderId holder = mark.holder();
        String shown = holder == null ? "" : holder.value();
        say.accept(String.join("\t", verb, id, resource, Long.toString(mark.token()), shown, value, basedOn));
        String[] words = await(answer);
        if (words[2].equals("stale")) {
            throw new StaleTokenException(resource, mark.token(), Long.parseLong(words[3]));
        }
        return words;
    }

    private static String[] await(CompletableFuture<String[]> answer) {
        try {
            return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the resource was asked", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the resource does not answer", e);
        }
    }

    /** {@code r id ok value} or {@code r id stale accepted-token}. */
    void answered(String[] words) {
        CompletableFuture<String[]> question = open.remove(words[1]);
        if (question != null) {
            question.complete(words);
        }
    }

    private static Optional<String> text(String word) {
        return word.equals(NONE) ? Optional.empty() : Optional.of(word);
    }

    /** Only what a recorder needs of a register. */
    private record Pen(RemoteResource resource, @Nullable String before) implements FencedRegister {
        @Override
        public void write(String name, FenceMark mark, String value) {
            resource.ask("w", name, mark, value, before == null ? NONE : before);
        }

        @Override
        public void writeUnfenced(String name, String value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<String> read(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void advance(String name, FenceMark mark) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<FenceMark> mark(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
