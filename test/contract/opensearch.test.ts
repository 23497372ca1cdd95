import { after } from 'node:test'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { clientOf } from '../support/engines/client-of.ts'
import { judged } from '../support/engines/described/judge.ts'
import { searchDescription } from '../support/engines/described/search.ts'
import { realEngine } from '../support/engines/real/real-engine.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { remoteEngineSuite } from './remote-engine.ts'
import { searchIndexSuite } from './search-indexes.ts'

const scripted = await startScriptedEngine(searchProtocol('opensearch'))
after(() => scripted.close())
const real = await realEngine('opensearch', process.env.OPENSEARCH_URL)
const judging = judged('OpenSearch', scripted, searchDescription('opensearch'))

remoteEngineSuite({
  name: 'OpenSearch',
  scripted: { server: clientOf(scripted.url), engine: scripted },
  real,
  make: (server, prefix, metric) =>
    searchServerEngine({ server, name: 'opensearch', indexPrefix: prefix, metric }),
  metrics: ['cosine', 'dot', 'euclidean'],
  writes: '/_bulk',
  answersHalf: true,
})

const product = 'opensearch'
searchIndexSuite('OpenSearch over the scripted server', {
  server: clientOf(scripted.url),
  product,
  isReal: false,
})
if (typeof real !== 'string')
  searchIndexSuite('OpenSearch over a real server', { server: real, product, isReal: true })

judging.end()
