import java.nio.file.Path;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;

/** One node of OpenSearch with k-NN in a process of its own. Arguments are settings, as NAME=VALUE; path.home has to be there. */
public class OpenSearchNode extends Node {
  private static final List<Class<? extends Plugin>> PLUGINS = List.of(
      org.opensearch.transport.Netty4Plugin.class,
      org.opensearch.analysis.common.CommonAnalysisPlugin.class,
      org.opensearch.painless.PainlessPlugin.class,
      org.opensearch.index.mapper.MapperExtrasPlugin.class,
      org.opensearch.index.reindex.ReindexPlugin.class,
      org.opensearch.knn.plugin.KNNPlugin.class);

  private OpenSearchNode(Environment environment) {
    super(environment, PLUGINS, false);
  }

  public static void main(String[] settings) throws Exception {
    Settings.Builder builder = Settings.builder()
        .put("http.type", "netty4").put("transport.type", "netty4");
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      if (parts[1].contains(",")) builder.putList(parts[0], parts[1].split(","));
      else builder.put(parts[0], parts[1]);
    }
    Settings all = builder.build();
    Node node = new OpenSearchNode(new Environment(all, Path.of(all.get("path.home"), "config")));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        node.close();
      } catch (Exception error) {
        System.err.println(error);
      }
    }));
    node.start();
    Thread.currentThread().join();
  }
}
