package io.fencedlock.benchmarks.peers;

import io.fencedlock.HolderId;
import io.fencedlock.LossReason;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A lock that was acquired, as the library shows it. */
interface PeerHold {

    /** What would be sent to a resource. */
    long token() throws Exception;

    /** How the library tells holders apart. */
    HolderId holder();

    Duration leaseTime();

    Duration remaining() throws Exception;

    /** What the library answers to the question whether it is still held. */
    boolean isHeld() throws Exception;

    /** Renews; answers whether it is still held. */
    boolean renew() throws Exception;

    /** Asks the library every time it is called. */
    Release release() throws Exception;

    /** What the library tells of a loss by itself. */
    CompletionStage<LossReason> lost();
}
