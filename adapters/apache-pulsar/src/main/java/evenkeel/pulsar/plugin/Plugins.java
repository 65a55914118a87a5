package evenkeel.pulsar.plugin;

import evenkeel.pulsar.Failure;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.NamespaceUnloadStrategy;
import org.apache.pulsar.broker.loadbalance.extensions.strategy.BrokerSelectionStrategy;

/**
 * The classes of a plug-in. They are loaded anew for each trial, so that no static field carries over, after Pulsar's
 * own: what Pulsar has is Pulsar's, also where the plug-in's jar has another one. The loader is the thread's, as in a
 * broker, whose class path has all.
 */
final class Plugins {
    private static final List<Class<?>> KINDS = List.of(LoadSheddingStrategy.class, ModularLoadManagerStrategy.class,
            NamespaceUnloadStrategy.class, BrokerSelectionStrategy.class);

    private final List<Path> classpath;
    private URLClassLoader loader;

    Plugins(List<Path> classpath) {
        this.classpath = classpath;
        reload();
    }

    /** Objects made from now on are of new classes. */
    void reload() {
        try {
            if (loader != null) {
                loader.close();
            }
            URL[] urls = new URL[classpath.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = classpath.get(i).toUri().toURL();
            }
            loader = new URLClassLoader("plug-in", urls, Plugins.class.getClassLoader());
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException unclosed) {
            throw new Unusable("The class path " + classpath + " cannot be read: " + unclosed.getMessage() + ".");
        }
        Thread.currentThread().setContextClassLoader(loader);
    }

    /** A new object of the class of this name. */
    <T> T create(String name, Class<T> kind) {
        try {
            Class<?> type = Class.forName(name, true, loader);
            if (!kind.isAssignableFrom(type)) {
                throw new Unusable("The class " + name + " does not implement " + kind.getSimpleName() + kindsOf(type)
                        + ".");
            }
            if (type.getClassLoader() != loader && loader.findResource(name.replace('.', '/') + ".class") != null) {
                throw new Unusable("The class " + name + " of the class path is hidden by Pulsar's own of this name: "
                        + "give it another name, or build Pulsar with it and name that build with --pulsar-home.");
            }
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return kind.cast(constructor.newInstance());
        } catch (ClassNotFoundException missing) {
            throw new Unusable("There is no class " + name + " in " + (classpath.isEmpty()
                    ? "this Pulsar; name its jar with --classpath" : classpath + ", nor in this Pulsar") + ".");
        } catch (NoSuchMethodException missing) {
            throw new Unusable("The class " + name + " has no constructor without parameters, which Pulsar calls.");
        } catch (ReflectiveOperationException | LinkageError failed) {
            Throwable cause = Failure.unwrap(failed);
            throw new Unusable("The class " + name + " cannot be made: " + cause.getClass().getSimpleName() + ", "
                    + cause.getMessage() + ".");
        }
    }

    private static String kindsOf(Class<?> type) {
        List<String> kinds =
                KINDS.stream().filter(kind -> kind.isAssignableFrom(type)).map(Class::getSimpleName).toList();
        return kinds.isEmpty() ? "" : " but " + String.join(", ", kinds);
    }
}
