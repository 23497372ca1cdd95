import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Download } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { DroppedAnswer } from '../../../../src/api/dropped.ts'
import type { TextGapAnswer } from '../../../../src/api/source-trace.ts'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Loading } from '../../../parts/load-state.tsx'
import { countText, momentText, numberText, sizeText } from '../../../parts/units.ts'
import {
  listChunks,
  listSources,
  originalAddress,
  readSourceText,
  type Source,
} from '../../../server/documents.ts'
import { loadPart } from '../../../server/load-part.ts'
import { ChunkList } from './chunk-list.tsx'
import { CHUNKS_PER_PAGE, type OneDocumentSearch } from './document-search.ts'
import { ScrollBox } from '../../../parts/scroll-box.tsx'
import styles from './document-screen.module.css'
import { DocumentVersions } from './document-versions.tsx'
import { DocumentText } from './document-text.tsx'
import { LeftOut } from './left-out.tsx'
import { MissingWords } from './missing-words.tsx'
import { Pager } from './pager.tsx'
import { SearchBox } from '../../../parts/search-box.tsx'
import { DocumentStates } from './document-states.tsx'
import { spanOf } from './text-parts.ts'
import { TraceHead } from './trace-head.tsx'
import { TraceMap } from './trace-map.tsx'
import { spanWithGaps } from './trace-text.ts'
import { useScrollTogether } from './use-scroll-together.ts'
import { useTrace } from './use-trace.ts'
import { useChunkAt } from './use-chunk-at.ts'
import { useVersionOfChunk } from './version-of-chunk.ts'

/** pdf.js is larger than the rest of this screen: it is loaded with the first page that is shown. */
const PdfPage = lazy(() => loadPart(() => import('./pdf-page.tsx')))

const NONE: readonly TextGapAnswer[] = []
const NOTHING: readonly DroppedAnswer[] = []

