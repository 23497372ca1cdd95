import { useRef, useState } from 'react'
import { complain, tell } from '../../../parts/toast.tsx'
import { messageOf, ServerFailure } from '../../../server/call.ts'
import { type DraftState, discardDraft, getDraft, publishDraft, saveDraft } from '../../../server/drafts.ts'
import type { Flow } from '../../../server/flows.ts'

/** What was changed meanwhile: the live flow, the draft, or the live drawing of which the draft was made. */
export type Conflict = 'flow' | 'draft' | 'live'

/** The draft of the open flow. */
export type OpenDraft = {
  /** What the server said last. */
  state: DraftState
  /** Whether a save makes a draft: the setting says so, or the flow has one. */
  isOn: boolean
  /** Whether the draft is being published or discarded. */
  isBusy: boolean
  /** Why it cannot be published, as the server said when it was saved or published. */
  refusal: string | undefined
  /** Stores a drawing. False where others saved meanwhile. @param base the revision of which it was made, after a merge */
  save(flowData: string, base?: number): Promise<boolean>
  /** Goes on from what the server has. */
  take(state: DraftState): void
  /** Asks the server. */
  refresh(): Promise<DraftState>
  /** Makes it live; undefined where it was refused. */
  publish(): Promise<Flow | undefined>
  /** True once it is gone. */
  discard(): Promise<boolean>
}

type DraftOptions = {
  opened: DraftState
  /** The revision of which the open drawing was made. */
  based(): number
  onConflict(kind: Conflict): void
}

/** Saves, publishes and discards the draft of an open flow. */
export function useFlowDraft(flow: Flow, { opened, based, onConflict }: DraftOptions): OpenDraft {
  const known = useRef(opened)
  const [state, setState] = useState(opened)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  function take(next: DraftState): void {
    known.current = next
    setState(next)
  }

  const numberNow = () => known.current.draft?.number ?? 0
  const without = (revision: number): DraftState => ({
    ...known.current,
    ...{ revision, draft: null, changes: [], summary: '' },
  })

  /** True where it was a conflict, which the dialog of conflicts says. */
  function isConflict(error: unknown): boolean {
    if (!(error instanceof ServerFailure)) return false
    if (error.status === 412) onConflict('draft')
    else if (error.code === 'draft_stale') onConflict('live')
    else return false
    return true
  }

  return {
    state,
    isOn: state.byDefault || state.draft !== null,
    isBusy,
    refusal,
    take,
    async save(flowData, base = known.current.draft?.base ?? based()) {
      try {
        const {
          problems: _,
          warning,
          ...saved
        } = await saveDraft(flow.id, {
          ...{ flowData, base, number: numberNow() },
        })
        setRefusal(saved.draft?.stale ? undefined : (warning ?? undefined))
        take(saved)
        return true
      } catch (error) {
        if (isConflict(error)) return false
        throw error
      }
    },
    async refresh() {
      const next = await getDraft(flow.id)
      take(next)
      return next
    },
    async publish() {
      setBusy(true)
      setRefusal(undefined)
      try {
        const {
          running: _,
          note,
          problems: __,
          warning: ___,
          ...stored
        } = await publishDraft(flow.id, numberNow())
        take(without(stored.revision))
        tell(note ?? `${stored.name} is live as revision ${stored.revision}`)
        return stored
      } catch (error) {
        if (error instanceof ServerFailure && error.code === 'draft_unfit') setRefusal(error.message)
        else if (!isConflict(error)) complain('The draft was not published', messageOf(error))
        return undefined
      } finally {
        setBusy(false)
      }
    },
    async discard() {
      setBusy(true)
      try {
        await discardDraft(flow.id, numberNow())
        setRefusal(undefined)
        take(without(known.current.revision))
        tell('The draft is discarded')
        return true
      } catch (error) {
        if (!isConflict(error)) complain('The draft was not discarded', messageOf(error))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
