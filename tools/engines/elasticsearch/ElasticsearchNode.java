import java.nio.file.Path;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;

/** One node of Elasticsearch in a process of its own. Arguments are settings, as NAME=VALUE; path.home has to be there. */
public class ElasticsearchNode {
  public static void main(String[] settings) throws Exception {
    Settings.Builder builder = Settings.builder();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      if (parts[1].contains(",")) builder.putList(parts[0], parts[1].split(","));
      else builder.put(parts[0], parts[1]);
    }
    LogConfigurator.configureESLogging();
    Settings all = builder.build();
    Node node = new Node(new Environment(all, Path.of(all.get("path.home"), "config")));
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
