import { sharedLedger, sharedStores } from '../support/store.ts'
import { scanEngine } from '../support/scan-engine.ts'
import { chunkStores } from '../../src/stores/chunk-stores.ts'
import { chunkStoreSuite } from './chunk-store.ts'

const { ledger, newNamespace } = sharedLedger()
const shared = sharedStores()

const VARIANTS = {
  'a store over a separate engine': {},
  'a store over a separate engine without filters': { filters: false },
}

for (const [name, can] of Object.entries(VARIANTS)) {
  const stores = chunkStores({ ledger, engine: scanEngine(':memory:', can) })
  chunkStoreSuite(name, () => {
    const test = newNamespace()
    return { open: (namespace) => stores.open(`${test} ${namespace}`) }
  })
}

const source = {
  name: 'scan',
  key: '',
  create() {
    const { close: _, ...engine } = scanEngine(':memory:', { keywords: false })
    return engine
  },
}
chunkStoreSuite('a store over a separate engine, with the words of the ledger', () => {
  const test = shared.newNamespace()
  return { open: (namespace) => shared.stores.openSeparate(`${test} ${namespace}`, source) }
})
