import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.impl.v5.EvenkeelRouter;
import org.apache.pulsar.common.api.proto.ScalableTopicDAG;
import org.apache.pulsar.common.api.proto.SegmentInfoProto;
import org.apache.pulsar.common.api.proto.SegmentState;
import org.apache.pulsar.common.scalable.HashRange;

public final class Check {
    public static void main(String[] words) throws Exception {
        System.out.println(RoutingVectors.wrong(Path.of(words[0]), new RoutingVectors.Client() {
            public long[] route(List<Map<String, String>> layout, byte[] key) {
                ScalableTopicDAG sent = new ScalableTopicDAG().setEpoch(1);
                layout.forEach(one -> {
                    boolean sealed = one.get("sealed").equals("true");
                    SegmentInfoProto info = sent.addSegment().setCreatedAtEpoch(0)
                            .setSegmentId(Long.parseLong(one.get("number")))
                            .setHashStart(Integer.parseInt(one.get("start")))
                            .setHashEnd(Integer.parseInt(one.get("end")))
                            .setState(sealed ? SegmentState.SEALED : SegmentState.ACTIVE);
                    if (one.get("legacy").equals("true")) {
                        info.setLegacyTopicName("persistent://public/default/topic");
                    }
                });
                String text = new String(key, StandardCharsets.UTF_8);
                return new long[] {new EvenkeelRouter(sent).route(text), -1};
            }

            @Override
            public Boolean applies(String of, Long has, long sent) {
                return has == null || sent > has || of.equals("assignment") && sent == has;
            }

            @Override
            public Long lowerEnd(long start, long end) {
                return (long) HashRange.of((int) start, (int) end).split()[0].end();
            }
        }) + " of " + RoutingVectors.asked);
    }
}
