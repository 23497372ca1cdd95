import type { AskAddress } from './ask-address.ts'

/** A question that was asked in this tab, with what came. */
export type PastQuestion = { address: AskAddress; hits: number; best: string | undefined }

const MOST = 30
const keyOf = (flowId: string) => `sluice.questions.${flowId}`

/** The questions of this tab to a flow, the newest first. */
export function pastQuestions(
  flowId: string,
  storage: Pick<Storage, 'getItem'> = sessionStorage,
): PastQuestion[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(flowId)) ?? '[]')
    return Array.isArray(stored) ? (stored as PastQuestion[]) : []
  } catch {
    return []
  }
}

/** Adds a question; the same one with the same settings moves to the top. */
export function rememberQuestion(
  flowId: string,
  question: PastQuestion,
  storage: Pick<Storage, 'getItem' | 'setItem'> = sessionStorage,
): PastQuestion[] {
  const same = JSON.stringify(question.address)
  const others = pastQuestions(flowId, storage).filter(({ address }) => JSON.stringify(address) !== same)
  const all = [question, ...others].slice(0, MOST)
  try {
    storage.setItem(keyOf(flowId), JSON.stringify(all))
  } catch {
    // A full storage loses the list when the page is loaded again.
  }
  return all
}

/** The settings that a question had of its own, in words. */
export const settingsOf = ({
  mode,
  weight,
  topK,
  rerank,
  rescore,
  spelling,
  filter,
}: AskAddress): string[] => [
  ...(mode === undefined ? [] : [{ hybrid: 'hybrid', vector: 'meaning', keyword: 'words' }[mode]]),
  ...(weight === undefined ? [] : [`weight ${weight}`]),
  ...(topK === undefined ? [] : [`${topK} wanted`]),
  ...(rerank === false ? ['not reranked'] : []),
  ...(rescore === false ? ['not rescored'] : []),
  ...(spelling === false ? ['as typed'] : []),
  ...(filter === undefined ? [] : ['filter']),
]
