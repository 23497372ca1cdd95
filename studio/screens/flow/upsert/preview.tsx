import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { ChunkList } from '../../../parts/chunk-list.tsx'
import { Counts } from '../../../parts/counts.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { LoadState } from '../../../parts/load-state.tsx'
import { Note } from '../../../parts/note.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { countText, numberText } from '../../../parts/units.ts'
import { isWithoutStore } from '../../../server/documents.ts'
import type { Flow } from '../../../server/flows.ts'
import { FATES, type Fate, type Job, listFatedChunks, listFatedSources } from '../../../server/jobs.ts'
import { listStoredChunks } from '../../../server/upserts.ts'
import {
  changeValue,
  fateCounts,
  type PreviewResult,
  previewCounts,
  previewOf,
  previewWords,
  shownFates,
} from './preview-text.ts'
import styles from './preview.module.css'
import { type TakenOut, takenOut } from './taken-out.ts'
import { type LoadRequest, useUpserting } from './upserting.tsx'
import { Warnings } from '../../../parts/warnings.tsx'

const SOURCES = 50
const CHUNKS = 10

/** How many changes of the drawing are listed. */
const SHOWN_CHANGES = 12

type PreviewProps = {
  flow: Flow
  job: Job
  /** What was previewed; undefined where the page has found the job. */
  request: LoadRequest | undefined
  onBack(): void
  onUpsert(): void | Promise<void>
  onClose(): void
}

/** What an upsert would do, before anything is paid for: the counts, each source, and its chunks. */
export function Preview({ flow, job, request, onBack, onUpsert, onClose }: PreviewProps) {
  const result = previewOf(job)
  const { files, setFiles } = useUpserting()
  const [previewed] = useState(files)
  const out = takenOut(previewed, files)
  const { title, about, action, waiting } = previewWords(request, out.count === 0 ? 0 : files.length)
  return (
    <Dialog
      open
      onClose={onClose}
      title={result ? title : job.state === 'cancelled' ? 'Preview cancelled' : 'The preview failed'}
      about={about(flow.name)}
      size="large"
      actions={
        <>
          <Button onClick={onBack}>Back</Button>
          {result ? (
            <Button
              look="green"
              onClick={() => void onUpsert()}
              disabled={waiting !== undefined}
              title={waiting}
            >
              {action}
            </Button>
          ) : null}
        </>
      }
    >
      {result ? (
        <PreviewBody
          flow={flow}
          job={job}
          result={result}
          out={out}
          onToggle={(source) => setFiles(out.toggled(source))}
        />
      ) : job.state === 'cancelled' ? (
        <Note>The preview was cancelled.</Note>
      ) : (
        <Note kind="failure">{job.error?.message ?? 'The server gives no reason'}</Note>
      )}
    </Dialog>
  )
}

type PreviewBodyProps = {
  flow: Flow
  job: Job
  result: PreviewResult
  out: TakenOut
  onToggle(source: string): void
}

