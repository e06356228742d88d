package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a worker works with. Used by one thread. */
final class Tools implements AutoCloseable {
    private final FencedLocks locks;
    private final FencedRegister register;
    private final Supplier<ArticleLock> article;
    private final Optional<Desk> desk;
    private @Nullable ArticleLock opened;

    /** The lock of the article is opened when it is first used. */
    Tools(
            FencedLocks locks,
            FencedRegister register,
            Supplier<ArticleLock> article,
            Optional<? extends DataSource> database) {
        this.locks = locks;
        this.register = register;
        this.article = article;
        this.desk = database.map(Desk::new);
    }

    FencedLocks locks() {
        return locks;
    }

    FencedRegister register() {
        return register;
    }

    ArticleLock article() {
        ArticleLock lock = opened == null ? article.get() : opened;
        opened = lock;
        return lock;
    }

    Desk desk() {
        return desk.orElseThrow(() -> new IllegalStateException("this worker has no database"));
    }

    @Override
    public void close() {
        locks.close();
        register.close();
        if (opened != null) {
            opened.close();
        }
    }
}
