import type { TextRange } from './document.ts'
import type { Dropped, DroppedKind } from './file-parser.ts'

/** What was left out of a document, as it is stored: `position` is where it would be in the extracted text, if that is known. */
export type DroppedRow = Dropped & { position?: TextRange }

/** How much of a kind was left out of a document, also as a text: `2 hidden sheets`. */
export type DroppedCount = { kind: DroppedKind; count: number; text: string }
