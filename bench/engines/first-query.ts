import { askOurs, bareSearches } from './searches.ts'
import { bareClient } from './bare-client.ts'
import { ourClient } from './our-client.ts'

/*
 * A process of its own: how many milliseconds its first query by vector and words takes, to the standard output. `ours` with the folder and
 * the namespace of a store, or `bare` with an index. What a process loads once is loaded before: of ours all but what a first query loads.
 */
const [who, url, place, namespace] = process.argv.slice(2) as [string, string, string, string]
if (who === 'ours') {
  const client = ourClient(url, place)
  const store = client.open(namespace)
  const began = performance.now()
  await askOurs(store, 'hybrid', 1000)
  console.log(performance.now() - began)
  await client.close()
} else {
  const bare = bareClient(url)
  const searches = await bareSearches(bare)
  const began = performance.now()
  await bare.search(place, searches.hybrid(1000))
  console.log(performance.now() - began)
}
