import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import { readFlowFile } from '../../../drawing/flow-file.ts'
import { isDirty } from '../../../drawing/history.ts'
import { placeMissing } from '../../../drawing/layout.ts'
import { Button } from '../../../parts/button.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { agoText, momentText } from '../../../parts/units.ts'
import { messageOf, ServerFailure } from '../../../server/call.ts'
import { listRevisions, restoreRevision } from '../../../server/revisions.ts'
import { useEditor, useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import { changeNames } from './change-names.ts'
import { ComparedRevisions } from './compared-revisions.tsx'
import styles from './revisions.module.css'

/** The saves of a flow: who, when and what; two of them compared; restoring one. */
export function Revisions() {
  const { id } = useParams({ from: '/flows/$id/revisions' })
  const search = useSearch({ from: '/flows/$id/revisions' })
  const navigate = useNavigate({ from: '/flows/$id/revisions' })
  const { flow } = useOpenFlow()
  const listed = useQuery({ queryKey: ['revisions', flow.id], queryFn: () => listRevisions(flow.id) })
  const { data } = listed
  const newest = data?.[0]?.number
  const chosen = data?.find(({ number }) => number === search.n) ?? data?.[0]
  const earlier = data?.find(({ number }) => number < (chosen?.number ?? 0))?.number
  const other = data?.find(({ number }) => number === search.with)?.number ?? earlier
  return (
    <main className={styles.screen}>
      <section className={styles.side} aria-label="Revisions">
        <LoadState of={listed} />
        <ol className={styles.list}>
          {data?.map((revision) => (
            <li key={revision.number}>
              <Link
                to="/flows/$id/revisions"
                params={{ id }}
                search={{ n: revision.number }}
                className={styles.row}
                aria-current={revision.number === chosen?.number ? 'true' : undefined}
              >
                <span className={styles.number}>
                  Revision {revision.number}
                  {revision.number === newest ? <span className={styles.badge}>now</span> : null}
                </span>
                <span className={styles.facts} title={momentText(revision.savedAt)}>
                  {agoText(revision.savedAt)} by {revision.savedBy}
                </span>
                <span className={styles.facts}>
                  {revision.changes.length === 0 ? 'First version' : changeNames(revision.changes).join(', ')}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.main} aria-label="Compared">
        {chosen && data ? (
          <>
            <header className={styles.head}>
              <div className={styles.titles}>
                <h2>Revision {chosen.number}</h2>
                <p className={styles.facts}>
                  {momentText(chosen.savedAt)} by {chosen.savedBy}
                </p>
              </div>
              {data.length < 2 ? null : (
                <label className={styles.with}>
                  Compare with
                  <select
                    value={other ?? ''}
                    onChange={(event) =>
                      void navigate({ search: { n: chosen.number, with: Number(event.target.value) } })
                    }
                  >
                    {other === undefined ? <option value="">–</option> : null}
                    {data
                      .filter(({ number }) => number !== chosen.number)
                      .map(({ number }) => (
                        <option key={number} value={number}>
                          Revision {number}
                        </option>
                      ))}
                  </select>
                </label>
              )}
              {chosen.number === newest ? null : <Restore number={chosen.number} newest={data[0]!.number} />}
            </header>
            {other === undefined ? (
              <p className={styles.quiet}>
                {chosen.number === newest
                  ? 'This is the first version. Each time the flow is saved, a revision is kept here: you can compare two of them and go back to any.'
                  : 'This is the oldest version that is kept. Choose another one to compare it with.'}
              </p>
            ) : (
              <ComparedRevisions flowId={flow.id} number={chosen.number} other={other} />
            )}
          </>
        ) : null}
      </section>
    </main>
  )
}

/** @param newest the revision that the list shows as the present one: a later one is not replaced unseen */
function Restore({ number, newest }: { number: number; newest: number }) {
  const { flow, saving } = useOpenFlow()
  const queries = useQueryClient()
  const editor = useEditor()
  const dirty = useEditorState((state) => isDirty(state.history))
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      const stored = await restoreRevision(flow.id, number, newest)
      const { kinds } = editor.getState()
      const file = placeMissing(readFlowFile(stored.flowData), kinds)
      saving.adopt(stored, file, `restore revision ${number}`)
      tell(`Revision ${number} is now revision ${stored.revision}`)
    } catch (error) {
      const isNewer = error instanceof ServerFailure && error.status === 412
      complain(
        `Revision ${number} was not restored`,
        `${messageOf(error)}${isNewer ? '. It is in the list now: restore again to replace it' : ''}`,
      )
      void queries.invalidateQueries({ queryKey: ['revisions', flow.id] })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      look="main"
      disabled={dirty || busy}
      title={dirty ? 'Save or undo your changes first: they are based on the newest revision' : undefined}
      onClick={() => void restore()}
    >
      <History aria-hidden="true" />
      Restore
    </Button>
  )
}
