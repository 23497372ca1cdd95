import { calledMethods, everyMethodIsCalled } from './called-methods.ts'
import { ledgerSuite } from './ledger.ts'
import type { MakeLedger } from './ledger-parts.ts'
import { ledgerPublicationSuite } from './ledger-publication.ts'
import { ledgerSweepSuite } from './ledger-sweep.ts'

/** What the methods of a ledger answer that has methods of its own. */
const MADE = { view: 'StoreView', open: 'LedgerRun', rebuild: 'LedgerRebuild', sweeper: 'LedgerSweeper' }

/** Runs all suites of a ledger. */
export function ledgerSuites(name: string, make: MakeLedger): void {
  const methods = calledMethods()
  const watched: MakeLedger = () => {
    const { ledger, ...namespaces } = make()
    return { ...namespaces, ledger: methods.watch('Ledger', ledger, MADE) }
  }
  for (const suite of [ledgerSuite, ledgerPublicationSuite, ledgerSweepSuite]) suite(name, watched)
  everyMethodIsCalled(name, methods)
}
