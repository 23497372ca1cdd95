import type { DocumentPart } from '../contract/document.ts'
import type { Dropped, ParseOptions } from '../contract/file-parser.ts'
import type { FileLimits } from './limits.ts'
import type { AskOcr, OcrOffer } from './ocr.ts'

/** Something that the person who uploaded the file should know: "sheet Budget is hidden and was skipped". */
export type Note = { note: string }

/** Something of the file that is not in its text. */
export type DroppedItem = { dropped: Dropped }

/** One item that a reader yields. */
export type ReaderItem = DocumentPart | Note | DroppedItem

/** What a reader may ask its parent process for: to have pages without text read. */
export type ReaderHelp = { ocr?: { offer: OcrOffer; ask: AskOcr } }

/** What a reader yields, in file order. */
export type ReaderOutput = Iterable<ReaderItem> | AsyncIterable<ReaderItem>

/**
 * Reads a file that must be in memory as a whole (pdf, office, html); `name` is for messages only.
 *
 * @throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`
 */
export type FormatReader = (
  file: { bytes: Uint8Array; name: string },
  options: ParseOptions,
  limits: FileLimits,
  help?: ReaderHelp,
) => ReaderOutput

/** Reads a file (text, csv, json, jsonl) from the disk in pieces, so that its size does not matter. */
export type StreamReader = (
  file: { path: string; name: string },
  options: ParseOptions,
  limits: FileLimits,
) => AsyncIterable<ReaderItem>
