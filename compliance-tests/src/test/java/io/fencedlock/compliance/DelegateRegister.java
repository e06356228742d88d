package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import java.util.Optional;

/** Does what another register does; mutants override what they do wrong. */
class DelegateRegister implements FencedRegister {

    final FencedRegister right;

    DelegateRegister(FencedRegister right) {
        this.right = right;
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        right.write(resource, mark, value);
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        right.writeUnfenced(resource, value);
    }

    @Override
    public Optional<String> read(String resource) {
        return right.read(resource);
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        right.advance(resource, mark);
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return right.mark(resource);
    }

    @Override
    public void remove(String resource) {
        right.remove(resource);
    }

    @Override
    public void close() {
        right.close();
    }
}
