package io.fencedlock.servers;

/** Makes bodies for servers of one store, all from the same program or image. */
interface BodyMaker {
    Body make() throws NotHere;

    /** The bodies to which one of the ways leads; {@link Way#ADDRESS} leads to none. */
    static BodyMaker of(Way way, Store store, ServerOptions options) throws NotHere {
        return switch (way) {
            case ADDRESS -> throw new NotHere("a given server has no body of ours");
            case DOCKER -> containers(Image.of(store, options.version()));
            case PATH -> processes(store, Programs.onPath(store, options.version()));
            case PACKAGE -> processes(store, Programs.ofPackage(store, options.version()));
            case JAR -> processes(store, ZooKeeperJar.program(options.version()));
        };
    }

    private static BodyMaker processes(Store store, Program program) {
        return () -> new ProcessBody(program, store.scheme());
    }

    /** Nothing of Testcontainers is loaded unless a daemon answers. */
    private static BodyMaker containers(Image image) throws NotHere {
        DockerDaemon.find();
        return () -> new ContainerBody(image);
    }
}
