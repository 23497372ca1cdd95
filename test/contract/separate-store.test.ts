import { sharedLedger } from '../support/store.ts'
import { scanEngine } from '../support/scan-engine.ts'
import { chunkStores } from '../../src/stores/chunk-stores.ts'
import { chunkStoreSuite } from './chunk-store.ts'

const { ledger, newNamespace } = sharedLedger()

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
