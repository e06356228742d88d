package io.fencedlock.compliance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Binds a test to its rule in SPEC.md. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Rule {

    /** The rule's id. */
    String id();

    /** The rule's sentence, word for word as in SPEC.md. */
    String says();
}
