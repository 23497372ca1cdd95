import { test } from 'node:test'
import type { Metadata } from '../../src/contract/document.ts'
import { chunkIdOf } from '../../src/documents/chunk-id.ts'
import type { Ledger, LedgerChunk, Publication } from '../../src/contract/ledger.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { collect } from '../support/collect.ts'

/** A ledger, with two namespaces that no other test has. */
export type MakeLedger = () => { ledger: Ledger; namespace: string; other: string }

/** The engine of the namespaces. */
export const ENGINE = 'some engine'

/** What a check of a ledger is given. */
export type LedgerParts = {
  ledger: Ledger
  namespace: string
  other: string
  open(embedder?: string): ReturnType<Ledger['open']>
  /** Stages and publishes chunks; answers their collection. */
  bring(chunks: LedgerChunk[], more?: Partial<Publication>): Promise<string>
  /** What readers see of some points. */
  seen(chunks: LedgerChunk[]): Promise<string[] | undefined>
}

/** Declares the tests of a suite: each gets namespaces of its own. */
export const ledgerPromises =
  (name: string, make: MakeLedger) =>
  (promise: string, check: (parts: LedgerParts) => Promise<void>): void =>
    void test(`${name} ${promise}`, async () => {
      const { ledger, namespace, other } = make()
      const open = (embedder = 'e') => ledger.open({ namespace, embedder, engine: ENGINE })
      let collection = ''
      await check({
        ...{ ledger, namespace, other, open },
        async bring(chunks, more) {
          const run = await open()
          await run.stage(chunks, 2)
          await run.publish(publication(chunks.length, more))
          collection = run.index.collection
          return collection
        },
        async seen(chunks) {
          const found = await ledger.read(
            collection,
            chunks.map(({ pointId }) => pointId!),
            {},
          )
          return found && [...found.documents.values()].map(({ pageContent }) => pageContent).sort()
        },
      })
    })

export function newChunk(
  source: string,
  text: string,
  metadata: Metadata = {},
): LedgerChunk & { pointId: string } {
  const canonical = canonicalJson(metadata)
  const chunk = {
    source,
    hash: fingerprint(text),
    metadata: canonical,
    metadataHash: fingerprint(canonical),
  }
  return { ...chunk, text, pointId: chunkIdOf(chunk) }
}

export const publication = (stagedCount: number, more: Partial<Publication> = {}): Publication => ({
  stagedCount,
  removedChunkIds: [],
  files: [],
  updatedSources: [],
  invalidatedFiles: [],
  ...more,
})

/** Ids of the chunks of a source that readers see. */
export const idsOf = async (ledger: Ledger, namespace: string, source: string): Promise<number[]> =>
  (await collect(ledger.view(await ledger.find(namespace)).visible(source))).flat()
