package io.fencedlock.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container. It keeps its container, and with it its data, when it is killed and started again; without its data it gets a
 * new one. The port is the same inside and outside, and chosen by us: Docker gives a restarted container another one.
 */
final class ContainerBody implements Body {
    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final int LAST_WORDS = 2000;
    private static final int READABLE_BY_ALL = 0644;
    private static final String DATA = "/data";
    private static final String FILES = "/data/files"; // where the official images let a server write, as Sentinel must

    private final Image image;
    private final boolean hostNetwork;
    private final Engine engine;
    private final DockerClient docker;
    private int port;
    private int tlsPort;
    private @Nullable GenericContainer<?> container;

    /** With the host's network, containers reach each other at the same addresses as clients do. */
    ContainerBody(Image image, Engine engine, boolean hostNetwork) {
        this.image = image;
        this.engine = engine;
        this.docker = engine.docker();
        this.hostNetwork = hostNetwork;
    }

    @Override
    public Node node(int clientPort, int clientTlsPort) {
        port = clientPort;
        tlsPort = clientTlsPort;
        return new Node(host(), hostNetwork ? "127.0.0.1" : "0.0.0.0", port, tlsPort, DATA, FILES);
    }

    @Override
    public String host() {
        return engine.host().equals("localhost") ? "127.0.0.1" : engine.host();
    }

    @Override
    public void prepare(Kind.Plan plan) {
        remove();
        GenericContainer<?> next = new GenericContainer<>(DockerImageName.parse(image.name()));
        List<String> command = new ArrayList<>(image.command());
        command.addAll(plan.arguments());
        next.withCommand(command.toArray(String[]::new));
        if (hostNetwork) {
            next.withNetworkMode("host");
        } else {
            next.setPortBindings(List.of(binding(port), binding(tlsPort)));
        }
        copy(next, plan.files(), FILES);
        copy(next, plan.dataFiles(), DATA);
        // The server is asked in its own protocol, as in every other body, and its log read if it ends.
        next.withStartupCheckStrategy(new StartupCheckStrategy() {
            @Override
            public StartupStatus checkStartupState(DockerClient client, String id) {
                return StartupStatus.SUCCESSFUL;
            }
        });
        next.waitingFor(new AbstractWaitStrategy() {
            @Override
            protected void waitUntilReady() {
                // see above
            }
        });
        container = next;
    }

    private static void copy(GenericContainer<?> to, Map<String, byte[]> files, String folder) {
        files.forEach(
                (name, bytes) -> to.withCopyToContainer(Transferable.of(bytes, READABLE_BY_ALL), folder + "/" + name));
    }

    private String binding(int published) {
        return (host().equals("127.0.0.1") ? "127.0.0.1:" : "") + published + ":" + published;
    }

    @Override
    public void launch(Kind.Plan plan) {
        GenericContainer<?> launched = existing();
        if (launched.getContainerId() == null) {
            start(launched);
        } else {
            docker.startContainerCmd(launched.getContainerId()).exec();
        }
    }

    private void start(GenericContainer<?> launched) {
        try {
            launched.start();
        } catch (ContainerLaunchException e) {
            String reasons = Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                    .map(cause -> String.valueOf(cause.getMessage()))
                    .collect(Collectors.joining(": "));
            if (reasons.contains("already allocated") || reasons.contains("already in use")) {
                throw new PortTakenException("port " + port + " or " + tlsPort + " is taken");
            }
            throw new IllegalStateException("the container ended: " + lastWords() + " (" + reasons + ")", e);
        }
    }

    private GenericContainer<?> existing() {
        if (container == null) {
            throw new IllegalStateException("the container has been removed");
        }
        return container;
    }

    private Optional<String> id() {
        return Optional.ofNullable(container).map(GenericContainer::getContainerId);
    }

    @Override
    public boolean running() {
        try {
            return id().map(id ->
                            docker.inspectContainerCmd(id).exec().getState().getRunning())
                    .orElse(false);
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** The port is bound when the container is started, or starting it fails. */
    @Override
    public boolean owns(int anyPort) {
        return true;
    }

    /** The signal itself, as to a process: a container that Docker has frozen cannot be killed. */
    @Override
    public void pause() {
        signal("SIGSTOP");
    }

    @Override
    public void resume() {
        signal("SIGCONT");
    }

    private void signal(String signal) {
        docker.killContainerCmd(id().orElseThrow(() -> new IllegalStateException("the server has ended")))
                .withSignal(signal)
                .exec();
    }

    @Override
    public void end(Duration grace) {
        id().ifPresent(id -> {
            try {
                if (grace.isZero()) {
                    docker.killContainerCmd(id).exec();
                } else {
                    docker.stopContainerCmd(id)
                            .withTimeout(Math.toIntExact(grace.toSeconds()))
                            .exec();
                }
            } catch (NotFoundException | NotModifiedException | ConflictException e) {
                // it does not run
            }
            Wait.until(KILL_LIMIT, () -> "container " + id + " does not end", () -> !running());
        });
    }

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public String lastWords() {
        try {
            String text = id().isPresent() ? existing().getLogs().strip() : "it has no container";
            return text.substring(Math.max(0, text.length() - LAST_WORDS));
        } catch (DockerException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    @Override
    public String version(Kind kind, InetSocketAddress address) {
        return kind.version(address).orElse("of image " + image.name());
    }

    @Override
    public String origin() {
        return "a container of image " + image.name();
    }

    @Override
    public void remove() {
        GenericContainer<?> old = container;
        container = null;
        if (old != null) {
            try {
                old.stop(); // kills it and removes it with its volumes
            } catch (DockerException e) {
                Servers.say("a container could not be removed: " + e.getMessage());
            }
        }
    }
}
