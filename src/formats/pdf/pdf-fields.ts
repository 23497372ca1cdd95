import { AnnotationType, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text fields of an annotation; pdf.js has no type for it. */
type Annotation = {
  pageIndex: number
  annotationFlags?: number
  fieldType?: string
  fieldName?: string
  fieldValue?: unknown
  alternativeText?: string
  checkBox?: boolean
  radioButton?: boolean
  contentsObj?: { str?: string }
}

const { FREETEXT, HIGHLIGHT, STAMP, STRIKEOUT, TEXT, UNDERLINE, WIDGET } = AnnotationType

/** Only these annotations: creating the many links of a paper can take as long as reading its pages. */
const WITH_WORDS: ReadonlySet<number> = new Set([
  FREETEXT,
  HIGHLIGHT,
  STAMP,
  STRIKEOUT,
  TEXT,
  UNDERLINE,
  WIDGET,
])

/** ISO 32000-2, table 167: Hidden and NoView. */
const HIDDEN = 0x02 | 0x20

/**
 * The form values and notes of a file by page number, one line each: `Name: value`, `[x] Choice`, `[note] …`. Damaged
 * annotations are skipped.
 */
export async function fieldLines(pdf: PDFDocumentProxy): Promise<Map<number, string[]>> {
  const found = await pdf.getAnnotationsByType(new Set(WITH_WORDS), new Set()).catch(() => [])
  const lines = new Map<number, string[]>()
  for (const annotation of found as Annotation[]) {
    const line = annotationLine(annotation)
    if (line === undefined) continue
    const pageNumber = annotation.pageIndex + 1
    const ofPage = lines.get(pageNumber)
    if (ofPage) ofPage.push(line)
    else lines.set(pageNumber, [line])
  }
  return lines
}

function annotationLine(annotation: Annotation): string | undefined {
  const { annotationFlags = 0, fieldType, fieldValue } = annotation
  if ((annotationFlags & HIDDEN) !== 0) return undefined
  const label = annotation.alternativeText || annotation.fieldName || 'field'
  if (fieldType === 'Btn') {
    const ticked = (annotation.checkBox || annotation.radioButton) && fieldValue && fieldValue !== 'Off'
    return ticked ? `[x] ${label}` : undefined
  }
  const values = fieldType ? [fieldValue].flat() : [annotation.contentsObj?.str]
  const text = values.filter((value) => typeof value === 'string' && value.trim() !== '').join(', ')
  if (text === '') return undefined
  return fieldType ? `${label}: ${text}` : `[note] ${text}`
}
