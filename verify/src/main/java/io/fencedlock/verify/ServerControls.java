package io.fencedlock.verify;

import io.fencedlock.compliance.Controls;
import io.fencedlock.compliance.NotApplicable;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import java.time.Duration;

/** A server that may be harmed: everything. */
final class ServerControls implements Controls {

    private final Server server;
    private final Layout layout;
    private final String prefix;

    ServerControls(Server server) {
        this.server = server;
        layout = Layout.of(server.store());
        prefix = Layout.defaultPrefix(server.store());
    }

    @Override
    public void restartServer(boolean keepData) {
        server.restart(keepData ? Data.KEEP : Data.WIPE);
    }

    @Override
    public void failOver() {
        throw new NotApplicable("a server on its own has no replica to fail over to");
    }

    @Override
    public void loseCounter() {
        layout.loseCounter(server.contents(), prefix);
    }

    @Override
    public void stepClock(Duration by) {
        layout.stepClock(server, by);
    }

    @Override
    public long entries() {
        return layout.entries(server.contents(), prefix);
    }

    @Override
    public boolean disposable() {
        return true;
    }

    @Override
    public void close() {
        server.close();
    }
}
