import { SaxesParser } from 'saxes'

/** The elements of one name, each with the texts of its child elements. */
type Rows = Record<string, string>[]

/**
 * Reads an answer of S3: the rows of a list, and the texts of elements directly below the root.
 *
 * @param row the name of the elements that are rows, if there are any
 * @throws Error where it is not XML
 */
export function readS3Xml(xml: string, row?: string): { root: Record<string, string>; rows: Rows } {
  const root: Record<string, string> = {}
  const rows: Rows = []
  const path: string[] = []
  let text = ''
  let failure: Error | undefined
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
    if (path.length === 2 && name === row) rows.push({})
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    if (path.length === 2 && name !== row) root[name] = text
    if (path.length === 3 && path[1] === row) rows.at(-1)![name] = text
    path.pop()
    text = ''
  })
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.write(xml).close()
  if (failure) throw failure
  return { root, rows }
}