/** One document: its page, its text and its chunks side by side, scrolled together, with a map of its text. To select one selects the others. */
export function DocumentScreen() {
  const { id, source } = useParams({ from: '/flows/$id/documents/$source' })
  const search = useSearch({ from: '/flows/$id/documents/$source' })
  const navigate = useNavigate({ from: '/flows/$id/documents/$source' })
  const show = (next: OneDocumentSearch) => void navigate({ search: next, replace: true })
  const { chunk, page, find, at, version } = search

  // A link to a chunk names no page: the server finds the one that has it.
  const around = page === undefined && find === undefined && at === undefined ? chunk : undefined
  const shown = version ?? 'newest'
  const asked = { source, version: shown, search: find, around, at, page: page ?? 1, limit: CHUNKS_PER_PAGE }
  const chunks = useQuery({
    queryKey: ['chunks', id, asked],
    queryFn: () => listChunks(id, asked),
    placeholderData: keepPreviousData,
  })
  const about = useQuery({
    queryKey: ['document', id, source],
    queryFn: async () =>
      (await listSources(id, { search: source.slice(0, 200), page: 1, limit: 1000 })).data.find(
        (row) => row.source === source,
      ) ?? null,
  })
  const rows = useMemo(() => chunks.data?.data ?? [], [chunks.data])
  const traced = useTrace({ flow: id, source, isNewest: version === undefined, exists: about.data != null })
  const { trace } = traced
  const gaps = trace?.gaps.data ?? NONE
  const first = chunks.data?.offset ?? 0
  const ofChunks = find === undefined ? spanOf(rows) : undefined
  const span = ofChunks && spanWithGaps(ofChunks, gaps, { first, last: first + rows.length })
  const text = useQuery({
    queryKey: ['source text', id, source, shown, span],
    queryFn: () =>
      readSourceText(id, {
        source,
        version: shown,
        start: span!.start,
        length: Math.min(1_000_000, Math.max(1, span!.end - span!.start)),
      }),
    enabled: span !== undefined,
    placeholderData: keepPreviousData,
  })
  const elsewhere = useVersionOfChunk({
    ...{ flow: id, source, chunk: around },
    isMissing: version === undefined && chunks.data !== undefined && !rows.some((row) => row.id === around),
  })
  useEffect(() => {
    if (elsewhere !== undefined)
      void navigate({ search: (now) => ({ ...now, version: elsewhere }), replace: true })
  }, [elsewhere, navigate])
  const [textPlace, chunkPlace] = [useRef<HTMLElement>(null), useRef<HTMLElement>(null)]
  const [scrolledPage, setScrolledPage] = useState<number>()
  const atPlace = useChunkAt(chunks, at)
  useEffect(() => {
    if (atPlace !== undefined)
      void navigate({ search: ({ at: _, ...now }) => ({ ...now, ...atPlace }), replace: true })
  }, [atPlace, navigate])
  const error = chunks.error ?? text.error ?? about.error
  const total = chunks.data?.total ?? 0
  const presentPage = Math.floor((chunks.data?.offset ?? 0) / CHUNKS_PER_PAGE) + 1
  const select = (next: string) => {
    const { pdfPage: _, ...rest } = search
    setScrolledPage(undefined)
    show({ ...rest, chunk: next, page: presentPage })
  }
  const { view: _, ...asPage } = search
  const { missing, ...withAll } = search
  const onlyMissing = missing === true && trace !== undefined && find === undefined
  const toPlace = (position: number) =>
    show({ ...(search.view === undefined ? {} : { view: search.view }), at: position })
  const hasColumns = find === undefined && !onlyMissing && !about.isPending
  useScrollTogether([textPlace, chunkPlace], hasColumns ? (text.data ?? rows) : undefined, (number) =>
    setScrolledPage(rows[number]?.pageNumber ?? undefined),
  )
  const ofVersion = version === undefined ? {} : { version }
  // The file that is kept is the newest version.
  const hasPage = about.data?.originalType === 'pdf' && version === undefined
  const showsPage = hasPage && search.view !== 'text'
  const hasMap = find === undefined && version === undefined && trace?.placed === true
  const hasLostPage = about.data?.originalType === null && /\.pdf$/i.test(source)

  return (
    <main className={styles.main}>
      <header className={styles.head}>
        <Link
          to="/flows/$id/documents"
          params={{ id }}
          search={{}}
          className={styles.back}
          aria-label="All documents"
        >
          <ArrowLeft aria-hidden="true" />
        </Link>
        <h2 className={styles.name} title={source}>
          {source}
        </h2>
        <Facts
          source={version === undefined ? (about.data ?? undefined) : undefined}
          chunks={chunks.data?.total}
          found={find !== undefined}
        />
        {find === undefined ? (
          <TraceHead
            trace={trace}
            isPending={traced.isPending}
            onlyMissing={onlyMissing}
            onOnlyMissing={(only) => show(only ? { ...withAll, missing: true } : withAll)}
          />
        ) : null}
        {hasPage && find === undefined ? (
          <fieldset className={styles.views} aria-label="Show the document as">
            <button type="button" aria-pressed={search.view !== 'text'} onClick={() => show(asPage)}>
              Page
            </button>
            <button
              type="button"
              aria-pressed={search.view === 'text'}
              onClick={() => show({ ...search, view: 'text' })}
            >
              Text
            </button>
          </fieldset>
        ) : null}
        {about.data?.originalType == null ? null : (
          <a className={styles.download} href={originalAddress(id, source)} download>
            <Download aria-hidden="true" />
            File
          </a>
        )}
        <SearchBox
          label="Search in the chunks"
          hint="Search in the text"
          value={find ?? ''}
          onChange={(text) => show({ ...ofVersion, ...(text === '' ? {} : { find: text }) })}
        />
      </header>
      <DocumentVersions
        flow={id}
        outdated={about.data?.outdated ?? 0}
        earlier={text.data?.earlier ?? []}
        version={version}
        onVersion={(next) => show(next === undefined ? {} : { version: next })}
      />
      {version === undefined && find === undefined ? (
        <LeftOut
          key={source}
          flow={id}
          source={source}
          onPlace={({ position, place }) =>
            show({
              ...(search.view === undefined ? {} : { view: search.view }),
              ...(hasPage && place?.page !== undefined ? { pdfPage: place.page } : {}),
              at: position!.start,
            })
          }
        />
      ) : null}
      <LoadFailure
        error={error ?? traced.error}
        onAgain={() => Promise.all([chunks.refetch(), text.refetch(), about.refetch(), traced.again()])}
      />
      <DocumentStates
        flow={id}
        changedSettings={version === undefined ? (about.data?.changedSettings ?? []) : []}
        failed={version === undefined ? traced.failed : undefined}
      />
      {hasLostPage && find === undefined ? (
        <p className={styles.hint}>
          The pages of this PDF can be shown once the flow keeps files and it is loaded again:{' '}
          <Link to="/flows/$id/configuration" params={{ id }} search={{}} hash="documents">
            Configuration, Documents
          </Link>
        </p>
      ) : null}
      {chunks.isPending ? <Loading /> : null}
      {chunks.data && total === 0 ? (
        <p className={styles.quiet}>
          {version !== undefined
            ? 'Nothing is left of this version.'
            : find === undefined
              ? 'The flow has no document of this name: it may have been removed, or loaded under another name.'
              : 'No chunk of this document has these words.'}
        </p>
      ) : null}
      {rows.length > 0 && onlyMissing ? <MissingWords trace={trace} onPlace={toPlace} /> : null}
      {rows.length > 0 && !onlyMissing ? (
        <div
          className={styles.sides}
          data-alone={find !== undefined}
          data-map={hasMap}
          data-paged={showsPage}
        >
          {hasMap ? <TraceMap trace={trace} span={span} onPlace={toPlace} /> : null}
          {find !== undefined || !showsPage ? null : (
            <ScrollBox className={styles.side} aria-label="Page">
              <Suspense fallback={<Loading />}>
                <PdfPage
                  flow={id}
                  source={source}
                  page={scrolledPage ?? search.pdfPage}
                  chunk={rows.find((row) => row.id === chunk)}
                  onPage={(next) => {
                    setScrolledPage(undefined)
                    show({ ...search, pdfPage: next })
                  }}
                  onText={() => show({ ...search, view: 'text' })}
                />
              </Suspense>
            </ScrollBox>
          )}
          {find !== undefined ? null : about.isPending ? (
            <section className={styles.side} aria-label="Text" />
          ) : (
            <DocumentText
              text={text.data}
              span={span}
              chunks={rows}
              selected={chunk}
              gaps={gaps}
              dropped={trace?.dropped ?? NOTHING}
              place={textPlace}
              onSelect={select}
            />
          )}
          <section className={styles.side} aria-label="Chunks" ref={chunkPlace}>
            <ChunkList
              rows={rows}
              first={first}
              questions={traced.questions}
              selected={chunk}
              find={find}
              onSelect={(next) => (find === undefined ? select(next) : show({ ...ofVersion, chunk: next }))}
            />
            <Pager
              label="Pages of chunks"
              page={presentPage}
              pages={Math.ceil(total / CHUNKS_PER_PAGE)}
              onPage={(next) => {
                const { chunk: _, ...rest } = search
                show({ ...rest, page: next })
              }}
            />
          </section>
        </div>
      ) : null}
    </main>
  )
}

/** `chunks` is undefined until they are counted. */
type FactsProps = { source: Source | undefined; chunks: number | undefined; found: boolean }

const Facts = ({ source, chunks, found }: FactsProps) => (
  <p className={styles.facts} role="status">
    {chunks === undefined ? null : (
      <span>
        {countText(chunks, 'chunk')}
        {found ? ' found' : ''}
      </span>
    )}
    {source?.bytes == null ? null : <span>{sizeText(source.bytes)}</span>}
    {source?.characters == null ? null : <span>{numberText(source.characters)} characters</span>}
    {source ? <span>changed {momentText(source.updatedAt)}</span> : null}
  </p>
)
