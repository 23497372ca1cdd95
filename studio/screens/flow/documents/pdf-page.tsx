import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Loading } from '../../../parts/load-state.tsx'
import { messageOf } from '../../../server/call.ts'
import { type Chunk, readOriginal } from '../../../server/documents.ts'
import { type FoundWords, findWords, type WordPlace } from './find-words.ts'
import { type DrawnPage, drawPage, openPdf } from './pdf-file.ts'
import styles from './pdf-page.module.css'
import { Pager } from './pager.tsx'

export type PdfPageProps = {
  flow: string
  source: string
  /** The page to show; without one, the page of the chunk is shown. */
  page: number | undefined
  chunk: Chunk | undefined
  onPage(page: number): void
  onText(): void
}

type OpenedPdf = { pdf?: PDFDocumentProxy; failure?: string }

/** A page of the file of a document, as wide as its panel, with the words of the selected chunk marked. */
export default function PdfPage(props: PdfPageProps) {
  const [tries, setTries] = useState(0)
  return <OnePage key={tries} {...props} onAgain={() => setTries(tries + 1)} />
}

function OnePage(props: PdfPageProps & { onAgain(): void }) {
  const { flow, source, page, chunk, onPage, onText, onAgain } = props
  const { pdf, failure: unread } = useOpenPdf(flow, source)
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const pages = pdf?.numPages ?? 1
  const number = Math.min(pages, page ?? chunk?.pageNumber ?? 1)
  const [shown, setShown] = useState<{ number: number; drawn?: DrawnPage; failure?: string }>()

  useEffect(() => {
    if (!pdf || width === 0) return
    const ending = new AbortController()
    drawPage(pdf, number, width, ending.signal).then(
      (drawn) => {
        drawn.layer.className = styles.layer!
        place.current?.replaceChildren(drawn.canvas, drawn.layer)
        setShown({ number, drawn })
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setShown({ number, failure: messageOf(error) })
      },
    )
    return () => ending.abort()
  }, [pdf, number, width])

  const drawn = shown?.number === number ? shown.drawn : undefined
  const isOfChunk = chunk !== undefined && (chunk.pageNumber === null || chunk.pageNumber === number)
  const content = isOfChunk ? chunk.pageContent : undefined
  const found = useMemo(
    () => (drawn && content !== undefined ? findWords(drawn.texts, content) : undefined),
    [drawn, content],
  )
  useEffect(() => {
    if (drawn) markWords(drawn, found?.places ?? [])
  }, [drawn, found])
  const words = isOfChunk ? `${chunk.id} ${number}` : undefined
  const hasDrawn = drawn !== undefined
  useEffect(() => {
    if (hasDrawn && words !== undefined)
      place.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [hasDrawn, words])

  const failure = unread ?? (shown?.number === number ? shown.failure : undefined)
  if (failure !== undefined)
    return (
      <div className={styles.failure}>
        <LoadFailure error={failure} onAgain={onAgain} />
        <Button onClick={onText}>Show the text</Button>
      </div>
    )
  return (
    <>
      <div className={styles.bar}>
        <Pager label="Pages of the file" page={number} pages={pages} onPage={onPage} />
        <p className={styles.about} role="status">
          {drawn ? aboutMark(chunk, number, found) : 'Loading the page…'}
        </p>
      </div>
      <div
        ref={place}
        className={styles.place}
        data-shown={drawn !== undefined}
        data-page={drawn ? number : undefined}
      />
      {drawn ? null : <Loading />}
    </>
  )
}

/** A sentence on the mark of the selected chunk. */
function aboutMark(chunk: Chunk | undefined, number: number, found: FoundWords | undefined): string {
  if (!chunk) return 'Select a chunk to see it on its page.'
  if (chunk.pageNumber !== null && chunk.pageNumber !== number)
    return `The selected chunk is on page ${chunk.pageNumber}.`
  if (found)
    return `The selected chunk is marked on page ${number}${found.isWhole ? '' : ', where its words were found'}.`
  return chunk.pageNumber === null
    ? 'The words of this chunk are not on this page, and its metadata name no page.'
    : 'The words of this chunk were not found on its page, so there is no mark.'
}

/** Marks parts of the text layer in place of the marks that it has. */
function markWords({ divs, texts }: DrawnPage, places: readonly WordPlace[]): void {
  for (const [item, div] of divs.entries()) {
    const text = texts[item] ?? ''
    const part = places.find((place) => place.item === item)
    if (part) {
      const mark = document.createElement('mark')
      mark.textContent = text.slice(part.start, part.end)
      div.replaceChildren(text.slice(0, part.start), mark, text.slice(part.end))
    } else if (div.querySelector('mark')) div.replaceChildren(text)
  }
}

function useOpenPdf(flow: string, source: string): OpenedPdf {
  const [opened, setOpened] = useState<OpenedPdf>({})
  useEffect(() => {
    const ending = new AbortController()
    setOpened({})
    readOriginal(flow, source, ending.signal)
      .then((bytes) => openPdf(bytes, ending.signal))
      .then(
        (pdf) => {
          if (!ending.signal.aborted) setOpened({ pdf })
        },
        (error: unknown) => {
          if (!ending.signal.aborted) setOpened({ failure: messageOf(error) })
        },
      )
    return () => ending.abort()
  }, [flow, source])
  return opened
}

/** The width of an element in whole CSS pixels; 0 before it is known. */
function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!place.current) return
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [place])
  return width
}
