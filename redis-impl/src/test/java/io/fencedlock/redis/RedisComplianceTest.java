package io.fencedlock.redis;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.Controls;
import io.fencedlock.compliance.FencedLockCompliance;
import io.fencedlock.compliance.HolderProcess;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.Optional;

/** The published suite on a server that may be harmed. */
class RedisComplianceTest extends FencedLockCompliance {

    @Override
    protected ComplianceTarget target() {
        return new Target(Servers.start(Store.REDIS, ServerOptions.defaults().throwAway()));
    }

    /** What a URL alone gives, and the server itself. */
    private static final class Target implements ComplianceTarget, Controls {

        private final Server server;
        private final ComplianceTarget byUrl;

        private Target(Server server) {
            this.server = server;
            byUrl = ComplianceTarget.of("redis", server.url());
        }

        @Override
        public String name() {
            return byUrl.name();
        }

        @Override
        public FencedLocks open(Duration lease) throws Exception {
            return byUrl.open(lease);
        }

        @Override
        public Optional<FencedRegister> openRegister() {
            return byUrl.openRegister();
        }

        @Override
        public Optional<FencedLockBackend> openBackend() {
            return byUrl.openBackend();
        }

        @Override
        public Optional<String> url() {
            return byUrl.url();
        }

        @Override
        public Controls controls() {
            return this;
        }

        @Override
        public HolderProcess startHolder(Duration lease) {
            return byUrl.controls().startHolder(lease);
        }

        @Override
        public FencedLocks openUnreachable(Duration lease) {
            return byUrl.controls().openUnreachable(lease);
        }

        @Override
        public FencedLocks openBreakable(Duration lease) {
            return byUrl.controls().openBreakable(lease);
        }

        @Override
        public void stall(FencedLocks client) {
            byUrl.controls().stall(client);
        }

        @Override
        public void heal(FencedLocks client) {
            byUrl.controls().heal(client);
        }

        @Override
        public void kill(FencedLocks client) {
            byUrl.controls().kill(client);
        }

        @Override
        public void loseNextReply(FencedLocks client) {
            byUrl.controls().loseNextReply(client);
        }

        @Override
        public void restartServer(boolean keepData) {
            server.restart(keepData ? Data.KEEP : Data.WIPE);
        }

        @Override
        public void loseCounter() {
            try (Kit.Admin admin = new Kit.Admin(server.url())) {
                admin.redis().keys("*:counter").forEach(key -> admin.redis().del(key));
            }
        }

        @Override
        public long entries() {
            try (Kit.Admin admin = new Kit.Admin(server.url())) {
                return admin.leftovers().stream()
                        .filter(key -> !key.contains(":register:"))
                        .count();
            }
        }

        /** The counter is lost in this run: tokens that were raised above the clock before would not outlive that. */
        @Override
        public boolean disposable() {
            return false;
        }

        @Override
        public void close() {
            byUrl.close();
            server.close();
        }
    }
}
