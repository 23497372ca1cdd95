import { after, test } from 'node:test'
import { realEngineAddress } from '../support/engines/real/real-engine.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { engineFaultSuite } from './engine-faults.ts'

const product = 'elasticsearch'
const scripted = await startScriptedEngine(searchProtocol(product))
after(() => scripted.close())
engineFaultSuite('Elasticsearch over the scripted server', { url: scripted.url, product, isReal: false })

const real = await realEngineAddress('opensearch', process.env.OPENSEARCH_URL)
if (typeof real === 'string') test('OpenSearch tells what is wrong with it', { skip: real })
else engineFaultSuite('OpenSearch', { url: real.url, product: 'opensearch', isReal: true })
