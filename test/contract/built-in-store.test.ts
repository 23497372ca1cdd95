import { temporaryStores } from '../support/store.ts'
import { chunkStoreSuite } from './chunk-store.ts'

chunkStoreSuite('the built-in store', (t) => temporaryStores(t).stores)
