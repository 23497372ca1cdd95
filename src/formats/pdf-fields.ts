/** The parts of a pdf.js annotation that hold words; pdf.js itself gives them no type. */
type Annotation = {
  subtype?: string
  fieldType?: string
  fieldName?: string
  fieldValue?: unknown
  alternativeText?: string
  checkBox?: boolean
  radioButton?: boolean
  contentsObj?: { str?: string }
}

const COMMENTS: ReadonlySet<string | undefined> = new Set([
  'FreeText',
  'Text',
  'Highlight',
  'Underline',
  'StrikeOut',
  'Stamp',
])

/** What was filled into the forms of a page and noted on it, a line each: `Name: value`, `[x] Choice`, `[note] …`. */
export function fieldLines(annotations: readonly Annotation[]): string[] {
  return annotations.map(lineOf).filter((line) => line !== undefined)
}

function lineOf(annotation: Annotation): string | undefined {
  const { fieldType, fieldValue, subtype } = annotation
  const label = annotation.alternativeText || annotation.fieldName || 'field'
  if (fieldType === 'Btn') {
    const ticked = (annotation.checkBox || annotation.radioButton) && fieldValue && fieldValue !== 'Off'
    return ticked ? `[x] ${label}` : undefined
  }
  const values = fieldType ? [fieldValue].flat() : COMMENTS.has(subtype) ? [annotation.contentsObj?.str] : []
  const text = values.filter((value) => typeof value === 'string' && value.trim() !== '').join(', ')
  if (text === '') return undefined
  return fieldType ? `${label}: ${text}` : `[note] ${text}`
}
