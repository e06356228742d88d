package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fenced value as it is stored in one znode, so that mark and value change together: the mark's token and holder on the first line, then a
 * line that says whether there is a value, then the value.
 */
record Cell(Optional<FenceMark> mark, Optional<String> value) {

    private static final String NONE = "-";

    static final Cell EMPTY = new Cell(Optional.empty(), Optional.empty());

    byte[] bytes() {
        String first = mark.map(Cell::text).orElse(NONE);
        String text = first + "\n" + (value.isPresent() ? "+\n" + value.get() : NONE);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Cell parse(String text) {
        try {
            return read(text);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new BackendUnavailableException("a znode among the fenced values holds something else", e);
        }
    }

    private static Cell read(String text) {
        String[] lines = text.split("\n", 3);
        return new Cell(
                lines[0].equals(NONE) ? Optional.empty() : Optional.of(mark(lines[0])),
                lines.length < 3 ? Optional.empty() : Optional.of(lines[2]));
    }

    private static String text(FenceMark mark) {
        HolderId holder = mark.holder();
        return mark.token() + " " + (holder == null ? NONE : holder.value());
    }

    private static FenceMark mark(String text) {
        String[] words = text.split(" ", 2);
        @Nullable HolderId holder = words[1].equals(NONE) ? null : new HolderId(words[1]);
        return new FenceMark(Long.parseLong(words[0]), holder);
    }
}
