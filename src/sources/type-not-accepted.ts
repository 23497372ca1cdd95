import { SluiceError } from '../kit/errors.ts'

/** The error for a file that no loader reads. @param accepts the endings of those that are read */
export function typeNotAccepted(file: string, accepts: readonly string[]): SluiceError {
  const ending = /\.[^./]+$/.exec(file)?.[0]
  const [name, ...targets] = CONVERSIONS[ending?.toLowerCase() ?? ''] ?? []
  const target = targets.find((to) => accepts.includes(to))
  const type = ending === undefined ? 'files without an ending' : ending
  const hint = name === undefined || target === undefined ? '' : ` (${name}: save it as ${target})`
  const accepted = [...new Set(accepts)].join(' ')
  return new SluiceError('file_type_not_accepted', { file, type: type + hint, accepted })
}

/** Formats that many people have and no reader here reads, and to which others they can be saved. */
const CONVERSIONS: Readonly<Record<string, readonly [name: string, ...targets: string[]] | undefined>> = {
  '.key': ['Apple Keynote', '.pptx', '.pdf'],
  '.numbers': ['Apple Numbers', '.xlsx', '.csv'],
  '.pages': ['Apple Pages', '.docx', '.pdf'],
  '.ppt': ['PowerPoint 97-2003', '.pptx', '.pdf'],
  '.pub': ['Microsoft Publisher', '.pdf'],
  '.vsd': ['Microsoft Visio', '.pdf'],
  '.wpd': ['WordPerfect', '.docx', '.pdf'],
  '.xlsb': ['Excel in binary form', '.xlsx'],
}
