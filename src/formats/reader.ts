import type { DocumentPart, Metadata } from '../contract/document.ts'
import type { Dropped, ParsedBatch, ParseOptions } from '../contract/file-parser.ts'
import type { FileLimits } from './limits.ts'
import type { AskOcr, OcrOffer } from './pdf/ocr.ts'

/**
 * Something that the person who uploaded the file should know: "sheet Budget is hidden and was skipped".
 * `passing`: see {@link ParsedBatch}.
 */
export type Note = { note: string; passing?: true }

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

/** A file that is read in pieces: on the disk, or in memory where it was inside another one. `name` is for messages only. */
export type StreamFile = { name: string } & ({ path: string } | { bytes: Uint8Array })

/** Reads a file (text, csv, json, jsonl) in pieces, so that its size does not matter. */
export type StreamReader = (
  file: StreamFile,
  options: ParseOptions,
  limits: FileLimits,
) => AsyncIterable<ReaderItem>

/** Reads a file that has other files inside (a mail); `inside` reads those. */
export type ContainerReader = (
  file: StreamFile,
  options: ParseOptions,
  limits: FileLimits,
  inside: InsideFiles,
) => AsyncIterable<ReaderItem>

/** A file inside another one: the attachment of a mail. */
export type InsideFile = { name: string; bytes: Uint8Array }

/** Reads the files inside a file with the readers of their types, within limits that they share. */
export type InsideFiles = {
  /** How many bytes the next file may have; undefined where there may be no other file. */
  free(): number | undefined
  /** Counts a file that is held. */
  take(bytes: number): void
  /** For each of several mails in one file: limits of its own, unless this file is itself inside another. */
  renewed(): InsideFiles
  /**
   * Yields the documents of a file, with its name as metadata `attachment`. It never throws: a file that cannot be
   * read, or only in part, is told.
   *
   * @param around metadata of the file around it, for documents of a file that is no container itself
   */
  read(file: InsideFile, around: Metadata): AsyncIterable<ReaderItem>
  /** The same for a file that is not bytes of its own: a mail that the mail around it holds in its own format. */
  nested(name: string, items: (inside: InsideFiles) => AsyncIterable<ReaderItem>): AsyncIterable<ReaderItem>
}
