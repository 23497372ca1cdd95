import assert from 'node:assert/strict'
import type { StorePart } from '../../src/contract/card.ts'
import type { Expected } from '../../src/contract/expected.ts'
import type { ExpectedOutcome } from '../../src/retrieve/expected/find-expected.ts'
import type { Retrieved } from '../../src/retrieve/answer.ts'
import { createRetriever } from '../../src/retrieve/run.ts'
import type { RetrievalOverrides } from '../../src/retrieve/settings.ts'

const { retrieve } = createRetriever()

/** The answer to a question, and what became of an expected chunk. */
export async function askExpecting(
  part: StorePart,
  question: string,
  asked: RetrievalOverrides,
  chunks: Expected,
): Promise<{ hits: Retrieved[]; expected: ExpectedOutcome }> {
  let expected: ExpectedOutcome | undefined
  const expect = { chunks, otherConversations: true }
  const [hits] = await retrieve(part, [question], { ...asked, expect }, undefined, (report) => {
    expected = report.expected
  })
  return { hits: hits!, expected: expected! }
}

/**
 * Holds what is said of a missing chunk against the answers of queries that know nothing of it: the chunk is not in the answer; where only
 * the step that is named is changed, it is in the answer or another step leaves it out; and the change that is named shows it at that place.
 */
export async function assertProven(
  part: StorePart,
  question: string,
  asked: RetrievalOverrides,
  id: string,
  { step, place, measured, change, like, tries }: ExpectedOutcome,
): Promise<void> {
  const about = `${question}: ${id} with ${JSON.stringify(asked)}: ${step} ${JSON.stringify({ measured, change, like })}`
  const placeWith = async (more: RetrievalOverrides): Promise<number> => {
    const [hits] = await retrieve(part, [question], { ...asked, ...more })
    return 1 + hits!.findIndex((hit) => hit.id === id)
  }
  const stepWith = async (more: RetrievalOverrides) =>
    (await askExpecting(part, question, { ...asked, ...more }, { chunk: id })).expected.step
  const had = (what: string) => measured.find((one) => one.what === what)?.had ?? undefined
  assert.equal(await placeWith({}), place ?? 0, about)
  switch (step) {
    case null:
      return
    case 'notStored':
      assert.equal(await placeWith({ topK: 1000, minScore: -1, mode: 'vector', mmr: false }), 0, about)
      break
    case 'filter':
      assert.notEqual(await stepWith({ filter: { op: 'and', all: [] } }), 'filter', about)
      break
    case 'threshold':
      assert.ok(measured[0]!.had! < asked.minScore!, about)
      assert.notEqual(await stepWith({ minScore: -1 }), 'threshold', about)
      break
    case 'noSide': {
      const none = measured.every((one) => one.had === null)
      if (!none && (await stepWith({ topK: 1000 })) !== 'noSide') break
      assert.ok(none || measured.every((one) => (one.had ?? -1) <= (one.needed ?? Infinity)), about)
      break
    }
    case 'nearDuplicate':
      assert.ok(
        like!.cosine >= Number(asked.nearDuplicates === true ? 0.98 : asked.nearDuplicates) - 1e-5,
        about,
      )
      assert.notEqual(await stepWith({ nearDuplicates: false }), 'nearDuplicate', about)
      break
    case 'rescoring':
      // Near duplicates and MMR look at the other order too.
      if (!asked.nearDuplicates && !asked.mmr)
        assert.equal(await placeWith({ rescore: false }), had('combinedPlace'), about)
      else assert.notEqual(await stepWith({ rescore: false }), 'rescoring', about)
      break
    case 'pool': {
      const [hits] = await retrieve(part, [question], { ...asked, topK: 50, mmr: false, explain: true })
      const hit = hits!.find((one) => one.id === id)
      if (had('combinedPlace') !== undefined && hit)
        assert.equal(hit.ranks!.combined, had('combinedPlace'), about)
      assert.ok(measured[0]!.had! > measured[0]!.needed!, about)
      break
    }
    case 'reranker':
      // Without it rescoring would come in.
      if (!asked.mmr)
        assert.equal(await placeWith({ rerank: false, rescore: false }), had('combinedPlace'), about)
      break
    case 'mmr':
      assert.equal(await placeWith({ mmr: false }), had('place'), about)
      break
    case 'topK': {
      const at = had('place') ?? had('rerankedPlace')!
      if (asked.mmr || at > 50) break
      assert.equal(await placeWith({ topK: at }), at, about)
      assert.equal(await placeWith({ topK: at - 1 }), 0, about)
      break
    }
    default:
      assert.fail(about)
  }
  if (!change) return
  const { setting, to } = change
  if (setting === 'filter') return
  const changed: RetrievalOverrides =
    setting === 'lambda' || setting === 'fetchK'
      ? { mmr: { ...(asked.mmr || {}), [setting]: to as number } }
      : { [setting]: to }
  assert.equal(await placeWith(changed), change.place, about)
  // A reranker is not called often enough to find the least one above 50.
  const isLeast = Number(to) <= 50 ? !asked.mmr || tries < 14 : !asked.rerank && tries < 14
  if (setting === 'topK' && isLeast) assert.equal(await placeWith({ topK: Number(to) - 1 }), 0, about)
}
