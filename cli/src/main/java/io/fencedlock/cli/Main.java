package io.fencedlock.cli;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.cli.replay.ReplayCommand;
import io.fencedlock.servers.ServerUnavailableException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. Results go to standard output, errors to standard error in one sentence. */
@Command(
        name = "fencedlock",
        description = "Locks with fencing tokens on Redis, ZooKeeper and etcd.",
        subcommands = {
            ReplayCommand.class,
            VerifyCommand.class,
            RunCommand.class,
            InspectCommand.class,
            ReleaseCommand.class,
            TokensCommand.class,
            FenceCommand.class,
            TortureCommand.class,
            SuccessionCommand.class
        })
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    private Main() {}

    /**
     * Runs a command and ends the JVM with its exit code.
     *
     * @param arguments the command and its options
     */
    public static void main(String[] arguments) {
        int exitCode = commandLine().execute(arguments);
        System.out.flush();
        System.exit(exitCode);
    }

    /** The commands, with UTF-8 on both outputs whatever the locale. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main())
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::wrongInput)
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
        withHelp(line);
        line.getSubcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(command -> command.userObject() instanceof TortureCommand)
                .forEach(command -> command.usageMessage().footer(TortureCommand.footer()));
        return line;
    }

    private static void withHelp(CommandLine line) {
        line.getCommandSpec().mixinStandardHelpOptions(true).usageMessage().width(100);
        line.getCommandSpec().version("fencedlock " + version());
        line.getSubcommands().values().forEach(Main::withHelp);
    }

    /** The version of this library, for people. */
    public static String version() {
        String version = FencedLocks.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: replay, verify, run, inspect, release, tokens, fence, torture or succession");
    }

    private static int wrongInput(ParameterException e, String[] arguments) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        say(e.getCommandLine(), e.getMessage() + " (see " + command + " --help)");
        return Exit.WRONG_INPUT;
    }

    private static int failed(Exception e, CommandLine command) {
        if (e instanceof CommandFailure failure) {
            say(command, failure.getMessage());
            return failure.exitCode();
        }
        if (e instanceof LockConfigurationException
                || e instanceof IllegalArgumentException
                || e instanceof UnsupportedOperationException) {
            say(command, e.getMessage());
            return Exit.WRONG_INPUT;
        }
        if (e instanceof BackendUnavailableException
                || e instanceof OutcomeUnknownException
                || e instanceof ServerUnavailableException) {
            say(command, e.getMessage());
            return Exit.UNREACHABLE;
        }
        if (e instanceof InterruptedException) {
            say(command, "interrupted");
            return Exit.SIGNAL + 2;
        }
        say(command, "failed: " + e);
        return Exit.INTERNAL;
    }

    private static void say(CommandLine command, @Nullable String sentence) {
        command.getErr().println("fencedlock: " + sentence);
    }
}
