import { sharedLedger } from '../support/store.ts'
import { ledgerSuite } from './ledger.ts'

const { ledger, newNamespace } = sharedLedger()

ledgerSuite('the ledger in SQLite', () => ({ ledger, namespace: newNamespace(), other: newNamespace() }))
