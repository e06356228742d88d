package io.fencedlock.zookeeper;

import io.fencedlock.LockName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** The contenders of one name in the order of their arrival. */
final class Rivals {

    private Rivals() {}

    /**
     * Puts a stripe's children that contend for a name in order.
     *
     * <p>The order is that of the sequence numbers, until a parent's counter has come to its end: then the server gives out 2147483647 again and again, or
     * negative numbers (ZOOKEEPER-2944), and only the creation zxids, which are read, still tell who came first.
     */
    static CompletableFuture<List<String>> inOrder(
            ZkSession session, LockName name, String stripe, List<String> children) {
        String hash = ZkPaths.hash(name);
        List<Numbered> numbered = new ArrayList<>(children.size());
        for (String child : children) {
            if (child.startsWith(hash) && ZkPaths.isContender(child)) {
                numbered.add(new Numbered(ZkPaths.sequenceOf(child), child));
            }
        }
        numbered.sort(Comparator.comparingInt(Numbered::sequence));
        List<String> rivals = numbered.stream().map(Numbered::child).toList();
        return isExhausted(numbered) ? byZxid(session, stripe, rivals) : CompletableFuture.completedFuture(rivals);
    }

    private record Numbered(int sequence, String child) {}

    /** Whether any number, of those in order, is one that a parent gives out at the end of its counter. */
    private static boolean isExhausted(List<Numbered> inOrder) {
        for (int i = 0; i < inOrder.size(); i++) {
            int sequence = inOrder.get(i).sequence();
            boolean again = i > 0 && sequence == inOrder.get(i - 1).sequence();
            if (again || sequence < 0 || sequence == Integer.MAX_VALUE) {
                return true;
            }
        }
        return false;
    }

    private static CompletableFuture<List<String>> byZxid(ZkSession session, String stripe, List<String> rivals) {
        Map<String, Long> zxids = new HashMap<>();
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (String rival : rivals) {
            CompletableFuture<Void> read = session.read(stripe + "/" + rival)
                    .thenAccept(found -> {
                        synchronized (zxids) {
                            zxids.put(rival, found.stat().getCzxid());
                        }
                    })
                    .exceptionallyCompose(ZkErrors.instead(Code.NONODE, () -> CompletableFuture.completedFuture(null)));
            all = CompletableFuture.allOf(all, read);
        }
        return all.thenApply(done -> {
            synchronized (zxids) {
                return zxids.keySet().stream()
                        .sorted(Comparator.comparing(zxids::get))
                        .toList();
            }
        });
    }
}
