import { after, test } from 'node:test'
import { realEngineAddress } from '../support/engines/real/real-engine.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { engineConnectionSuite } from './engine-connection.ts'

const scripted = await startScriptedEngine(searchProtocol('elasticsearch'))
after(() => scripted.close())
engineConnectionSuite('Elasticsearch over the scripted server', scripted.url)

const real = await realEngineAddress('opensearch', process.env.OPENSEARCH_URL)
if (typeof real === 'string') test('OpenSearch is reached by several addresses', { skip: real })
else engineConnectionSuite('OpenSearch', real.url)
