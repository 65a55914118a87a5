package evenkeel.pulsar.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.TransferShedder;
import org.apache.pulsar.broker.loadbalance.extensions.strategy.LeastResourceUsageWithWeight;
import org.apache.pulsar.broker.loadbalance.impl.AvgShedder;
import org.apache.pulsar.broker.loadbalance.impl.OverloadShedder;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;
import org.apache.pulsar.common.util.FieldParser;

/**
 * The plug-in that this process was started with.
 *
 * @param extensible whether the extensible manager runs it, or the modular one
 * @param sheds the class of the shedding strategy
 * @param places the class of the placement strategy; null: the modular manager's, as {@link ModularPlugin} says
 * @param classpath jars and folders of classes
 * @param promises what the plug-in is held to
 * @param settings what is set as in broker.conf
 */
public record Chosen(boolean extensible, String sheds, String places, List<Path> classpath, JsonNode promises,
                     Properties settings) {
    /** A trial's loads know no bound. Where all brokers count as overloaded, placement is by chance. */
    private static final int OUT_OF_REACH = 100_000_000;
    private static final String SHEDDER = "--shedder";
    private static final String PLACEMENT = "--placement";
    private static final String UNLOAD_STRATEGY = "--unload-strategy";
    private static final String SELECTION = "--selection";
    private static final List<String> OPTIONS =
            List.of("--classpath", "--promises", "--conf", SHEDDER, PLACEMENT, UNLOAD_STRATEGY, SELECTION);

    /** What these options say; throws {@link Unusable}. */
    public static Chosen of(String... options) {
        Map<String, String> given = read(options);
        boolean modular = given.containsKey(SHEDDER) || given.containsKey(PLACEMENT);
        boolean extensible = given.containsKey(UNLOAD_STRATEGY) || given.containsKey(SELECTION);
        if (modular && extensible) {
            throw new Unusable("--shedder and --placement are the modular manager's, --unload-strategy and --selection "
                    + "the extensible one's: name strategies of one manager.");
        }
        if (!modular && !extensible) {
            throw new Unusable("Name a strategy: --shedder or --placement, or --unload-strategy or --selection.");
        }
        String sheds = modular
                ? given.getOrDefault(SHEDDER, new ServiceConfiguration().getLoadBalancerLoadSheddingStrategy())
                : given.getOrDefault(UNLOAD_STRATEGY, TransferShedder.class.getName());
        String places = modular
                ? given.get(PLACEMENT) : given.getOrDefault(SELECTION, LeastResourceUsageWithWeight.class.getName());
        return new Chosen(extensible, sheds, places, classpath(given.get("--classpath")),
                promises(given.get("--promises"), sheds), settings(given.get("--conf")));
    }

    /**
     * Sets what is set, and leaves the rest at Pulsar's defaults, but for four: nothing is averaged over time, no
     * broker is overloaded unless the strategy is about that, AvgShedder has what its documents tell to set, and
     * nothing is too little for ThresholdShedder.
     */
    void configure(ServiceConfiguration config) {
        config.setLoadBalancerEnabled(true);
        config.setLoadBalancerSheddingEnabled(true);
        config.setLoadBalancerHistoryResourcePercentage(0);
        if (!sheds.equals(OverloadShedder.class.getName())) {
            config.setLoadBalancerBrokerOverloadedThresholdPercentage(OUT_OF_REACH);
        }
        if (sheds.equals(AvgShedder.class.getName())) {
            config.setMaxUnloadPercentage(0.5);
        }
        if (sheds.equals(ThresholdShedder.class.getName())) {
            config.setLoadBalancerBundleUnloadMinThroughputThreshold(0);
        }
        Map<String, String> texts = new TreeMap<>();
        settings.stringPropertyNames().forEach(name -> texts.put(name, settings.getProperty(name)));
        try {
            FieldParser.update(texts, config);
        } catch (IllegalArgumentException unreadable) {
            throw new Unusable("Pulsar cannot read the settings of --conf: " + unreadable.getMessage() + ".");
        }
        config.setProperties(settings);
    }

    private static Map<String, String> read(String... options) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < options.length; i += 2) {
            if (!OPTIONS.contains(options[i]) || i + 1 == options.length) {
                throw new Unusable("There is no option " + options[i] + " with nothing after it; there are "
                        + String.join(", ", OPTIONS) + ", each with a value.");
            }
            if (given.put(options[i], options[i + 1]) != null) {
                throw new Unusable("The option " + options[i] + " is given twice.");
            }
        }
        return given;
    }

    private static List<Path> classpath(String given) {
        List<Path> entries = new ArrayList<>();
        for (String entry : given == null ? new String[0] : given.split(File.pathSeparator)) {
            if (!Files.isReadable(Path.of(entry))) {
                throw new Unusable("There is no file or folder " + entry + ", which --classpath names.");
            }
            entries.add(Path.of(entry));
        }
        return entries;
    }

    private static Properties settings(String file) {
        Properties settings = new Properties();
        try (InputStream given = file == null ? InputStream.nullInputStream() : new FileInputStream(file)) {
            settings.load(given);
        } catch (IOException unreadable) {
            throw new Unusable("The file " + file + " of settings cannot be read: " + unreadable.getMessage() + ".");
        }
        return settings;
    }

    /** The promises of a file; without one, those of Pulsar's own strategy of this name, or of any strategy. */
    private static JsonNode promises(String file, String sheds) {
        String simple = sheds.startsWith("org.apache.pulsar.") ? sheds.substring(sheds.lastIndexOf('.') + 1) : "any";
        try (InputStream own = Chosen.class.getResourceAsStream("/promises/" + simple + ".json");
                InputStream any = Chosen.class.getResourceAsStream("/promises/any.json")) {
            JsonNode promises = file != null ? Json.MAPPER.readTree(new File(file))
                    : Json.MAPPER.readTree(own == null ? any : own);
            if (!promises.isObject()) {
                throw new Unusable("The file " + file + " of promises is not a JSON object.");
            }
            return promises;
        } catch (IOException unreadable) {
            throw new Unusable("The file " + file + " of promises cannot be read: "
                    + unreadable.getMessage().lines().findFirst().orElse("") + ".");
        }
    }
}
