package io.fencedlock.cli.replay;

import java.util.List;

/** What the signs in a picture mean, and the patterns that they are filled with. */
final class Legend {
    private final Markup page = new Markup();

    private Legend() {}

    /** Once in a page, before any picture. The colours of a pattern cannot be set where it is used: one for each worker. */
    static String patterns() {
        Markup svg = new Markup();
        svg.open("svg", "class", "patterns", "aria-hidden", "true", "width", "0", "height", "0");
        for (String name : List.of("w0", "w1", "w2", "w3", "other")) {
            svg.open(
                    "pattern",
                    "id",
                    "stripes-" + name,
                    "width",
                    "7",
                    "height",
                    "7",
                    "patternUnits",
                    "userSpaceOnUse",
                    "patternTransform",
                    "rotate(45)");
            svg.leaf("path", "class", "stripe " + name, "d", "M0,0 L0,7");
            svg.close();
        }
        return svg.close().toString();
    }

    static String list() {
        return new Legend().write();
    }

    private String write() {
        page.open("ul", "class", "legend");
        sample("holds w0", "holds the lock");
        sample("believes w0", "believes it still holds the lock");
        sample("paused", "is paused");
        sample("waits w1", "waits for the lock");
        sample("sign accepted", "write accepted");
        sample("sign refused", "write refused");
        return page.close().toString();
    }

    private void sample(String style, String words) {
        page.open("li").open("svg", "viewBox", "0 0 34 20", "width", "34", "height", "20", "aria-hidden", "true");
        if (style.startsWith("sign")) {
            page.leaf("circle", "class", style, "cx", "17", "cy", "10", "r", "9");
            page.leaf(
                    "path",
                    "class",
                    "stroke",
                    "transform",
                    "translate(17,10)",
                    "d",
                    style.endsWith("accepted") ? Picture.YES : Picture.NO);
        } else if (style.startsWith("waits")) {
            page.leaf("path", "class", style, "d", "M1,10 L33,10");
        } else {
            page.leaf("rect", "class", style, "x", "1", "y", "2", "width", "32", "height", "16", "rx", "5");
        }
        page.close().text(words).close();
    }
}
