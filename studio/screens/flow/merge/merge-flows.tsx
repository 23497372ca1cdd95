import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type FlowFile, readFlowFile } from '../../../drawing/flow-file.ts'
import { placeMissing } from '../../../drawing/layout.ts'
import { mergeDrawings, type MergeItem, type Side } from '../../../drawing/merge.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { agoText, countText } from '../../../parts/units.ts'
import type { Flow } from '../../../server/flows.ts'
import type { Conflict } from '../draft/use-flow-draft.ts'
import { useEditor } from '../editor.ts'
import type { SaveFlow } from '../save-flow.ts'
import { findTheirs } from './find-theirs.ts'
import { MergeChoice } from './merge-choice.tsx'
import styles from './merge.module.css'
import { LoadFailure } from '../../../parts/load-failure.tsx'

type MergeFlowsProps = { flow: Flow; saving: SaveFlow }

/** Shown when the flow or its draft was saved in another tab or by another person since it was opened here. */
export function MergeFlows({ flow, saving }: MergeFlowsProps) {
  const { conflict } = saving
  if (conflict === undefined) return null
  return <MergeDialog key={conflict} flow={flow} saving={saving} conflict={conflict} />
}

function MergeDialog({ flow, saving, conflict }: MergeFlowsProps & { conflict: Conflict }) {
  const navigate = useNavigate()
  const editor = useEditor()
  // The versions stay as they were when the dialog opened.
  const [{ history, kinds }] = useState(() => editor.getState())
  const { data, error, refetch } = useQuery({
    queryKey: ['merge', flow.id, conflict, saving.revision, saving.draft.state.draft?.number],
    queryFn: () => findTheirs(flow.id, conflict),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const made = useMemo(() => {
    if (!data) return undefined
    const [file, common] = [data.flowData, data.common].map(
      (text) => text && placeMissing(readFlowFile(text), kinds),
    ) as [FlowFile, FlowFile | undefined]
    return { file, ...mergeDrawings(common ?? history.saved, history.file, file, kinds) }
  }, [data, history, kinds])
  const shown = made?.items.filter(({ part }) => part !== 'place') ?? []
  const conflicts = shown.filter(({ conflict }) => conflict)
  const others = shown.filter(({ conflict }) => !conflict)
  const choose = (items: readonly MergeItem[], side: Side) =>
    setChoices(new Map([...choices, ...items.map(({ key }) => [key, side] as const)]))
  const saveMerged = async () => {
    if (!data || !made) return
    const allTheirs = made.items.every(({ key, usual }) => (choices.get(key) ?? usual) === 'theirs')
    const merged = allTheirs ? made.file : made.apply(choices)
    if ('live' in data.next) await saving.saveMerged(data.next.live, made.file, merged)
    else await saving.saveMergedDraft(data.next, made.file, merged)
  }
  const copy = async () => {
    const slug = await saving.saveCopy()
    if (slug !== undefined) await navigate({ to: '/flows/$id', params: { id: slug } })
  }
  return (
    <Dialog
      open
      onClose={saving.putOff}
      size="large"
      title={data?.title ?? 'This flow was saved elsewhere meanwhile'}
      about={
        data
          ? `${data.what} by ${data.savedBy}, ${agoText(data.savedAt)}. Nothing was overwritten: your changes are still here${conflict === 'flow' ? ', and that version stays in the revisions' : ''}.`
          : 'Another tab or another person saved it after you opened it. Nothing was overwritten, and your changes are still here.'
      }
      actions={
        <>
          <Button onClick={saving.putOff}>Go on editing</Button>
          <Button onClick={() => void copy()}>Save mine as a copy</Button>
          <Button look="main" disabled={!made || saving.isSaving} onClick={() => void saveMerged()}>
            {conflict === 'flow' ? 'Save the merged flow' : 'Save the merged draft'}
          </Button>
        </>
      }
    >
      <LoadFailure error={error} onAgain={refetch} />
      {!made && !error ? <p className={styles.quiet}>Loading the other version…</p> : null}
      {made ? (
        <>
          {conflicts.length === 0 ? (
            <Note>
              {shown.length === 0
                ? 'Both versions have the same drawing.'
                : 'Nothing was changed on both sides: the merged flow has the changes of both.'}
            </Note>
          ) : (
            <section aria-label="Changed on both sides">
              <div className={styles.head}>
                <h3>Changed on both sides: choose one</h3>
                <Button onClick={() => choose(conflicts, 'mine')}>All mine</Button>
                <Button onClick={() => choose(conflicts, 'theirs')}>All theirs</Button>
              </div>
              <Choices items={conflicts} choices={choices} onChoose={choose} />
            </section>
          )}
          {others.length === 0 ? null : (
            <details className={styles.others} open={conflicts.length === 0}>
              <summary>{countText(others.length, 'change')} of one side only; all are taken</summary>
              <Choices items={others} choices={choices} onChoose={choose} />
            </details>
          )}
        </>
      ) : null}
    </Dialog>
  )
}

type ChoicesProps = {
  items: MergeItem[]
  choices: ReadonlyMap<string, Side>
  onChoose(items: MergeItem[], side: Side): void
}

const Choices = ({ items, choices, onChoose }: ChoicesProps) => (
  <ul className={styles.list}>
    {items.map((item) => (
      <MergeChoice
        key={item.key}
        item={item}
        side={choices.get(item.key) ?? item.usual}
        onChoose={(side) => onChoose([item], side)}
      />
    ))}
  </ul>
)
