package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.StaleTokenException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;

final class FenceMutants {

    private FenceMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.register(
                        "FEN-1",
                        "an equal token of the holder is refused",
                        "SyncGuard's sample",
                        () -> register -> checked(register, (stands, shown) -> shown.token() > stands.token())),
                Mutant.register(
                        "FEN-1",
                        "an equal token of anybody passes",
                        "fence <= ? in articles",
                        () -> register -> checked(register, (stands, shown) -> shown.token() >= stands.token())),
                Mutant.register(
                        "FEN-2",
                        "check and write are two steps",
                        "SyncGuard's docs, redisson#5044",
                        () -> FenceMutants::twoSteps),
                Mutant.register(
                        "FEN-3",
                        "advancing only checks",
                        "own list",
                        () -> register -> new DelegateRegister(register) {
                            @Override
                            public void advance(String resource, FenceMark mark) {
                                right.mark(resource)
                                        .filter(stands -> !stands.admits(mark))
                                        .ifPresent(stands -> {
                                            throw new StaleTokenException(resource, mark.token(), stands.token());
                                        });
                            }
                        }),
                Mutant.register(
                        "FEN-4",
                        "a refusal carries one token twice",
                        "own list",
                        () -> register -> new DelegateRegister(register) {
                            @Override
                            public void write(String resource, FenceMark mark, String value) {
                                try {
                                    right.write(resource, mark, value);
                                } catch (StaleTokenException e) {
                                    throw new StaleTokenException(resource, mark.token(), mark.token());
                                }
                            }
                        }),
                Mutant.register("FEN-5", "the mark lives in the client", "TTL indexes", FenceMutants::inTheClient),
                Mutant.register(
                        "FEN-6",
                        "the value is written before the answer",
                        "column updates in articles",
                        () -> register -> new DelegateRegister(register) {
                            @Override
                            public void write(String resource, FenceMark mark, String value) {
                                right.writeUnfenced(resource, value);
                                right.write(resource, mark, value);
                            }
                        }),
                Mutant.register(
                        "FEN-7",
                        "the resource does not check",
                        "every lock without a fence",
                        () -> register -> checked(register, (stands, shown) -> true)),
                Mutant.register(
                        "FLT-1",
                        "the resource does not check",
                        "every lock without a fence",
                        () -> register -> checked(register, (stands, shown) -> true)));
    }

    private static FencedRegister checked(FencedRegister register, BiPredicate<FenceMark, FenceMark> admits) {
        return new DelegateRegister(register) {
            @Override
            public void write(String resource, FenceMark mark, String value) {
                synchronized (right) {
                    Optional<FenceMark> stands = right.mark(resource);
                    if (stands.isPresent() && !admits.test(stands.get(), mark)) {
                        throw new StaleTokenException(
                                resource, mark.token(), stands.get().token());
                    }
                    right.remove(resource);
                    right.write(resource, mark, value);
                }
            }
        };
    }

    private static FencedRegister twoSteps(FencedRegister register) {
        return new DelegateRegister(register) {
            @Override
            public void write(String resource, FenceMark mark, String value) {
                right.mark(resource).filter(stands -> !stands.admits(mark)).ifPresent(stands -> {
                    throw new StaleTokenException(resource, mark.token(), stands.token());
                });
                LockSupport.parkNanos(5_000_000 / mark.token());
                synchronized (right) {
                    right.remove(resource);
                    right.write(resource, mark, value);
                }
            }
        };
    }

    private static java.util.function.UnaryOperator<FencedRegister> inTheClient() {
        return register -> {
            Map<String, FenceMark> marks = new ConcurrentHashMap<>();
            return new DelegateRegister(register) {
                @Override
                public synchronized void write(String resource, FenceMark mark, String value) {
                    admit(resource, mark);
                    right.writeUnfenced(resource, value);
                }

                @Override
                public synchronized void advance(String resource, FenceMark mark) {
                    admit(resource, mark);
                }

                @Override
                public synchronized Optional<FenceMark> mark(String resource) {
                    return Optional.ofNullable(marks.get(resource));
                }

                private void admit(String resource, FenceMark mark) {
                    FenceMark stands = marks.get(resource);
                    if (stands != null && !stands.admits(mark)) {
                        throw new StaleTokenException(resource, mark.token(), stands.token());
                    }
                    marks.put(resource, mark);
                }
            };
        };
    }
}
