import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { complain, tell } from '../../../parts/toast.tsx'
import type { Hit } from '../../../server/ask.ts'
import { messageOf } from '../../../server/call.ts'
import {
  addQuestions,
  changeQuestion,
  findQuestion,
  type Judgement,
  type Question,
  removeQuestion,
} from '../../../server/questions.ts'
import { judgementOf, type PickedChunk, sameJudgement } from './judgements.ts'

export type Judging = {
  /** Why it is not known how the hits are judged; null where it is. */
  failure: unknown
  readAgain(): void
  /** How a hit is judged for the question: `right`, `wrong`, or not at all. */
  gradeOf(hit: Hit): 'right' | 'wrong' | undefined
  /** Judges a hit right or wrong; the same once more takes it back. */
  judge(hit: Hit, grade: 0 | 1): void
  /** A passage of a document is the right answer, though it is none of the hits. */
  pick(chunk: PickedChunk): Promise<boolean>
}

/** Keeps which hits of a question are right and wrong, at once and with a way back. Keys: `g` and `b`. */
export function useJudging(flowId: string, text: string | undefined, hits: readonly Hit[]): Judging {
  const queries = useQueryClient()
  const queryKey = ['questions', flowId, 'of', text]
  const {
    data: question,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: () => findQuestion(flowId, text!),
    enabled: text !== undefined,
    staleTime: 0,
    retry: false,
  })
  const presentOf = (wanted: Judgement) => question?.judgements.find((one) => sameJudgement(one, wanted))
  const refresh = () => queries.invalidateQueries({ queryKey: ['questions', flowId] })

  /** Does a change, and shows what came of it. */
  async function save(work: () => Promise<Question | null>): Promise<boolean> {
    try {
      queries.setQueryData(queryKey, await work())
      await refresh()
      return true
    } catch (error) {
      complain('The judgement was not kept', messageOf(error))
      return false
    }
  }

  async function put(judgement: Judgement, origin: 'hit' | 'document', title: string): Promise<boolean> {
    const before = presentOf(judgement)
    let undo = async (): Promise<Question | null> => null
    const isKept = await save(async () => {
      const { questions, numAdded } = await addQuestions(flowId, [
        { text: text!, origin, judgements: [judgement] },
      ])
      const [stored] = questions
      undo = async () => {
        if (numAdded > 0) {
          await removeQuestion(flowId, stored!.id)
          return null
        }
        return changeQuestion(flowId, stored!.id, before ? { judge: [before] } : { unjudge: [judgement] })
      }
      return stored!
    })
    if (isKept) tell(title, { label: 'Undo', onSelect: () => void save(undo) })
    return isKept
  }

  function judge(hit: Hit, grade: 0 | 1): void {
    const judgement = judgementOf(hit, grade)
    if (!judgement || text === undefined) return
    if (question && presentOf(judgement)?.grade === grade) {
      const { id } = question
      void save(() => changeQuestion(flowId, id, { unjudge: [judgement] })).then((isKept) => {
        if (isKept) tell('The judgement was taken back')
      })
    } else void put(judgement, 'hit', grade > 0 ? 'Kept as a right answer' : 'Kept as wrong')
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (ctrlKey || metaKey || altKey || (key !== 'g' && key !== 'b')) return
    if (
      !(target instanceof Element) ||
      target.closest('input, textarea, select, [contenteditable], [role=dialog]')
    )
      return
    const hit =
      hits.find(({ id }) => id === target.closest('[data-hit]')?.getAttribute('data-hit')) ?? hits[0]
    if (!hit) return
    event.preventDefault()
    judge(hit, key === 'g' ? 1 : 0)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])

  return {
    failure: error,
    readAgain: () => void refetch(),
    gradeOf(hit) {
      const judgement = judgementOf(hit, 1)
      const grade = judgement && presentOf(judgement)?.grade
      return grade === undefined ? undefined : grade > 0 ? 'right' : 'wrong'
    },
    judge,
    pick: (chunk) => {
      const judgement = judgementOf(chunk, 1)
      return judgement && text !== undefined
        ? put(judgement, 'document', 'Kept as the right answer')
        : Promise.resolve(false)
    },
  }
}
