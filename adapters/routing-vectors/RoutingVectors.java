import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Pattern;

/** Routes of a client, compared with those of scaling.routing.json. Each of its objects has a line. */
public final class RoutingVectors {
    private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\": (?:\"([^\"]*)\"|\\[([^]]*)]|([^,}]+))");
    public static int routes;

    /** A segment's members as texts: number, start, end, sealed, legacy, splits. */
    public interface Client {
        /** The number of the segment, and the entry bucket (-1: not known), of a key. */
        long[] route(List<Map<String, String>> layout, byte[] key);
    }

    public static List<String> wrong(Path file, Client client) throws IOException {
        Map<String, List<Map<String, String>>> layouts = new HashMap<>();
        List<String> found = new ArrayList<>();
        if (!Files.readString(file).contains("\"scalable-topics routing 1\"")) throw new IOException(file + " has another format");
        for (String line : Files.readAllLines(file)) {
            Map<String, String> one = new HashMap<>();
            MEMBER.matcher(line).results().forEach(m -> one.put(m.group(1),
                    m.group(2) != null ? m.group(2) : m.group(3) != null ? m.group(3) : m.group(4)));
            if (one.containsKey("splits")) {
                layouts.computeIfAbsent(one.get("layout"), name -> new ArrayList<>()).add(one);
            } else if (one.containsKey("key")) {
                long[] has = client.route(layouts.get(one.get("layout")), HexFormat.of().parseHex(one.get("utf8")));
                boolean bucketed = has[1] < 0 || one.get("bucket").equals("null") || has[1] == Long.parseLong(one.get("bucket"));
                routes++;
                if (has[0] != Long.parseLong(one.get("segment")) || !bucketed) found.add(line + " has " + Arrays.toString(has));
            }
        }
        return found;
    }
}
