package io.fencedlock.cli.replay;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a worker works with. Used by one thread. */
final class Tools implements AutoCloseable {
    private final FencedLocks locks;
    private final Supplier<FencedRegister> register;
    private final Supplier<ArticleLock> article;
    private final Optional<Desk> desk;
    private @Nullable FencedRegister values;
    private @Nullable ArticleLock opened;

    /** The register, which not every store has, and the lock of the article are opened when they are first used. */
    Tools(
            FencedLocks locks,
            Supplier<FencedRegister> register,
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
        FencedRegister open = values == null ? register.get() : values;
        values = open;
        return open;
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
        if (values != null) {
            values.close();
        }
        if (opened != null) {
            opened.close();
        }
    }
}