function PreviewBody({ flow, job, result, out, onToggle }: PreviewBodyProps) {
  const [largestFirst, setLargestFirst] = useState(false)
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<string>()
  const listed = useQuery({
    queryKey: ['fated-sources', job.id, largestFirst, page],
    queryFn: () => listFatedSources(job.id, { page, limit: SOURCES, largestFirst }),
    placeholderData: keepPreviousData,
  })
  const { data } = listed
  const sources = data?.data ?? []
  const source = chosen ?? sources[0]?.source
  const failed = result.files.filter(({ status }) => status === 'failed')
  return (
    <div className={styles.preview}>
      <Changes changes={result.changes} />
      <Counts counts={previewCounts(result)} />
      {result.needed === undefined ? null : <Note kind="warning">{result.needed}</Note>}
      {failed.length === 0 ? null : (
        <Note kind="failure">
          {countText(failed.length, 'file')} cannot be loaded:
          <ul>
            {failed.slice(0, 10).map(({ name, message }) => (
              <li key={name}>
                <strong>{name}</strong>: {message}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <Warnings warnings={result.warnings} />
      {out.count === 0 ? null : (
        <Note>
          {countText(out.count, 'file')} will not be loaded; the counts above are those of the whole preview.
        </Note>
      )}
      <LoadState of={listed} />
      {data && sources.length === 0 ? <p className={styles.quiet}>There are no chunks.</p> : null}
      {source === undefined ? null : (
        <div className={styles.columns}>
          <section className={styles.sources} aria-label="Sources">
            <div className={styles.head}>
              <h3>{countText(data!.total, 'source')}</h3>
              <select
                aria-label="Order of sources"
                value={largestFirst ? 'chunks' : 'run'}
                onChange={(event) => {
                  setLargestFirst(event.target.value === 'chunks')
                  setPage(1)
                }}
              >
                <option value="run">as read</option>
                <option value="chunks">most chunks</option>
              </select>
            </div>
            <ul>
              {sources.map((one) => (
                <li key={one.source} data-out={out.isOut(one.source)}>
                  <button
                    type="button"
                    aria-pressed={one.source === source}
                    title={one.source}
                    onClick={() => setChosen(one.source)}
                  >
                    <span className={styles.name}>{one.source}</span>
                    <span className={styles.counts}>
                      {out.isOut(one.source) ? 'taken out' : fateCounts(one)}
                    </span>
                  </button>
                  {out.isFile(one.source) ? (
                    <Button
                      look="quiet"
                      square
                      aria-label={`${out.isOut(one.source) ? 'Put back' : 'Take out'} ${one.source}`}
                      onClick={() => onToggle(one.source)}
                    >
                      {out.isOut(one.source) ? <Undo2 aria-hidden="true" /> : <X aria-hidden="true" />}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
            <Pager page={page} limit={SOURCES} total={data!.total} of="sources" onPage={setPage} />
          </section>
          <SourceChunks key={source} flow={flow} job={job} source={source} />
        </div>
      )}
    </div>
  )
}

/** What the drawing of the preview does otherwise than the live one. */
function Changes({ changes }: { changes: PreviewResult['changes'] }) {
  if (changes.length === 0) return null
  return (
    <section className={styles.changes} aria-label="Source of change">
      <h3>Source of change: what is not live</h3>
      <ul>
        {changes.slice(0, SHOWN_CHANGES).map((change) => (
          <li key={`${change.nodeId} ${change.input} ${change.label}`}>
            <strong>{change.label}</strong> <del>{changeValue(change.from)}</del> →{' '}
            <ins>{changeValue(change.to)}</ins> <span className={styles.quiet}>{change.nodeId}</span>
          </li>
        ))}
      </ul>
      {changes.length > SHOWN_CHANGES ? (
        <p className={styles.quiet}>and {numberText(changes.length - SHOWN_CHANGES)} more</p>
      ) : null}
    </section>
  )
}

/** The chunks of a source: those that the store has now beside those that it would have. */
function SourceChunks({ flow, job, source }: { flow: Flow; job: Job; source: string }) {
  const [page, setPage] = useState(1)
  const [fate, setFate] = useState<Fate>()
  const listed = useQuery({
    queryKey: ['fated-chunks', job.id, source, fate, page],
    queryFn: () => listFatedChunks(job.id, { source, fate, page, limit: CHUNKS }),
    placeholderData: keepPreviousData,
  })
  const { data } = listed
  const [beforePage, setBeforePage] = useState(1)
  const before = useQuery({
    queryKey: ['stored-chunks', flow.id, source, beforePage, CHUNKS],
    queryFn: () => listStoredChunks(flow.id, source, { page: beforePage, limit: CHUNKS }),
    placeholderData: keepPreviousData,
    // A flow that has no store yet has none.
    retry: false,
  })
  return (
    <section className={styles.chunks} aria-label={`Chunks of ${source}`}>
      <div className={styles.head}>
        <h3 title={source}>{source}</h3>
        <select
          aria-label="Fate of chunks"
          value={fate ?? ''}
          onChange={(event) => {
            setFate(FATES.find((one) => one === event.target.value))
            setPage(1)
          }}
        >
          <option value="">All chunks</option>
          {shownFates.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      <LoadState of={listed} />
      {data?.total === 0 ? <p className={styles.quiet}>No chunk of this source is {fate}.</p> : null}
      <div className={styles.sides}>
        <div className={styles.side}>
          <h4>Before</h4>
          <ChunkList
            label="Stored now"
            chunks={(before.data?.data ?? []).map(({ pageContent, metadata }) => ({
              text: pageContent,
              metadata,
            }))}
          />
          {isWithoutStore(before.error) ? null : (
            <LoadFailure
              error={before.error}
              onAgain={before.refetch}
              what="What the store has cannot be listed"
            />
          )}
          {before.data?.total === 0 ? <p className={styles.quiet}>The store has none.</p> : null}
          <Pager
            page={beforePage}
            limit={CHUNKS}
            total={before.data?.total ?? 0}
            of="stored"
            onPage={setBeforePage}
          />
        </div>
        <div className={styles.side}>
          <h4>{fate === undefined ? 'After, with what is deleted' : `Chunks that are ${fate}`}</h4>
          <ChunkList
            label="Chunks"
            chunks={(data?.data ?? []).map(({ text, metadata, fate: mark }) => ({ text, metadata, mark }))}
          />
          <Pager page={page} limit={CHUNKS} total={data?.total ?? 0} of="chunks" onPage={setPage} />
        </div>
      </div>
    </section>
  )
}
