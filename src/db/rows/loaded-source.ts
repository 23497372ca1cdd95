import { originalSourceName } from '../../documents/conversation.ts'
import type { FileType } from '../../contract/file-parser.ts'
import type { LoadedSource } from '../../contract/source-load.ts'

export type LoadedRow = {
  name: string
  bytes: number | null
  original: string | null
  originalType: FileType | null
  request: string | null
}

export const loadedSourceOf = ({
  name,
  bytes,
  original,
  originalType,
  request,
}: LoadedRow): LoadedSource => ({
  source: originalSourceName(name),
  bytes,
  original: original === null || originalType === null ? undefined : { id: original, type: originalType },
  request,
})
