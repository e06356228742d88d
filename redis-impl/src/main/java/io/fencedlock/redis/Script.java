package io.fencedlock.redis;

import java.util.List;

/** The library's own scripts. */
enum Script implements Lua {
    ACQUIRE("token", "acquire"),
    RENEW("renew"),
    RELEASE("token", "pass-on", "release"),
    ABANDON("token", "pass-on", "abandon"),
    INSPECT("inspect"),
    RAISE("token", "raise"),
    RAISE_MARK("fence", "mark-raise"),
    EXPIRE_MARK("mark-expire"),
    QUORUM_LOCK("token", "member", "quorum-lock"),
    QUORUM_ACCEPT("token", "member", "quorum-accept"),
    QUORUM_RENEW("quorum-renew"),
    QUORUM_RELEASE("quorum-release"),
    QUORUM_LOOK("token", "member", "quorum-look"),
    QUORUM_ANNOUNCE("token", "member", "quorum-announce"),
    QUORUM_SEED("token", "member", "quorum-seed"),
    QUORUM_RAISE("token", "member", "quorum-raise");

    private final String text;
    private final String sha1;

    Script(String... parts) {
        text = Lua.read(parts);
        sha1 = Lua.digest(text);
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String sha1() {
        return sha1;
    }

    /** A grant or a renewal. */
    @Override
    public boolean wrote(List<Object> answer) {
        return switch (this) {
            case ACQUIRE -> answer.get(0).equals("granted");
            case RENEW -> answer.contains(1L);
            default -> false;
        };
    }
}
