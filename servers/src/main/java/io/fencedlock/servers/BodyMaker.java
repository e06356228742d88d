package io.fencedlock.servers;

/** Makes bodies for servers of one store, all from the same program or image. */
interface BodyMaker {
    Body make() throws NotHere;

    /** The bodies to which one of the ways leads; {@link Way#ADDRESS} leads to none. */
    static BodyMaker of(Way way, Store store, ServerOptions options) throws NotHere {
        return of(way, store, options, false);
    }

    /** As {@link #of}, for servers that must reach each other at the addresses at which clients reach them. */
    static BodyMaker ofCluster(Way way, Store store, ServerOptions options) throws NotHere {
        return of(way, store, options, true);
    }

    private static BodyMaker of(Way way, Store store, ServerOptions options, boolean cluster) throws NotHere {
        return switch (way) {
            case ADDRESS -> throw new NotHere("a given server has no body of ours");
            case DOCKER -> containers(store, options, cluster);
            case PATH -> processes(store, options, cluster, Programs.onPath(store, options.version()));
            case PACKAGE -> processes(store, options, cluster, Programs.ofPackage(store, options.version()));
            case JAR -> processes(store, options, cluster, ZooKeeperJar.program(options.version()));
        };
    }

    private static BodyMaker processes(Store store, ServerOptions options, boolean cluster, Program program) {
        return () -> new ProcessBody(program, store.scheme(), options.hasSteppableClock(), cluster);
    }

    /** Nothing of Testcontainers is loaded unless a daemon answers. */
    private static BodyMaker containers(Store store, ServerOptions options, boolean cluster) throws NotHere {
        if (options.hasSteppableClock()) {
            throw new NotHere("the clock of a container cannot be stepped");
        }
        DockerDaemon.find();
        if (cluster && !System.getProperty("os.name").equals("Linux")) {
            throw new NotHere("a cluster in containers needs the network of a Linux host");
        }
        Image image = Image.of(store, options.version());
        Engine engine = Engine.with(image, image.isOfficial(store, options.version()));
        return () -> new ContainerBody(image, engine, cluster);
    }
}
