import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { ChunkList } from '../../../parts/chunk-list.tsx'
import { Counts } from '../../../parts/counts.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { Pager } from '../../../parts/pager.tsx'
import { countText, numberText } from '../../../parts/units.ts'
import type { Flow } from '../../../server/flows.ts'
import { FATES, type Fate, type Job, listFatedChunks, listFatedSources } from '../../../server/jobs.ts'
import { fateCounts, type PreviewResult, previewOf, shownFates } from './preview-text.ts'
import styles from './preview.module.css'
import { type TakenOut, takenOut } from './taken-out.ts'
import { useUpserting } from './upserting.tsx'
import { Warnings } from '../../../parts/warnings.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'

const SOURCES = 50
const CHUNKS = 10

type PreviewProps = {
  flow: Flow
  job: Job
  /** Whether the preview used changes that are not saved. */
  ofDraft: boolean
  onBack(): void
  onUpsert(): void
  onClose(): void
}

/** What an upsert would do, before anything is paid for: the counts, each source, and its chunks. */
export function Preview({ flow, job, ofDraft, onBack, onUpsert, onClose }: PreviewProps) {
  const result = previewOf(job)
  const { files, setFiles } = useUpserting()
  const [previewed] = useState(files)
  const out = takenOut(previewed, files)
  return (
    <Dialog
      open
      onClose={onClose}
      title={result ? 'Preview' : job.state === 'cancelled' ? 'Preview cancelled' : 'The preview failed'}
      about={
        ofDraft
          ? `What an upsert into ${flow.name} would do with the changes that are not saved`
          : `What an upsert into ${flow.name} would do`
      }
      size="large"
      actions={
        <>
          <Button onClick={onBack}>Back</Button>
          {result ? (
            <Button
              look="green"
              onClick={onUpsert}
              disabled={ofDraft}
              title={ofDraft ? 'Save the flow first' : undefined}
            >
              {out.count === 0 ? 'Upsert' : `Upsert ${countText(files.length, 'file')}`}
            </Button>
          ) : null}
        </>
      }
    >
      {result ? (
        <PreviewBody
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

type PreviewBodyProps = { job: Job; result: PreviewResult; out: TakenOut; onToggle(source: string): void }

function PreviewBody({ job, result, out, onToggle }: PreviewBodyProps) {
  const [largestFirst, setLargestFirst] = useState(false)
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: ['fated-sources', job.id, largestFirst, page],
    queryFn: () => listFatedSources(job.id, { page, limit: SOURCES, largestFirst }),
    placeholderData: keepPreviousData,
  })
  const sources = data?.data ?? []
  const source = chosen ?? sources[0]?.source
  const failed = result.files.filter(({ status }) => status === 'failed')
  return (
    <div className={styles.preview}>
      <Counts
        counts={[
          ['Added', result.numAdded],
          ['Updated', result.numUpdated],
          ['Skipped', result.numSkipped],
          ['Deleted', result.numDeleted],
          ['Tokens to embed', `≈ ${numberText(result.estimate.tokens)}`],
        ]}
      />
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
      <LoadFailure error={error} onAgain={refetch} />
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
          <SourceChunks key={source} job={job} source={source} />
        </div>
      )}
    </div>
  )
}

function SourceChunks({ job, source }: { job: Job; source: string }) {
  const [page, setPage] = useState(1)
  const [fate, setFate] = useState<Fate>()
  const { data, error, refetch } = useQuery({
    queryKey: ['fated-chunks', job.id, source, fate, page],
    queryFn: () => listFatedChunks(job.id, { source, fate, page, limit: CHUNKS }),
    placeholderData: keepPreviousData,
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
      <LoadFailure error={error} onAgain={refetch} />
      {data?.total === 0 ? <p className={styles.quiet}>No chunk of this source is {fate}.</p> : null}
      <ChunkList
        label="Chunks"
        chunks={(data?.data ?? []).map(({ text, metadata, fate: mark }) => ({ text, metadata, mark }))}
      />
      <Pager page={page} limit={CHUNKS} total={data?.total ?? 0} of="chunks" onPage={setPage} />
    </section>
  )
}
