package evenkeel.pulsar;

import java.util.OptionalInt;
import jakarta.ws.rs.WebApplicationException;

/** What Pulsar's REST resources throw; it was javax until 4.2. */
final class Http {
    private Http() {
    }

    /** The HTTP status of an exception that has one. */
    static OptionalInt status(Throwable thrown) {
        return thrown instanceof WebApplicationException http
                ? OptionalInt.of(http.getResponse().getStatus()) : OptionalInt.empty();
    }
}
