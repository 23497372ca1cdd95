import { sharedLedger } from '../support/store.ts'
import { ledgerSuites } from './ledger-suites.ts'

const { ledger, newNamespace } = sharedLedger()

ledgerSuites('the ledger in SQLite', () => ({ ledger, namespace: newNamespace(), other: newNamespace() }))
