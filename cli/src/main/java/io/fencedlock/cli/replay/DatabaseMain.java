package io.fencedlock.cli.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.h2.tools.Server;

/**
 * The database's process: the first line of standard input is the password, the first of standard output the URL. No other database can be made through
 * its port. Ends with its input.
 */
final class DatabaseMain {
    private DatabaseMain() {}

    public static void main(String[] arguments) throws IOException, SQLException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String password = in.readLine();
        if (password == null) {
            return;
        }
        Database.create("replay", password);
        Server server = Server.createTcpServer("-tcpPort", "0").start();
        System.out.println("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:replay");
        while (in.readLine() != null) {
            // nothing more is said
        }
        System.exit(0);
    }
}
