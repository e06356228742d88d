package io.fencedlock.zookeeper;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Values in ZooKeeper, each in the znode that has the mark of its fence. */
final class ZooKeeperRegister implements FencedRegister {

    /** A little less than a request to ZooKeeper may have. */
    private static final int LARGEST_VALUE = 1_000_000;

    private final ZooKeeperFence fence;

    ZooKeeperRegister(ZooKeeperFence fence) {
        this.fence = fence;
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        checkSize(value);
        fence.change(
                resource,
                cell -> new Cell(
                        ZooKeeperFence.enter(resource, mark).apply(cell).mark(), Optional.of(value)),
                List.of());
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        checkSize(value);
        fence.change(resource, cell -> new Cell(cell.mark(), Optional.of(value)), List.of());
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        fence.advance(resource, mark);
    }

    /** The server would cut the connection. */
    private static void checkSize(String value) {
        int size = value.getBytes(StandardCharsets.UTF_8).length;
        if (size > LARGEST_VALUE) {
            throw new IllegalArgumentException(
                    "a znode takes values of at most " + LARGEST_VALUE + " bytes, found " + size);
        }
    }

    @Override
    public Optional<String> read(String resource) {
        return fence.cell(resource).value();
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return fence.mark(resource);
    }

    @Override
    public void remove(String resource) {
        fence.removeCell(resource);
    }

    @Override
    public void close() {
        fence.close();
    }
}
