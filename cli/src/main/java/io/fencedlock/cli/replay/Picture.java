package io.fencedlock.cli.replay;

import java.util.List;

/**
 * A run as a picture: a lane for each worker, time from left to right, the resource at the bottom, and every write as an arrow to it that
 * arrives or does not. Colours come from the page's style sheet.
 */
final class Picture {
    static final String YES = "M-4,0 l3,3.5 l5,-7";
    static final String NO = "M-3.5,-3.5 l7,7 M3.5,-3.5 l-7,7";
    private static final int TOP = 34;
    private static final int LANE = 62;
    private static final int CAPTION = 17;
    private static final int BAR = 39;
    private static final int STORED = 46;

    private final Play play;
    private final String id;
    private final Lanes lanes;
    private final Markup svg = new Markup();
    private final long resource;

    Picture(Play play, String id) {
        this.play = play;
        this.id = id;
        lanes = new Lanes(play.steps(), play.run().fencing());
        resource = TOP + (long) LANE * lanes.names().size() + 14;
    }

    String draw() {
        long height = resource + STORED + 2;
        svg.open(
                "svg",
                "viewBox",
                "0 0 " + lanes.width() + " " + height,
                "style",
                "--natural:" + lanes.width() + "px",
                "role",
                "img",
                "aria-labelledby",
                id + "-title " + id + "-text");
        svg.element("title", play.run().title(), "id", id + "-title");
        svg.element(
                "desc",
                "Time runs from left to right. Lanes: " + String.join(", ", lanes.names()) + ", and the resource. "
                        + play.mark().words + ": " + play.sentence() + ". The table below tells the same.",
                "id",
                id + "-text");
        axis();
        names();
        List<Bars.Bar> bars = Bars.of(play.steps(), lanes);
        bars.stream().filter(bar -> bar.kind() == Bars.Kind.PAUSED).forEach(this::bar);
        bars.stream().filter(bar -> bar.kind() != Bars.Kind.PAUSED).forEach(this::bar);
        stored();
        each(this::arrow);
        each(this::step);
        return svg.close().toString();
    }

    private interface Drawn {
        void draw(int index, Step step);
    }

    private void each(Drawn drawn) {
        List<Step> steps = play.steps();
        for (int i = 0; i < steps.size(); i++) {
            drawn.draw(i, steps.get(i));
        }
    }

    private void axis() {
        words(0, 14, "axis", "ms");
        long written = 0;
        for (int i = 0; i < play.steps().size(); i++) {
            String ms = Long.toString(play.steps().get(i).ms());
            boolean same =
                    i > 0 && play.steps().get(i - 1).ms() == play.steps().get(i).ms();
            if (!same && lanes.x(i) > written) {
                words(lanes.x(i), 14, "axis middle", ms);
                written = lanes.x(i) + 8L * ms.length();
            }
            line(lanes.x(i), 20, lanes.x(i), 25, "tick");
        }
        line(Lanes.LEFT, 25, lanes.width(), 25, "tick");
    }

    private void names() {
        for (int lane = 0; lane < lanes.names().size(); lane++) {
            String name = lanes.names().get(lane);
            line(Lanes.LEFT, y(lane) + BAR, lanes.width(), y(lane) + BAR, "lane");
            words(0, y(lane) + BAR + 4, "name " + colour(name), name);
        }
        words(0, resource + 28, "name", "resource");
    }

    private void bar(Bars.Bar bar) {
        String worker = colour(lanes.names().get(bar.lane()));
        long y = y(bar.lane()) + BAR;
        switch (bar.kind()) {
            case HOLDS, BELIEVES ->
                box(bar.from(), y - 8, bar.to(), 16, bar.kind().style() + " " + worker);
            case WAITS -> line(bar.from(), y, bar.to(), y, "waits " + worker);
            case PAUSED -> box(bar.from(), y - 15, bar.to(), 30, "paused");
        }
    }

    /** What the resource holds, from each change to the next. */
    private void stored() {
        long from = Lanes.LEFT;
        String colour = "empty";
        List<String> lines = List.of();
        for (int i = 0; i < play.steps().size(); i++) {
            Step step = play.steps().get(i);
            if (Caption.changesTheResource(step)) {
                holding(from, lanes.x(i), colour, lines);
                from = lanes.x(i);
                colour = colour(step.worker());
                lines = Caption.stored(step, play.run().fencing());
            }
        }
        holding(from, lanes.width(), colour, lines);
    }

    private void holding(long from, long to, String colour, List<String> lines) {
        svg.leaf(
                "rect",
                "class",
                "stored " + colour,
                "x",
                Long.toString(from),
                "y",
                Long.toString(resource),
                "width",
                Long.toString(to - from),
                "height",
                Integer.toString(STORED));
        long first = resource + (lines.size() == 1 ? 28 : 20);
        for (int i = 0; i < lines.size(); i++) {
            words(from + 14, first + 16L * i, i == 0 ? "value" : "mark", lines.get(i));
        }
    }

    private void arrow(int index, Step step) {
        long x = lanes.x(index);
        long y = y(lanes.lane(step)) + BAR;
        switch (step.action()) {
            case "wrote", "advanced" -> {
                line(x, y, x, resource - 9, "accepted");
                sign(x, "accepted", YES);
            }
            case "refused" -> {
                line(x, y, x, resource - 9, "refused");
                sign(x, "refused", NO);
            }
            case "read" -> line(x, y, x, resource, "read");
            default -> {
                // concerns the lock only
            }
        }
    }

    private void sign(long x, String style, String path) {
        svg.open("g", "transform", "translate(" + x + "," + resource + ")");
        svg.leaf("circle", "class", "sign " + style, "r", "9");
        svg.leaf("path", "class", "stroke", "d", path);
        svg.close();
    }

    private void step(int index, Step step) {
        long x = lanes.x(index);
        long y = y(lanes.lane(step));
        String colour = colour(step.worker());
        svg.open("g", "class", "step");
        svg.element("title", step.ms() + " ms, " + step.worker() + ": " + step.sentence());
        svg.leaf("circle", "class", "dot " + colour, "cx", Long.toString(x), "cy", Long.toString(y + BAR), "r", "4.5");
        words(x - 4, y + CAPTION, "caption is-" + step.action() + " " + colour, Caption.of(step));
        svg.close();
    }

    private static long y(int lane) {
        return TOP + (long) LANE * lane;
    }

    /** A worker has the same colour in all pictures. */
    private static String colour(String worker) {
        return worker.startsWith("worker-") ? "w" + (worker.charAt(worker.length() - 1) - 'A') % 4 : "other";
    }

    private void box(long from, long top, long to, int height, String style) {
        svg.leaf(
                "rect",
                "class",
                style,
                "x",
                Long.toString(from),
                "y",
                Long.toString(top),
                "width",
                Long.toString(to - from),
                "height",
                Integer.toString(height),
                "rx",
                "5");
    }

    private void line(long x1, long y1, long x2, long y2, String style) {
        svg.leaf("path", "class", style, "d", "M" + x1 + "," + y1 + " L" + x2 + "," + y2);
    }

    private void words(long x, long y, String style, String text) {
        svg.element("text", text, "class", style, "x", Long.toString(x), "y", Long.toString(y));
    }
}
