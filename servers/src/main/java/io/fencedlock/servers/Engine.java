package io.fencedlock.servers;

import com.github.dockerjava.api.DockerClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.RemoteDockerImage;
import org.testcontainers.utility.DockerImageName;

/**
 * Testcontainers with a Docker engine that can run an image. What has failed once is not tried again in this JVM: each try may take a
 * minute.
 */
record Engine(DockerClient docker, String host) {
    private static final long START_SECONDS = 60;
    private static final Map<String, String> FAILED = new ConcurrentHashMap<>();

    /** An engine that has the image; asks the daemon first, which knows at once that an image is not to be had. */
    static Engine with(Image image, boolean official) throws NotHere {
        String failure = FAILED.get(image.name());
        if (failure != null) {
            throw new NotHere(failure);
        }
        try {
            DockerDaemon daemon = DockerDaemon.find();
            if (official && System.getenv("TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX") == null) {
                daemon.obtain(image.name());
            }
            return start(image);
        } catch (NotHere e) {
            FAILED.put(image.name(), e.reason());
            Servers.say(e.reason());
            throw e;
        }
    }

    /** Testcontainers wants an image of its own, too, and does not give up soon if that cannot be pulled. */
    private static Engine start(Image image) throws NotHere {
        FutureTask<DockerClient> start =
                new FutureTask<>(() -> DockerClientFactory.instance().client());
        Thread thread = new Thread(start, "testcontainers-start");
        thread.setDaemon(true);
        thread.start();
        try {
            DockerClient docker = start.get(START_SECONDS, TimeUnit.SECONDS);
            new RemoteDockerImage(DockerImageName.parse(image.name())).get();
            return new Engine(docker, DockerClientFactory.instance().dockerHostIpAddress());
        } catch (ExecutionException | RuntimeException e) {
            throw new NotHere("Testcontainers cannot run the image " + image.name() + " (" + e.getMessage() + ")");
        } catch (TimeoutException e) {
            throw new NotHere("Testcontainers has not started within " + START_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotHere("interrupted");
        }
    }
}
