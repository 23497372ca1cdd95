import type { DocumentPart } from '../contract/document.ts'
import type { ParseOptions } from '../contract/file-parser.ts'
import type { FileLimits } from './limits.ts'

/** Something worth telling the person who uploaded the file: "sheet Budget is hidden and was skipped". */
export type Note = { note: string }

/** What a reader gives, in the order of the file. */
export type ReaderOutput = Iterable<DocumentPart | Note> | AsyncIterable<DocumentPart | Note>

/**
 * Reads a file that must be held whole (pdf, office, json, html); `name` is for messages only.
 * Throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`.
 */
export type FormatReader = (
  file: { bytes: Uint8Array; name: string },
  options: ParseOptions,
  limits: FileLimits,
) => ReaderOutput

/** Reads a file of lines (text, csv, jsonl) piece by piece from the disk, so that its size does not matter. */
export type StreamReader = (
  file: { path: string; name: string },
  options: ParseOptions,
  limits: FileLimits,
) => AsyncIterable<DocumentPart | Note>
