import { sharedStores } from '../support/store.ts'
import { chunkStoreSuite } from './chunk-store.ts'

const { stores, newNamespace } = sharedStores()

chunkStoreSuite('the built-in store', () => {
  const test = newNamespace()
  return { open: (namespace) => stores.open(`${test} ${namespace}`) }
})
