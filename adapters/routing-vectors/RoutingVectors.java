import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.regex.Pattern;

/** Answers of a client, compared with scaling.routing.json. Each of its objects has a line. */
public final class RoutingVectors {
    private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\": (?:\"([^\"]*)\"|\\[([^]]*)]|([^,}]+))");
    public static int asked;

    /** A segment's members are texts: number, start, end, sealed, legacy, splits. */
    public interface Client {
        /** The number of the segment, and the entry bucket (-1: not known), of a key. */
        long[] route(List<Map<String, String>> layout, byte[] key);
        /** Whether it applies a "layout" or an "assignment" with the epoch sent; it has one, or null. Null: not asked. */
        default Boolean applies(String of, Long has, long sent) { return null; }
        /** Where a controller ends the lower half of a range. Null: not asked. */
        default Long lowerEnd(long start, long end) { return null; }
    }

    public static List<String> wrong(Path file, Client client) throws IOException {
        Map<String, List<Map<String, String>>> layouts = new HashMap<>();
        List<String> found = new ArrayList<>();
        if (!Files.readString(file).contains("\"scalable-topics routing 1\"")) throw new IOException(file + " has another format");
        for (String line : Files.readAllLines(file)) {
            Map<String, String> one = new HashMap<>();
            MEMBER.matcher(line).results().forEach(m -> one.put(m.group(1), m.group(2) != null ? m.group(2) : m.group(3) != null ? m.group(3) : m.group(4)));
            if (one.containsKey("splits")) layouts.computeIfAbsent(one.get("layout"), name -> new ArrayList<>()).add(one);
            long[] to = one.containsKey("key") ? client.route(layouts.get(one.get("layout")), HexFormat.of().parseHex(one.get("utf8"))) : null;
            String bucket = to == null || to[1] < 0 || one.get("bucket").equals("null") ? "" : " " + one.get("bucket");
            Object has = to != null ? to[0] + (bucket.isEmpty() ? "" : " " + to[1])
                    : one.containsKey("of") ? client.applies(one.get("of"), one.get("has").equals("null") ? null : Long.valueOf(one.get("has")), Long.parseLong(one.get("sent")))
                    : one.containsKey("lower_end") ? client.lowerEnd(Long.parseLong(one.get("start")), Long.parseLong(one.get("end"))) : null;
            String right = to != null ? one.get("segment") + bucket : one.getOrDefault("applied", one.get("lower_end"));
            asked += has == null ? 0 : 1;
            if (has != null && !has.toString().equals(right)) found.add(line + " has " + has);
        }
        return found;
    }
}
