import { after } from 'node:test'
import { chromaEngine } from '../../src/stores/remote/chroma.ts'
import { clientOf } from '../support/engines/client-of.ts'
import { chromaProtocol } from '../support/engines/scripted-chroma.ts'
import { realEngine } from '../support/engines/real/real-engine.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { remoteEngineSuite } from './remote-engine.ts'

const scripted = await startScriptedEngine(chromaProtocol())
after(() => scripted.close())

const { CHROMA_URL, CHROMA_TOKEN } = process.env

remoteEngineSuite({
  name: 'Chroma',
  scripted: { server: clientOf(scripted.url), engine: scripted },
  real: await realEngine('chroma', CHROMA_URL, CHROMA_TOKEN ? { 'x-chroma-token': CHROMA_TOKEN } : {}),
  make: (server, prefix, metric) =>
    chromaEngine({ server, name: 'chroma', collectionPrefix: prefix, metric }),
  metrics: ['cosine', 'dot', 'euclidean'],
  writes: 'collections/',
})
