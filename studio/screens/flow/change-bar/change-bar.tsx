import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useActions } from '../../../actions/use-actions.ts'
import { drawGraph } from '../../../drawing/graph.ts'
import { isDirty } from '../../../drawing/history.ts'
import { Button } from '../../../parts/button.tsx'
import { hasEnded } from '../../../server/jobs.ts'
import { compareLoads } from '../../../server/refresh.ts'
import { useEditor, useEditorState } from '../editor.ts'
import { useEmbedAgain } from '../old-loads/use-embed-again.ts'
import { useOpenFlow } from '../open-flow.ts'
import { storesToLoad } from '../upsert/participants.ts'
import { useUpserting } from '../upsert/upserting.tsx'
import styles from './change-bar.module.css'
import { changeText } from './change-bar-text.ts'

/** The bar below the tabs of canvas and documents: what is not live or not loaded yet, and what helps. It is absent where all is. */
export function ChangeBar() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const tab = /^\/flows\/[^/]+(\/documents)?\/?$/.test(path)
  useDraftActions()
  return tab ? <Bar /> : null
}

/** What can be done with a draft, for the palette. */
function useDraftActions(): void {
  const { saving } = useOpenFlow()
  const { draft } = saving
  useActions(() => [
    ...(draft.isOn
      ? []
      : [
          {
            id: 'save as draft',
            label: 'Save as a draft',
            group: 'This flow',
            run: () => void saving.saveAsDraft(),
          },
        ]),
    ...(draft.state.draft
      ? [
          {
            id: 'publish draft',
            label: 'Publish the draft',
            group: 'This flow',
            run: () => void saving.publish(),
          },
          {
            id: 'discard draft',
            label: 'Discard the draft',
            group: 'This flow',
            run: () => void saving.discard(),
          },
        ]
      : []),
  ])
}

function Bar() {
  const { flow, saving } = useOpenFlow()
  const { upsert, preview, setOpened } = useUpserting()
  const editor = useEditor()
  const { draft } = saving
  const navigate = useNavigate()
  const saved = useEditorState((state) => state.history.saved)
  const kinds = useEditorState((state) => state.kinds)
  const stores = useMemo(() => storesToLoad(drawGraph(saved, kinds)), [saved, kinds])
  const hasDraft = draft.state.draft !== null
  const { embedding, embedAgain } = useEmbedAgain(flow.id, undefined)
  const { data: compared } = useQuery({
    queryKey: ['load-comparison', flow.id, saving.revision, draft.state.draft?.number],
    queryFn: () => compareLoads(flow.id, { draft: hasDraft }),
    // Of a flow with several stores the dialog compares the one that is chosen.
    enabled: stores.length === 1,
    // A flow without a vector store, or one that cannot be built, has nothing to compare.
    retry: false,
  })
  const busy = upsert.sent !== undefined || (upsert.job !== undefined && !hasEnded(upsert.job))
  const said = changeText(draft.state, busy || stores.length !== 1 ? undefined : compared)
  if (!said) return null
  const next = busy ? null : (compared?.next ?? null)

  function showChanges(): void {
    const { history } = editor.getState()
    const flowData = isDirty(history) ? JSON.stringify(history.file) : undefined
    setOpened('files')
    void preview.start({
      ...{ files: [], stopNodeId: undefined, refresh: true, flowData },
      draft: flowData === undefined && hasDraft,
    })
  }

  async function publishAndLoad(): Promise<void> {
    if (await saving.publish()) await upsert.start({ files: [], stopNodeId: undefined, refresh: true })
  }

  return (
    <section
      className={styles.bar}
      aria-label="Changed settings"
      data-stale={draft.state.draft?.stale === true}
    >
      <div className={styles.words}>
        <strong>{said.text}</strong>
        {said.details.length > 0 ? <span className={styles.details}>{said.details.join(' ')}</span> : null}
        {draft.refusal === undefined ? null : (
          <span className={styles.refusal} role="alert">
            {draft.refusal}
          </span>
        )}
      </div>
      <div className={styles.buttons}>
        {next === 'refresh' ? <Button onClick={showChanges}>What would change</Button> : null}
        {hasDraft ? (
          <>
            <Button onClick={() => void navigate({ to: '/flows/$id/compare', params: { id: flow.slug } })}>
              Compare
            </Button>
            <Button disabled={draft.isBusy} onClick={() => void saving.discard()}>
              Discard
            </Button>
            {draft.state.draft?.stale ? (
              <Button look="main" onClick={saving.merge}>
                Merge
              </Button>
            ) : (
              <>
                <Button
                  look={next === 'refresh' ? 'plain' : 'main'}
                  disabled={draft.isBusy}
                  onClick={() => void saving.publish()}
                >
                  Publish
                </Button>
                {next === 'refresh' ? (
                  <Button look="main" disabled={draft.isBusy} onClick={() => void publishAndLoad()}>
                    Publish and load again
                  </Button>
                ) : null}
              </>
            )}
          </>
        ) : next === 'refresh' ? (
          <Button
            look="main"
            onClick={() => void upsert.start({ files: [], stopNodeId: undefined, refresh: true })}
          >
            Load again
          </Button>
        ) : next === 'reindex' ? (
          <Button disabled={embedding} onClick={() => void embedAgain()}>
            {embedding ? 'Embedding…' : 'Embed again'}
          </Button>
        ) : next === 'send' ? (
          <Button onClick={() => setOpened('files')}>Send the files</Button>
        ) : null}
      </div>
    </section>
  )
}
